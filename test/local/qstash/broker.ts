import { createHash, randomUUID } from 'node:crypto';
import type { WorldClock } from '../targets.ts';
import { attempt, type Deliver, isDelivered, isNonRetryable, type Outcome } from './attempt.ts';
import {
  type CallbackTarget,
  evaluate,
  type HeaderList,
  type Message,
  type MessageState,
  parseDuration,
  parseMessage,
} from './message.ts';

const DEDUPLICATION_MS = 10 * 60_000;

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
  /** True to recognize repeated deduplication ids. */
  deduplicate: boolean;
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
  deduplicate: true,
  overfill: false,
  parallelism: 20,
};

export interface DeadLetter {
  dlqId: string;
  message: Message;
  answer: { status: number; headers: HeaderList; body: Uint8Array };
}

/** State of the queue as plain data. */
export interface KeptQueue {
  waiting: Map<string, Message>;
  dead: Map<string, DeadLetter>;
  seen: Map<string, { messageId: string; until: number }>;
}

export interface Accepted {
  messageId: string;
  url: string;
  deduplicated?: true;
}

export type Broker = ReturnType<typeof createBroker>;

/**
 * Creates the queue itself: waiting messages, messages in progress, and messages that were given up. Messages that were
 * in progress when the state was saved are sent again.
 */
export function createBroker(options: {
  clock: WorldClock;
  deliver: Deliver;
  keys: { current: string };
  kept?: KeptQueue | undefined;
}) {
  const { clock, kept } = options;
  const waiting = new Map(
    [...(kept?.waiting ?? [])].map(([id, message]) => [id, { ...message, state: 'CREATED' as MessageState }]),
  );
  const active = new Map<string, Promise<void>>();
  const dead = new Map(kept?.dead);
  const seen = new Map(kept?.seen);
  const aborting = new AbortController();
  const knobs: Knobs = { ...USUAL_KNOBS };

  function publish(url: string, headers: Headers, body: Uint8Array<ArrayBuffer>): Accepted {
    const message = parseMessage(url, headers, body, clock.now());
    const id = deduplicationId(message, headers);
    const known = id === undefined ? undefined : seen.get(id);
    if (knobs.deduplicate && known !== undefined && known.until > clock.now()) {
      return { messageId: known.messageId, url, deduplicated: true };
    }
    if (id !== undefined) seen.set(id, { messageId: message.messageId, until: clock.now() + DEDUPLICATION_MS });
    if (knobs.loseNext > 0) knobs.loseNext -= 1;
    else waiting.set(message.messageId, message);
    return { messageId: message.messageId, url };
  }

  function due(): Message[] {
    const now = clock.now();
    const busyQueues = new Set<string>();
    const messages = [...waiting.values()].filter((message) => {
      if (message.queueName === undefined) return message.state !== 'ACTIVE' && message.notBefore <= now;
      const isFirst = !busyQueues.has(message.queueName);
      busyQueues.add(message.queueName);
      return isFirst && message.state !== 'ACTIVE' && message.notBefore <= now;
    });
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
    if (message.callback !== undefined) report(callbackMessage(message.callback, message, outcome, clock.now()));
    if (isDelivered(outcome)) {
      waiting.delete(message.messageId);
    } else if (isNonRetryable(outcome) || message.retried >= message.maxRetries) {
      giveUp(message, outcome);
    } else {
      message.notBefore = clock.now() + retryDelay(message, outcome, clock.now());
      message.retried += 1;
      message.state = 'RETRY';
    }
  }

  function giveUp(message: Message, outcome: Outcome) {
    const dlqId = `dlq_${randomUUID().replaceAll('-', '')}`;
    waiting.delete(message.messageId);
    dead.set(dlqId, { dlqId, message, answer: { ...outcome, headers: [...outcome.headers] } });
    if (message.failureCallback === undefined) return;
    report(callbackMessage(message.failureCallback, message, outcome, clock.now(), dlqId));
  }

  function report(callback: Message) {
    waiting.set(callback.messageId, callback);
  }

  return {
    knobs,
    dead,
    publish,
    launch,
    waiting: () => [...waiting.values()],
    find: (messageId: string) => waiting.get(messageId),
    cancel: (messageId: string) => waiting.delete(messageId),
    /** Publishes a failed message again, under a new id and with all its former attempts. */
    revive({ dlqId, message }: DeadLetter): Accepted {
      dead.delete(dlqId);
      const messageId = `msg_${randomUUID().replaceAll('-', '')}`;
      waiting.set(messageId, { ...message, messageId, retried: 0, state: 'CREATED', notBefore: clock.now() });
      return { messageId, url: message.url };
    },
    isIdle: () => active.size === 0,
    settled: () => Promise.all(active.values()),
    nextSettled: () => Promise.race(active.values()),
    forget: () => waiting.clear(),
    keep: (): KeptQueue => ({ waiting, dead, seen }),
    abort: () => aborting.abort(new Error('the queue was closed')),
  };
}

function deduplicationId(message: Message, headers: Headers): string | undefined {
  if (message.deduplicationId !== undefined) return message.deduplicationId;
  if (headers.get('upstash-content-based-deduplication') !== 'true') return undefined;
  return createHash('sha256').update(message.url).update('\n').update(message.body).digest('hex');
}

const DAY_MS = 86_400_000;
const HINTS = ['retry-after', 'x-ratelimit-reset', 'x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens'];

/**
 * Returns the milliseconds until the next attempt: as the receiver asked, else by the message's expression, else the
 * default.
 */
function retryDelay(message: Message, outcome: Outcome, now: number): number {
  for (const name of HINTS) {
    const hint = readHint(outcome.headers.get(name), now);
    if (hint !== undefined) return Math.min(DAY_MS, Math.max(0, hint));
  }
  if (message.retryDelay !== undefined) {
    return Math.min(DAY_MS, Math.max(0, evaluate(message.retryDelay, message.retried) || 0));
  }
  return Math.min(DAY_MS, Math.exp(2.5 * (message.retried + 1)) * 1000);
}

function readHint(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const duration = parseDuration(value);
  if (duration !== undefined) return duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date - now;
}

/** Returns the message that reports an attempt's result to a callback. */
function callbackMessage(
  target: CallbackTarget,
  message: Message,
  outcome: Outcome,
  now: number,
  dlqId?: string,
): Message {
  const body = {
    status: outcome.status,
    header: headerLists(outcome.headers),
    body: Buffer.from(outcome.body).toString('base64'),
    retried: message.retried,
    maxRetries: message.maxRetries,
    ...(dlqId === undefined ? {} : { dlqId }),
    sourceMessageId: message.messageId,
    url: message.url,
    method: message.method,
    sourceHeader: headerLists(message.headers),
    sourceBody: Buffer.from(message.body).toString('base64'),
    notBefore: message.notBefore,
    createdAt: message.createdAt,
    scheduleId: '',
    callerIP: message.callerIp,
  };
  return parseMessage(target.url, new Headers(target.headers), new TextEncoder().encode(JSON.stringify(body)), now);
}

/** Returns headers as the API shows them: a list of values under each name. */
export function headerLists(headers: Iterable<[string, string]>): Record<string, string[]> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, [value]]));
}
