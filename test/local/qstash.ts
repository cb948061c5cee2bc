import { createHash, createHmac, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { DAY } from '../../lib/engine/time/dates.ts';
import type { WorldClock } from './targets.ts';

/** Headers as data, so that a message can be saved to disk. */
type HeaderList = [name: string, value: string][];

interface Message {
  messageId: string;
  url: string;
  /** Headers of the delivery. Forwarded headers lose their prefix. */
  headers: HeaderList;
  body: string;
  notBefore: number;
  maxRetries: number;
  retried: number;
  flowControl: { key: string; parallelism: number } | undefined;
  state: 'CREATED' | 'ACTIVE' | 'RETRY';
}

/** Publish call that cannot be accepted. */
class InvalidMessage extends Error {}

const DEFAULT_RETRIES = 3;
const FORWARD = 'upstash-forward-';

function parseMessage(url: string, sent: Headers, body: string, now: number): Message {
  if (!URL.canParse(url) || !/^https?:\/\//.test(url)) {
    throw new InvalidMessage('invalid destination url: endpoint has invalid scheme, add http:// or https://');
  }
  return {
    messageId: `msg_${randomUUID().replaceAll('-', '')}`,
    url,
    headers: forwarded(sent),
    body,
    notBefore: now + 1_000 * (read(sent, 'upstash-delay', /^(\d+)s$/) ?? 0),
    maxRetries: read(sent, 'upstash-retries', /^(\d+)$/) ?? DEFAULT_RETRIES,
    retried: 0,
    state: 'CREATED',
    flowControl: readFlowControl(sent),
  };
}

function forwarded(sent: Headers): HeaderList {
  const headers = new Headers();
  const contentType = sent.get('content-type');
  if (contentType !== null) headers.set('content-type', contentType);
  for (const [name, value] of sent) {
    if (name.startsWith(FORWARD)) headers.set(name.slice(FORWARD.length), value);
  }
  return [...headers];
}

/** Reads the flow control of a message: at most `parallelism` messages with one key are in progress at a time. */
function readFlowControl(sent: Headers): Message['flowControl'] {
  const key = sent.get('upstash-flow-control-key');
  const parallelism = read(sent, 'upstash-flow-control-value', /^parallelism=(\d+)$/);
  if (key === null && parallelism === undefined) return undefined;
  if (key === null || parallelism === undefined || !/^[\w.-]+$/.test(key))
    throw new InvalidMessage('invalid upstash-flow-control header');
  return { key, parallelism };
}

/** Reads the number of a header, which must have the one form in which Tandem sends it. */
function read(sent: Headers, name: string, form: RegExp): number | undefined {
  const text = sent.get(name);
  if (text === null) return undefined;
  const [, digits] = form.exec(text) ?? [];
  if (digits === undefined) throw new InvalidMessage(`invalid ${name} header`);
  return Number(digits);
}

const TIMEOUT_MS = 120_000;

/** Result of a delivery attempt. Status 0 means that nobody answered. */
interface Outcome {
  status: number;
  retryAfter?: string | null;
}

export type Deliver = (request: Request) => Promise<Response>;

async function attempt(
  message: Message,
  context: { deliver: Deliver; signingKey: string; now: number; aborted: AbortSignal },
): Promise<Outcome> {
  const headers = new Headers(message.headers);
  // The local Worker compresses every answer for a caller that accepts it, which costs more than a short answer itself.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  headers.set('upstash-message-id', message.messageId);
  headers.set('upstash-retried', String(message.retried));
  headers.set('upstash-signature', signDelivery(context.signingKey, message.url, message.body, context.now));
  const ending = new AbortController();
  const end = () => ending.abort(context.aborted.reason);
  context.aborted.addEventListener('abort', end);
  if (context.aborted.aborted) end();
  const late = () => ending.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(late, TIMEOUT_MS).unref();
  const { signal } = ending;
  const request = new Request(message.url, { method: 'POST', body: message.body, headers, signal, redirect: 'manual' });
  try {
    const response = await Promise.race([context.deliver(request), rejection(signal)]);
    await response.bytes();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  } catch {
    return { status: 0 };
  } finally {
    clearTimeout(timer);
    context.aborted.removeEventListener('abort', end);
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

const LIFETIME_SECONDS = 300;
const encoded = (part: Record<string, unknown>) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns the `Upstash-Signature` of one delivery attempt: a JSON Web Token, signed with HMAC-SHA256. */
function signDelivery(key: string, url: string, body: string, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    iss: 'Upstash',
    sub: url,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    jti: `jwt_${randomUUID().replaceAll('-', '')}`,
    body: createHash('sha256').update(body).digest('base64url'),
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** Faults that the queue plays on request. */
interface Knobs {
  /** Number of times that each message is delivered beyond the first. */
  duplicates: number;
  reorder: boolean;
  /** Number of next messages to accept and never deliver. */
  loseNext: number;
  /** True to stop automatic delivery; `deliverDue` still delivers. */
  hold: boolean;
  /** True to deliver messages although as many of their flow control key are in progress as it allows. */
  overfill: boolean;
  /** Largest number of messages of the whole account in progress at a time. */
  parallelism: number;
}

export const USUAL_KNOBS: Knobs = {
  duplicates: 0,
  reorder: false,
  loseNext: 0,
  hold: false,
  overfill: false,
  parallelism: 20,
};

export interface KeptQueue {
  waiting: Map<string, Message>;
}

type Broker = ReturnType<typeof createBroker>;

/**
 * Creates the queue itself: waiting messages and messages in progress. Messages that were in
 * progress when the state was saved are sent again.
 */
function createBroker(options: {
  clock: WorldClock;
  deliver: Deliver;
  keys: { current: string };
  kept?: KeptQueue | undefined;
}) {
  const { clock, kept } = options;
  const waiting = new Map(
    [...(kept?.waiting ?? [])].map(([id, message]): [string, Message] => [id, { ...message, state: 'CREATED' }]),
  );
  const active = new Map<string, Promise<void>>();
  const aborting = new AbortController();
  const knobs: Knobs = { ...USUAL_KNOBS };

  function publish(url: string, headers: Headers, body: string) {
    const message = parseMessage(url, headers, body, clock.now());
    if (knobs.loseNext > 0) knobs.loseNext -= 1;
    else waiting.set(message.messageId, message);
    return { messageId: message.messageId, url };
  }

  function due(): Message[] {
    const now = clock.now();
    const messages = [...waiting.values()].filter(({ state, notBefore }) => state !== 'ACTIVE' && notBefore <= now);
    const inOrder = messages.sort((a, b) => a.notBefore - b.notBefore);
    return knobs.reorder ? inOrder.reverse() : inOrder;
  }

  /** Leaves out messages whose key has no free capacity. */
  function admitted(messages: Message[]): Message[] {
    const running = new Map<string, number>();
    for (const { state, flowControl } of waiting.values())
      if (state === 'ACTIVE' && flowControl) running.set(flowControl.key, (running.get(flowControl.key) ?? 0) + 1);
    return messages.filter(({ flowControl }) => {
      if (flowControl === undefined || knobs.overfill) return true;
      const before = running.get(flowControl.key) ?? 0;
      running.set(flowControl.key, before + 1);
      return before < flowControl.parallelism;
    });
  }

  function launch(): Promise<void>[] {
    return admitted(due())
      .slice(0, Math.max(0, knobs.parallelism - active.size))
      .map((message) => {
        message.state = 'ACTIVE';
        const running = deliverOnce(message).finally(() => active.delete(message.messageId));
        active.set(message.messageId, running);
        return running;
      });
  }

  async function deliverOnce(message: Message): Promise<void> {
    const attempts = Array.from({ length: 1 + knobs.duplicates }, () =>
      attempt(message, {
        deliver: options.deliver,
        signingKey: options.keys.current,
        now: clock.now(),
        aborted: aborting.signal,
      }),
    );
    const [outcome] = await Promise.all(attempts);
    if (outcome !== undefined && waiting.has(message.messageId)) settle(message, outcome);
  }

  function settle(message: Message, outcome: Outcome) {
    if (isDelivered(outcome) || message.retried >= message.maxRetries) {
      waiting.delete(message.messageId);
    } else {
      message.notBefore = clock.now() + retryDelay(message, outcome);
      message.retried += 1;
      message.state = 'RETRY';
    }
  }

  return {
    knobs,
    publish,
    launch,
    waiting: () => [...waiting.values()],
    isIdle: () => active.size === 0,
    settled: () => Promise.all(active.values()),
    nextSettled: () => Promise.race(active.values()),
    forget: () => waiting.clear(),
    keep: (): KeptQueue => ({ waiting }),
    abort: () => aborting.abort(new Error('the queue was closed')),
  };
}

const isDelivered = ({ status }: Outcome) => status >= 200 && status < 300;

/** Returns the milliseconds until the next attempt: the seconds that the receiver asked for, else the default. */
function retryDelay(message: Message, { retryAfter }: Outcome): number {
  const seconds = retryAfter == null ? Math.exp(2.5 * (message.retried + 1)) : Number(retryAfter);
  return Math.min(DAY, seconds * 1_000);
}

const POLL_MS = 25;

export type QStash = ReturnType<typeof createQStash>;

/** Creates QStash's REST API with signed deliveries, in memory and by the world's clock. */
export function createQStash(options: {
  clock: WorldClock;
  token: string;
  currentSigningKey: string;
  nextSigningKey: string;
  deliver?: Deliver;
  /** State that an earlier start saved. */
  kept?: KeptQueue | undefined;
}) {
  const keys = { current: options.currentSigningKey, next: options.nextSigningKey };
  const broker = createBroker({ clock: options.clock, deliver: options.deliver ?? fetch, keys, kept: options.kept });
  const answer = createRoutes(broker, keys);
  let loop: NodeJS.Timeout | undefined;

  function tick() {
    if (loop === undefined || broker.knobs.hold) return;
    for (const running of broker.launch()) void running.then(tick);
  }

  /** Delivers until nothing is due by the world's clock, waits for the answers, and returns the number of attempts. */
  async function deliverDue(): Promise<number> {
    let delivered = broker.launch().length;
    while (!broker.isIdle()) {
      await broker.nextSettled();
      delivered += broker.launch().length;
    }
    return delivered;
  }

  /** Stops automatic delivery once the running deliveries have ended. */
  async function stop() {
    clearInterval(loop);
    loop = undefined;
    await broker.settled();
  }

  return {
    async fetch(request: Request): Promise<Response> {
      if (request.headers.get('authorization') !== `Bearer ${options.token}`) return failure(401, 'invalid token');
      const response = await answer(request);
      setImmediate(tick);
      return response;
    },
    deliverDue,
    /** Returns the messages that were accepted, and neither delivered nor given up yet. */
    pending: () => broker.waiting(),
    keep: () => broker.keep(),
    forget: () => broker.forget(),
    /** Sets the queue's faults. Faults that are not named stay as they are. */
    setKnobs: (knobs: Partial<Knobs>) => void Object.assign(broker.knobs, knobs),
    /** Starts to deliver automatically: new messages at once, and waiting ones when they are due. */
    start() {
      loop ??= setInterval(tick, POLL_MS);
    },
    stop,
    async close() {
      broker.abort();
      await stop();
    },
  };
}

const Batch = z.array(
  z.object({
    destination: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
);

/** Answers those paths of QStash's REST API that Tandem asks: it publishes, alone and in batches, and reads the keys. */
function createRoutes(broker: Broker, keys: { current: string; next: string }) {
  async function batch(request: Request): Promise<Response> {
    const parsed = Batch.safeParse(await request.json().catch(() => undefined));
    if (!parsed.success) return failure(400, 'failed to parse batch');
    return Response.json(
      parsed.data.map(({ destination, headers, body }) => broker.publish(destination, new Headers(headers), body)),
    );
  }

  async function route(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const asked = `${request.method} ${pathname}`;
    const [, to] = /^\/v2\/publish\/(.*)$/.exec(pathname + search) ?? [];
    if (to !== undefined && request.method === 'POST') {
      return Response.json(broker.publish(to, request.headers, await request.text()), { status: 201 });
    }
    if (asked === 'POST /v2/batch') return batch(request);
    if (asked === 'GET /v2/keys') return Response.json(keys);
    return failure(404, 'not found');
  }

  return async (request: Request): Promise<Response> => {
    try {
      return await route(request);
    } catch (error) {
      if (error instanceof InvalidMessage) return failure(400, error.message);
      throw error;
    }
  };
}

function failure(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
