import type { WorldClock } from '../targets.ts';
import { attempt, type Deliver, type Outcome } from './attempt.ts';
import { type Message, parseDuration, parseMessage } from './message.ts';

/** Faults that the queue plays on request. */
export interface Knobs {
  /** Number of times that each message is delivered beyond the first. */
  duplicates: number;
  /** True to deliver due messages in reverse order. */
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

/** The queue without faults. */
export const USUAL_KNOBS: Knobs = {
  duplicates: 0,
  reorder: false,
  loseNext: 0,
  hold: false,
  overfill: false,
  parallelism: 20,
};

/** State of the queue as plain data. */
export interface KeptQueue {
  waiting: Map<string, Message>;
}

export interface Accepted {
  messageId: string;
  url: string;
}

export type Broker = ReturnType<typeof createBroker>;

/**
 * Creates the queue itself: waiting messages and messages in progress. Messages that were in
 * progress when the state was saved are sent again.
 */
export function createBroker(options: {
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

  function publish(url: string, headers: Headers, body: Uint8Array<ArrayBuffer>): Accepted {
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

const DAY_MS = 86_400_000;

/** Returns true if this result means that the message was delivered. */
const isDelivered = ({ status }: Outcome) => status >= 200 && status < 300;

/** Returns the milliseconds until the next attempt: as the receiver asked, else the default. */
function retryDelay(message: Message, { retryAfter }: Outcome): number {
  const hint = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : parseDuration(retryAfter ?? '');
  return Math.min(DAY_MS, hint ?? Math.exp(2.5 * (message.retried + 1)) * 1000);
}
