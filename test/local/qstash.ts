import type { Deliver } from './qstash/attempt.ts';
import { createBroker, type KeptQueue, type Knobs } from './qstash/broker.ts';
import type { MessageState } from './qstash/message.ts';
import { createRoutes, failure } from './qstash/routes.ts';
import type { StandIn, WorldClock } from './stand-in.ts';

const POLL_MS = 25;

/** A message that was accepted and not yet delivered or given up. */
export interface PendingMessage {
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
  /** Delivers until nothing is due by the world's clock, waits for the answers, says how many attempts were made. */
  deliverDue(): Promise<number>;
  pending(): PendingMessage[];
  /** What it holds, to be kept; one start's queue goes on in the next. */
  keep(): KeptQueue;
  /** Drops every message that waits. */
  forget(): void;
  /** Sets what the queue does wrong; knobs not named stay as they are. */
  setKnobs(knobs: Partial<Knobs>): void;
  /** Delivers by itself from now on: new messages at once, waiting ones when the clock reaches them. */
  start(): void;
  /** Ends that, once the running deliveries are through. */
  stop(): Promise<void>;
}

/** QStash's REST API and its signed deliveries, in memory, by the world's clock. */
export function createQStash(options: {
  clock: WorldClock;
  token: string;
  currentSigningKey: string;
  nextSigningKey: string;
  deliver?: Deliver;
  /** What an earlier start kept. */
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
