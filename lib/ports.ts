import type { ModelWeights } from '../schema/model-answers/weights.ts';
import type { ModelWish } from '../schema/model-answers/wish.ts';

/** Epoch milliseconds, from outside, so that the domain never asks the machine. */
export interface Clock {
  now(): number;
}

/** Opaque ids (`meet_…`) and secrets of 256 random bits. */
export interface Ids {
  id(prefix: string): string;
  secret(prefix: string): string;
}

export type KeyPrefix = 'sk_live_' | 'pk_live_' | 'sk_user_' | 'push_';

/** API keys: `sk_live_…`, `pk_live_…`, `sk_user_…`; and `push_…`, by which a channel's pushes are known. */
export interface Keys {
  create(prefix: KeyPrefix): Promise<string>;
  /** The key that a secret of ours always makes. */
  complete(secret: string): Promise<string>;
  /** Whether a text was ever a key of ours; one that was may have ended since. */
  isGenuine(text: string): Promise<boolean>;
}

/** AES-GCM under a key from the environment; the key's id travels with the text. */
export interface Sealer {
  /** The key that seals; all that are known open. */
  readonly keyId: string;
  seal(text: string, place: SealedPlace): Promise<string>;
  /** Throws on a text that was sealed for another place, or under a key that is no longer there. */
  open(sealed: string, place: SealedPlace): Promise<string>;
}

/** Where a sealed text belongs: table and column, and whose row. Moved anywhere else it cannot be opened. */
export interface SealedPlace {
  column:
    | 'calendar_accounts.refresh_token'
    | 'calendar_accounts.access_token'
    | 'calendar_accounts.calendars'
    | 'webhook_endpoints.secret';
  row: string;
}

export interface QueueMessage {
  path: string;
  body: Record<string, unknown>;
  delaySeconds?: number;
  /** Messages of one lane are handed over at most so many at a time. */
  lane?: { key: string; parallelism: number };
}

/** Hands our own paths JSON bodies, each at least once, after its delay; several go in one call. */
export interface Queue {
  publish(...messages: QueueMessage[]): Promise<void>;
}

/** Answers kept under their idempotency keys for 24 h. Never throws: without the store Postgres answers. */
export interface AnswerStore {
  find(key: string): Promise<KeptAnswer | undefined>;
  keep(key: string, answer: KeptAnswer, ttlSeconds: number): Promise<void>;
}

export interface KeptAnswer {
  fingerprint: string;
  status: number;
  body: string;
}

/** What can be had once. */
export interface NonceStore {
  put(key: string, value: string, ttlSeconds: number): Promise<void>;
  take(key: string): Promise<string | null>;
  /** Whether the holder has it: the first who asks does, and the same one again. */
  claim(key: string, holder: string, ttlSeconds: number): Promise<boolean>;
}

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Epoch milliseconds: when the whole budget is there again. */
  resetAt: number;
}

/** Requests in a fixed window of a minute; undefined when the store cannot be asked. */
export interface RateLimiter {
  take(id: string, perMinute: number): Promise<RateVerdict | undefined>;
}

export interface Tokens {
  accessToken: string;
  /** Epoch milliseconds. */
  accessExpiresAt: number;
  refreshToken: string | undefined;
  scope: string;
}

