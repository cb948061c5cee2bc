import type { SealedColumn } from '../../schema/upkeep/sealed.ts';

/** A clock in epoch milliseconds. Callers pass it in, so the domain never reads the machine's time. */
export interface Clock {
  now(): number;
}

export interface Ids {
  id(prefix: string): string;
  secret(prefix: string): string;
}

export type KeyPrefix = 'sk_live_' | 'pk_live_' | 'sk_user_' | 'push_';

/** Keys are `sk_live_…`, `pk_live_…` and `sk_user_…`. `push_…` secrets recognize the calendar provider's pushes. */
export interface Keys {
  create(prefix: KeyPrefix): Promise<string>;
  /** Completes a secret from `Ids` to an API key by adding its checksum. The same secret always gives the same key. */
  complete(secret: string): Promise<string>;
  /** Returns true if the checksum shows that we issued this API key. The key may have been revoked since. */
  isGenuine(text: string): Promise<boolean>;
}

/** A sealed text carries the ID of its AES-GCM key, so that texts under older keys can still be decrypted. */
export interface Sealer {
  /** The ID of the key that encrypts new texts. All known keys can decrypt. */
  readonly keyId: string;
  seal(text: string, place: SealedPlace): Promise<string>;
  /** Decrypts a text. Throws if the text was encrypted for another place, or under a key that was removed. */
  open(sealed: string, place: SealedPlace): Promise<string>;
}

/** Table, column and row owner of an encrypted text. A text that is moved to another place cannot be decrypted. */
export interface SealedPlace {
  column: SealedColumn;
  row: string;
}

export interface QueueMessage {
  path: string;
  body: Record<string, unknown>;
  delaySeconds?: number;
  /** The queue delivers at most `parallelism` messages with the same `key` at a time. */
  lane?: { key: string; parallelism: number };
}

/** Posts JSON to our own paths, each message at least once, after its delay. One call publishes several messages. */
export interface Queue {
  publish(...messages: QueueMessage[]): Promise<void>;
}

export type PlatformDay = { searches: number; live: number; empty: number; refused: { code: string; count: number }[] };

/** The methods `note…` never throw, because they run beside other work. A figure may be lost. */
export interface Vitals {
  noteTick(at: number): Promise<void>;
  noteSearch(at: number, search: { platformId: string; source: 'snapshot' | 'live'; isEmpty: boolean }): Promise<void>;
  /** Waits in this isolate until the next search is noted or a day is read, so it costs no call of its own. */
  noteRefusal(at: number, refusal: { platformId: string; code: string }): void;
  /** The count waits in this isolate. If a few wait, returns a promise that they are written, which never rejects. */
  noteCall(at: number): Promise<void> | undefined;
  /** Returns a platform's figures of the last 24 hours. Returns undefined if the store does not answer. */
  readDay(now: number, platformId: string): Promise<PlatformDay | undefined>;
  /** Counts searches of this hour and the last, and calendar calls of 24 hours. Rejects if the store is silent. */
  read(
    now: number,
  ): Promise<{
    lastTickAt: number | undefined;
    searches: { since: number; snapshot: number; live: number };
    calendarCalls: number;
  }>;
}

/** Keeps answers for 24 h. It never throws: if the store is down, Postgres has them. */
export interface AnswerStore {
  find(key: string): Promise<KeptAnswer | undefined>;
  keep(key: string, answer: KeptAnswer, ttlSeconds: number): Promise<void>;
}

export type KeptAnswer = { fingerprint: string; status: number; body: string };

/** `put` stores a value for some seconds, `take` returns it and deletes it, and `bind` reserves a key. */
export interface NonceStore {
  put(key: string, value: string, ttlSeconds: number): Promise<void>;
  find(key: string): Promise<string | null>;
  take(key: string): Promise<string | null>;
  /** Returns true each time the first holder asks in these seconds, and false for any other holder. */
  bind(key: string, holder: string, ttlSeconds: number): Promise<boolean>;
}

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The time at which the caller's whole rate limit is available again, in epoch milliseconds. */
  resetAt: number;
}

/** Counts in fixed windows of a minute. It returns undefined if its store does not answer. */
export interface RateLimiter {
  take(id: string, perMinute: number): Promise<RateVerdict | undefined>;
}

/** A failure to resolve a host name: the resolver is down or slow, or a name server behind it failed. */
export class DnsError extends Error {
  override readonly name = 'DnsError';
}

export interface Dns {
  /** Follows CNAMEs, whose names are the aliases. A name that does not exist has no addresses. */
  lookup(host: string, options?: { fresh?: boolean }): Promise<{ addresses: string[]; aliases: string[] }>;
}

/** Reader of the documents in which agents describe themselves. It never throws. */
export interface AgentDocuments {
  read(url: string): Promise<{ text: string } | { failure: 'unreachable' | 'status' | 'not_json' | 'too_large' }>;
}

export type SendFailure = 'timeout' | 'refused' | 'tls' | 'unknown_host' | 'unreachable' | 'lost';

/** Never throws. Without an answer `code` is 0 and `failure` says why. `answer` is the beginning of the body. */
export interface WebhookSender {
  post(input: {
    url: string;
    headers: Record<string, string>;
    body: string;
    timeoutMs: number;
  }): Promise<{ code: number; durationMs: number; failure?: SendFailure; answer?: string }>;
}

export type Trace = <T>(name: string, run: () => T) => T;

/** Writes IDs, codes and counts, no user text. Pass the whole error: only the parts that are safe are logged. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;
