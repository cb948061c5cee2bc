import type { Interval } from '../engine/types.ts';

export interface Tokens {
  accessToken: string;
  /** Expiry of the access token in epoch milliseconds. */
  accessExpiresAt: number;
  refreshToken: string | undefined;
  scope: string;
}

/** A failure of the calendar provider's OAuth. `invalid_grant` is final, and the other kinds are temporary. */
export class GrantError extends Error {
  readonly kind: 'invalid_grant' | 'refused' | 'unavailable';
  constructor(kind: GrantError['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GrantError';
    this.kind = kind;
  }
}

export interface ConsentRequest {
  redirectUri: string;
  state: string;
  loginHint: string;
  codeChallenge: string;
}

export type ConsentGiven = { code: string; codeVerifier: string; redirectUri: string };

/** OAuth interface of the calendar provider. Every method throws `GrantError`. */
export interface CalendarOAuth {
  consentUrl(asked: ConsentRequest): string;
  exchange(
    given: ConsentGiven,
  ): Promise<Tokens & { account: { id: string; email: string; emailVerified: boolean; ownsAddress: boolean } }>;
  /** Returns the address of a consent page that asks only to see when the person is busy, for at most an hour. */
  freeBusyUrl(asked: ConsentRequest): string;
  /** The code is of a consent to one free/busy read. `accountId` is undefined if the provider hides whose it is. */
  exchangeOnce(
    given: ConsentGiven,
  ): Promise<{ accessToken: string; mayReadBusy: boolean; accountId: string | undefined }>;
  refresh(refreshToken: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
}

/** `unauthorized` means that the provider rejected the access token. `unavailable` is temporary. */
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

/** The provider did nothing of what was asked, because a limit is reached. */
export class CalendarLimit extends CalendarError {}

export interface CalendarEvent {
  id: string;
  status: 'confirmed' | 'tentative' | 'cancelled';
  title: string;
  location: string;
  meetLink: string | null;
  linkPending: boolean;
  meetingId: string | undefined;
  etag: string;
  /** Start of the event in epoch milliseconds, undefined for an all-day event. */
  start: number | undefined;
  end: number | undefined;
  /** First date of an all-day event, and the date after its last, as YYYY-MM-DD. Undefined for any other event. */
  dates: { start: string; end: string } | undefined;
  /** True for a series of events. Each of its occurrences has an id that begins with the id of the series. */
  isSeries: boolean;
  /** Calendar on which the event can be changed: the person's main one, or another to which they moved the event. */
  calendar: string;
  attendees: CalendarAttendee[];
  /** The time of the event's last change, undefined if the provider reports only that the event was deleted. */
  updatedAt: number | undefined;
}

/** A list of changes also contains deleted events. The token asks for later changes. */
export type EventList = { events: CalendarEvent[]; token: string };

export interface CalendarAttendee {
  email: string;
  responseStatus?: string;
  [attribute: string]: unknown;
}

/** Applies only if the event still has this etag. The given attendees replace all former ones. */
export interface EventChange extends Interval {
  calendar: string;
  etag: string;
  attendees?: CalendarAttendee[] | undefined;
}

export interface NewEvent extends Interval {
  id: string;
  meetingId: string;
  title: string;
  description: string | null;
  location: string;
  attendees: string[];
}

/** Has nothing about the event's content. Each event of a recurring series is listed on its own. */
export interface ListedEvent {
  id: string;
  /** Start of the event in epoch milliseconds. Undefined for an all-day event. */
  start: number | undefined;
  end: number | undefined;
  /** True if the event makes the person busy. False if the person shows the event as free time or declined it. */
  takesTime: boolean;
}

export type BusyTime = { start: string; end: string };

/** `unknown` has the reason for each calendar whose busy times the provider did not give for the whole span. */
export type FreeBusy = { busy: Map<string, BusyTime[]>; unknown: Map<string, CalendarError> };

export interface ListedCalendar {
  /** The calendar's ID. It is `primary` for the person's main calendar, which holds the meetings. */
  id: string;
  name: string;
  isOwned: boolean;
}

/** Every method throws `CalendarError`. Lists are always complete, because a method throws if it gets only a part. */
export interface CalendarProvider {
  /** Reads in as few calls as cover the spans, so what lies between two far ones is not read. */
  freeBusy(accessToken: string, calendars: readonly string[], spans: readonly Interval[]): Promise<FreeBusy>;
  /** Hidden calendars are listed too. `timeoutMs` limits the whole call, for when somebody waits for it. */
  listCalendars(accessToken: string, options?: { timeoutMs?: number | undefined }): Promise<ListedCalendar[]>;
  /** Returns the events on the person's main calendar that overlap the time from `start` to `end`. */
  listEvents(accessToken: string, start: number, end: number): Promise<ListedEvent[]>;
  settingsTimeZone(accessToken: string): Promise<string | undefined>;
  calendarTimeZone(accessToken: string): Promise<string | undefined>;
  insertEvent(accessToken: string, event: NewEvent): Promise<CalendarEvent>;
  getEvent(accessToken: string, id: string): Promise<CalendarEvent>;
  /** Lists changes since a sync token, or all events that end after an instant. Throws `gone` for an expired token. */
  listChanges(accessToken: string, from: { syncToken: string } | { since: number }): Promise<EventList>;
  /** Changes an event. Throws `changed` if the event was changed after its etag (version tag) was read. */
  patchEvent(accessToken: string, id: string, change: EventChange): Promise<CalendarEvent>;
  /** Deletes an event. With an etag, throws `changed` if the event was changed after that etag was read. */
  deleteEvent(accessToken: string, id: string, event: { calendar: string; etag?: string | undefined }): Promise<void>;
  /** The provider posts to `address`, with the token. The push channel may expire sooner than `lifeMs`. */
  watch(
    accessToken: string,
    channel: { calendar: string; id: string; token: string; address: string; lifeMs: number },
  ): Promise<{ resourceId: string; expiresAt: number }>;
  stopChannel(accessToken: string, channel: { id: string; resourceId: string }): Promise<void>;
}