/** Why the provider's OAuth said no: `invalid_grant` is final, all else may pass. */
export class GrantError extends Error {
  readonly kind: 'invalid_grant' | 'refused' | 'unavailable';
  constructor(kind: GrantError['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GrantError';
    this.kind = kind;
  }
}

/** The provider's OAuth. Every method throws `GrantError`. */
export interface CalendarOAuth {
  consentUrl(input: { redirectUri: string; state: string; loginHint: string; codeChallenge: string }): string;
  exchange(input: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<Tokens & { account: { id: string; email: string; emailVerified: boolean } }>;
  refresh(refreshToken: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
}

/** Why a calendar call failed. `unauthorized`: the access token was not accepted. `unavailable` may pass. */
export class CalendarError extends Error {
  readonly kind:
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'duplicate'
    | 'gone'
    | 'changed'
    | 'invalid'
    | 'no_conference'
    | 'unavailable';
  readonly retryAfterSeconds: number | undefined;
  constructor(kind: CalendarError['kind'], message: string, retryAfterSeconds?: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'CalendarError';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface CalendarEvent {
  id: string;
  status: 'confirmed' | 'tentative' | 'cancelled';
  meetLink: string | null;
  linkPending: boolean;
  meetingId: string | undefined;
  /** Changes with the event. */
  etag: string;
  /** Epoch milliseconds; undefined for whole days. */
  start: number | undefined;
  end: number | undefined;
  attendees: CalendarAttendee[];
  /** When it was last changed; undefined where all that is told is that it was deleted. */
  updatedAt: number | undefined;
}

/** Events of a calendar, deleted ones too where it is a list of changes, and what to ask with for what changes from then on. */
export interface EventList {
  events: CalendarEvent[];
  token: string;
}

/** Somebody invited, with whatever else the calendar keeps about them. */
export interface CalendarAttendee {
  email: string;
  responseStatus?: string;
  [attribute: string]: unknown;
}

/** What an event becomes, if it still has the etag; a list of attendees replaces the old one. */
export interface EventChange {
  etag: string;
  start: number;
  end: number;
  attendees?: CalendarAttendee[] | undefined;
}

export interface NewEvent {
  id: string;
  meetingId: string;
  title: string;
  description: string | null;
  location: string;
  /** Epoch milliseconds. */
  start: number;
  end: number;
  attendees: string[];
}

/** An event in a list, one of a series on its own: when it is, and nothing of what it is. */
export interface ListedEvent {
  id: string;
  /** Epoch milliseconds; undefined for whole days. */
  start: number | undefined;
  end: number | undefined;
  /** Whether the person is busy with it: not when it is shown as free, nor when they declined. */
  takesTime: boolean;
}

/** A time as the provider writes it. */
export interface BusyTime {
  start: string;
  end: string;
}

/** Busy times by calendar; of those in `unknown` the provider told nothing, or not of the whole span, and why. */
export interface FreeBusy {
  busy: Map<string, BusyTime[]>;
  unknown: Map<string, CalendarError>;
}

/** One of a person's calendars. */
export interface ListedCalendar {
  /** `primary` for the one on which meetings are put. */
  id: string;
  /** What the person calls it. */
  name: string;
  isOwned: boolean;
}

/** A person's calendars. Every method throws `CalendarError`; a list of events or calendars is only ever a whole one. */
export interface Calendar {
  /** The busy times of these of the calendars the person sees. */
  freeBusy(accessToken: string, calendars: readonly string[], start: number, end: number): Promise<FreeBusy>;
  /** Every calendar in the person's list, those they hid too; `timeoutMs` for all of it, where somebody waits. */
  listCalendars(accessToken: string, options?: { timeoutMs?: number | undefined }): Promise<ListedCalendar[]>;
  /** The events that overlap the span. */
  listEvents(accessToken: string, start: number, end: number): Promise<ListedEvent[]>;
  timeZone(accessToken: string): Promise<string>;
  insertEvent(accessToken: string, event: NewEvent): Promise<CalendarEvent>;
  getEvent(accessToken: string, id: string): Promise<CalendarEvent>;
  /** What changed since a token, `gone` when that has run out; or all that ends after an instant. */
  listChanges(accessToken: string, from: { syncToken: string } | { since: number }): Promise<EventList>;
  /** `changed` when the event has another etag by now. */
  patchEvent(accessToken: string, id: string, change: EventChange): Promise<CalendarEvent>;
  deleteEvent(accessToken: string, id: string): Promise<void>;
  /** Has the provider push to `address`, with the token, whenever the calendar changes; it may end sooner than asked for. */
  watch(
    accessToken: string,
    channel: { calendar: string; id: string; token: string; address: string; lifeMs: number },
  ): Promise<{ resourceId: string; expiresAt: number }>;
  stopChannel(accessToken: string, channel: { id: string; resourceId: string }): Promise<void>;
}

/** The resolver could not tell: down, slow, or a server behind it failed. */
export class DnsError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DnsError';
  }
}

/** Public DNS. Throws `DnsError`. */
export interface Dns {
  /** All IPv4 and IPv6 addresses of a host, none if there is no such name, and the names its CNAMEs led through. */
  lookup(host: string, options?: { fresh?: boolean }): Promise<{ addresses: string[]; aliases: string[] }>;
}

/** Why an endpoint gave no answer. */
export type SendFailure = 'timeout' | 'refused' | 'tls' | 'unknown_host' | 'unreachable' | 'lost';

/** Posts a webhook attempt to a platform's endpoint; never throws. Without an answer the code is 0, and `failure` says why. */
export interface WebhookSender {
  post(input: {
    url: string;
    headers: Record<string, string>;
    body: string;
    timeoutMs: number;
  }): Promise<{ code: number; durationMs: number; failure?: SendFailure }>;
}

/** Reads a person's own words about when they like to meet, or want to; undefined when it cannot. Never throws. */
export interface TextReader {
  read(text: string): Promise<ModelWeights | undefined>;
  /** What a reason asks of a meeting's new time; today and the meeting as the writer's wall shows them, weekday first. */
  readWish(text: string, when: { today: string; meeting: string }): Promise<ModelWish | undefined>;
}

/** One structured line: ids, codes and counts, nobody's words. An error goes in whole; what may be told of it is written. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;
