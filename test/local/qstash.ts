import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Deliver } from './qstash/attempt.ts';
import {
  type Accepted,
  type Broker,
  createBroker,
  type DeadLetter,
  headerLists,
  type KeptQueue,
  type Knobs,
} from './qstash/broker.ts';
import { InvalidMessage, type Message, type MessageState } from './qstash/message.ts';
import type { StandIn, WorldClock } from './targets.ts';

const POLL_MS = 25;

/** Message that was accepted, and neither delivered nor given up yet. */
interface PendingMessage {
  messageId: string;
  url: string;
  method: string;
  body: string;
  notBefore: number;
  retried: number;
  maxRetries: number;
  state: MessageState;
}

export interface QStash extends StandIn {
  /** Delivers until nothing is due by the world's clock, waits for the answers, and returns the number of attempts. */
  deliverDue(): Promise<number>;
  pending(): PendingMessage[];
  /** Returns the state to save, with which the next start continues. */
  keep(): KeptQueue;
  /** Drops every waiting message. */
  forget(): void;
  /** Sets the queue's faults. Faults that are not named stay as they are. */
  setKnobs(knobs: Partial<Knobs>): void;
  /** Starts to deliver automatically: new messages at once, and waiting ones when they are due. */
  start(): void;
  /** Stops automatic delivery once the running deliveries have ended. */
  stop(): Promise<void>;
}

