import type { calendar_v3 } from '@googleapis/calendar';
import type { WorldClock } from '../stand-in.ts';

export type EventResource = calendar_v3.Schema$Event;
export type EventTime = calendar_v3.Schema$EventDateTime;

/** A Google account. */
export interface Person {
  email: string;
  name: string;
  timezone: string;
  sub: string;
  /** Their list of calendars, by id; one that was deleted stays in it for who asks for such. */
  listed: Map<string, ListEntry>;
}

/** What a person made of a calendar in their list. */
export interface ListEntry {
  /** Their own name for it. */
  name?: string | undefined;
  isHidden?: boolean | undefined;
  isDeleted?: boolean | undefined;
}

/** What somebody may do with a calendar, from least to most. */
export const ROLES = ['freeBusyReader', 'reader', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** One calendar; a person's primary one has their address as its id. */
export interface Calendar {
  id: string;
  owner: string;
  summary: string;
  timezone: string;
  canMeet: boolean;
  roles: Map<string, Role>;
  syncEpoch: number;
}

/** One event, shared by the calendar that organizes it and those of everyone ever invited. */
export interface StoredEvent {
  id: string;
  /** Id of the calendar on which it was made. */
  organizer: string;
  creator: string;
  fields: EventResource;
  members: Set<string>;
  removedBy: Set<string>;
  privateProperties: Map<string, Record<string, string>>;
  cancelled: boolean;
  sequence: number;
  created: number;
  updated: number;
  version: number;
  conferenceRequestedAt: number;
  conferenceReads: number;
  /** Of one instance of a series: which, and when the series would have it. */
  instance?: { seriesId: string; original: EventTime };
  /** Of a series: its times and rules before each change, with the version that replaced them. */
  former?: { fields: EventResource; version: number }[];
}

export interface Mail {
  to: string;
  from: string;
  kind: 'invitation' | 'update' | 'cancellation' | 'response';
  eventId: string;
  at: number;
}

/** What a test may turn while the world runs. */
export interface GoogleSettings {
  /** A new Meet link stays `pending` until it was read so many times and so many ms have passed. */
  meetPending: { gets: number; ms: number };
  /** Id of a calendar -> reason its free/busy fails with, inside an answer of 200. */
  calendarErrors: Map<string, string>;
  /** Ids of calendars that a free/busy answer leaves out without a word. */
  calendarsLeftOut: Set<string>;
  /** No page of events is longer, whatever was asked for. */
  mostOnAPage: number;
  /** What becomes of pushes: sent at once, kept until taken, or lost. */
  pushes: 'sent' | 'held' | 'lost';
  /** Address of a user -> the only scopes they leave ticked. */
  grantedScopes: Map<string, string[]>;
}

/** Accounts, calendars and events, as plain data. */
export interface KeptStore {
  settings: GoogleSettings;
  people: Map<string, Person>;
  calendars: Map<string, Calendar>;
  /** Calendar id -> event id -> event. */
  events: Map<string, Map<string, StoredEvent>>;
  /** Calendar id -> its events as free/busy still has them. */
  frozen: Map<string, Map<string, StoredEvent>>;
  mails: Mail[];
  version: number;
}

export interface Store extends KeptStore {
  clock: WorldClock;
  watchers: Set<(calendarId: string) => void>;
}

export function createStore(clock: WorldClock, kept = emptyStore()): Store {
  return { ...kept, clock, watchers: new Set() };
}

export function keepStore({ settings, people, calendars, events, frozen, mails, version }: Store): KeptStore {
  return { settings, people, calendars, events, frozen, mails, version };
}

/** A Google that does what it says: pushes are sent, meeting links come at once, nobody unticks a scope. */
export const usualSettings = (): GoogleSettings => ({
  meetPending: { gets: 0, ms: 0 },
  calendarErrors: new Map(),
  calendarsLeftOut: new Set(),
  mostOnAPage: 2500,
  pushes: 'sent',
  grantedScopes: new Map(),
});

function emptyStore(): KeptStore {
  return {
    settings: usualSettings(),
    people: new Map(),
    calendars: new Map(),
    events: new Map(),
    frozen: new Map(),
    mails: [],
    version: 0,
  };
}

export function eventsOf(store: Store, calendarId: string): Map<string, StoredEvent> {
  const known = store.events.get(calendarId);
  if (known) return known;
  const events = new Map<string, StoredEvent>();
  store.events.set(calendarId, events);
  return events;
}

export function zoneOf(store: Store, calendarId: string): string {
  return store.calendars.get(calendarId)?.timezone ?? 'UTC';
}

/** Records a change: new version and etag, the event on all its members' calendars, their watchers told. */
export function touch(store: Store, event: StoredEvent): void {
  store.version += 1;
  event.version = store.version;
  event.updated = store.clock.now();
  for (const calendarId of event.members) {
    const events = eventsOf(store, calendarId);
    if (!events.has(event.id)) events.set(event.id, event);
    for (const tell of store.watchers) tell(calendarId);
  }
}
