import * as z from 'zod';
import type { Deliver } from './qstash/broker.ts';
import {
  type Broker,
  createBroker,
  InvalidMessage,
  type KeptQueue,
  type Knobs,
  type Message,
} from './qstash/broker.ts';
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
  state: Message['state'];
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
  }),
);

/** Answers those paths of QStash's REST API that Tandem asks: it publishes, alone and in batches, and reads the keys. */
function createRoutes(broker: Broker, keys: { current: string; next: string }) {
  async function batch(request: Request): Promise<Response> {
    const parsed = Batch.safeParse(await request.json().catch(() => undefined));
    if (!parsed.success) return failure(400, 'failed to parse batch');
    return Response.json(
      parsed.data.map(({ destination, headers, body }) =>
        broker.publish(destination, new Headers(headers), new TextEncoder().encode(body)),
      ),
    );
  }

  async function route(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const asked = `${request.method} ${pathname}`;
    const [, to] = /^\/v2\/publish\/(.*)$/.exec(pathname + search) ?? [];
    if (to !== undefined && request.method === 'POST') {
      const body = new Uint8Array(await request.arrayBuffer());
      return Response.json(broker.publish(to, request.headers, body), { status: 201 });
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

/** Returns an error in QStash's format. */
function failure(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