/** Creates QStash's REST API with signed deliveries, in memory and by the world's clock. */
export function createQStash(options: {
  clock: WorldClock;
  token: string;
  currentSigningKey: string;
  nextSigningKey: string;
  deliver?: Deliver;
  /** State that an earlier start saved. */
  kept?: KeptQueue | undefined;
}): QStash {
  const keys = { current: options.currentSigningKey, next: options.nextSigningKey };
  const broker = createBroker({ clock: options.clock, deliver: options.deliver ?? fetch, keys, kept: options.kept });
  const answer = createRoutes(broker, keys);
  let loop: NodeJS.Timeout | undefined;

  function tick() {
    if (loop === undefined || broker.knobs.hold) return;
    for (const running of broker.launch()) void running.then(tick);
  }

  async function deliverDue(): Promise<number> {
    let delivered = broker.launch().length;
    while (!broker.isIdle()) {
      await broker.nextSettled();
      delivered += broker.launch().length;
    }
    return delivered;
  }

  async function stop() {
    clearInterval(loop);
    loop = undefined;
    await broker.settled();
  }

  return {
    async fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${options.token}`) return failure(401, 'invalid token');
      const response = await answer(request);
      setImmediate(tick);
      return response;
    },
    deliverDue,
    pending: () =>
      broker.waiting().map(({ messageId, url, method, body, notBefore, retried, maxRetries, state }) => ({
        messageId,
        url,
        method,
        body: Buffer.from(body).toString(),
        notBefore,
        retried,
        maxRetries,
        state,
      })),
    keep: () => broker.keep(),
    forget: () => broker.forget(),
    setKnobs: (knobs) => void Object.assign(broker.knobs, knobs),
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
    queue: z.string().optional(),
  }),
);

/** Answers QStash's REST API for a broker. */
function createRoutes(broker: Broker, keys: { current: string; next: string }) {
  async function publish(destination: string, request: Request, queueName?: string): Promise<Response> {
    const headers = new Headers(request.headers);
    if (queueName !== undefined) headers.set('upstash-queue-name', queueName);
    return acceptance(broker.publish(destination, headers, new Uint8Array(await request.arrayBuffer())));
  }

  async function batch(request: Request): Promise<Response> {
    const parsed = Batch.safeParse(await request.json().catch(() => undefined));
    if (!parsed.success) return failure(400, 'failed to parse batch');
    const accepted = parsed.data.map(({ destination, headers, body, queue }) => {
      const sent = new Headers(headers);
      if (queue !== undefined) sent.set('upstash-queue-name', queue);
      return broker.publish(destination, sent, new TextEncoder().encode(body));
    });
    return Response.json(accepted);
  }

  function messages(method: string, ids: string[]): Response {
    if (method === 'DELETE') {
      const cancelled = ids.filter((id) => broker.cancel(id)).length;
      return cancelled === 0 && ids.length === 1 ? failure(404, 'message not found') : Response.json({ cancelled });
    }
    const message = broker.find(ids[0] ?? '');
    return message === undefined ? failure(404, 'message not found') : Response.json(shownMessage(message));
  }

  function deadLetters(method: string, letters: DeadLetter[]): Response {
    if (method === 'GET') return Response.json({ messages: letters.map(shownLetter) });
    if (method !== 'DELETE') return failure(405, 'method not allowed');
    for (const { dlqId } of letters) broker.dead.delete(dlqId);
    return Response.json({ deleted: letters.length });
  }

  function deadLetter(method: string, dlqId: string): Response {
    const letter = broker.dead.get(dlqId);
    if (letter === undefined) return failure(404, 'dlq message not found');
    return method === 'GET' ? Response.json(shownLetter(letter)) : deadLetters(method, [letter]);
  }

  function retryLetter(dlqId: string): Response {
    const letter = broker.dead.get(dlqId);
    return letter === undefined
      ? failure(404, 'dlq message not found')
      : Response.json(broker.revive(letter), { status: 201 });
  }

  function chosenLetters(url: URL): DeadLetter[] {
    const ids = url.searchParams.getAll('dlqIds');
    return [...broker.dead.values()].filter(({ dlqId }) => ids.length === 0 || ids.includes(dlqId));
  }

  function chosenMessages(url: URL): string[] {
    const ids = url.searchParams.getAll('messageIds');
    return ids.length === 0 ? broker.waiting().map(({ messageId }) => messageId) : ids;
  }

  function rotateKeys(): Response {
    Object.assign(keys, { current: keys.next, next: `sig_${randomUUID().replaceAll('-', '')}` });
    return Response.json(keys);
  }

  function route(request: Request): Response | Promise<Response> {
    const url = new URL(request.url);
    const { method } = request;
    const path = url.pathname;
    const [, publishTo] = /^\/v2\/publish\/(.*)$/.exec(path + url.search) ?? [];
    if (publishTo !== undefined && method === 'POST') return publish(publishTo, request);
    const [, queueName, enqueueTo] = /^\/v2\/enqueue\/([^/]+)\/(.*)$/.exec(path + url.search) ?? [];
    if (enqueueTo !== undefined && method === 'POST') return publish(enqueueTo, request, queueName);
    const id = path.split('/').at(-1) ?? '';
    if (path === '/v2/batch' && method === 'POST') return batch(request);
    if (path === '/v2/messages' && method === 'DELETE') return messages(method, chosenMessages(url));
    if (/^\/v2\/messages\/[^/]+$/.test(path)) return messages(method, [id]);
    if (path === '/v2/dlq') return deadLetters(method, chosenLetters(url));
    if (path === '/v2/dlq/retry' && method === 'POST') {
      return Response.json({ responses: chosenLetters(url).map((letter) => broker.revive(letter)) }, { status: 201 });
    }
    if (/^\/v2\/dlq\/retry\/[^/]+$/.test(path) && method === 'POST') return retryLetter(id);
    if (/^\/v2\/dlq\/[^/]+$/.test(path)) return deadLetter(method, id);
    if (path === '/v2/keys' && method === 'GET') return Response.json(keys);
    if (path === '/v2/keys/rotate' && method === 'POST') return rotateKeys();
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

/** Returns an error in QStash's format. */
function failure(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

function acceptance(accepted: Accepted): Response {
  return Response.json(accepted, { status: accepted.deduplicated ? 202 : 201 });
}

function shownMessage(message: Message) {
  const { messageId, url, method, maxRetries, notBefore, createdAt, queueName, label, retryDelay } = message;
  return {
    messageId,
    url,
    method,
    header: headerLists(message.headers),
    body: Buffer.from(message.body).toString(),
    maxRetries,
    retryDelayExpression: retryDelay,
    notBefore,
    createdAt,
    queueName,
    label,
    callerIP: message.callerIp,
  };
}

function shownLetter({ dlqId, message, answer }: DeadLetter) {
  return {
    ...shownMessage(message),
    dlqId,
    responseStatus: answer.status,
    responseHeader: headerLists(answer.headers),
    responseBody: Buffer.from(answer.body).toString(),
  };
}
