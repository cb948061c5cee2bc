import type { calendar_v3 } from '@googleapis/calendar';
import type { WorldClock } from '../targets.ts';

export type EventResource = calendar_v3.Schema$Event;
export type EventTime = calendar_v3.Schema$EventDateTime;

export interface Person {
  email: string;
  name: string;
  timezone: string;
  sub: string;
  /** True for an account under an address of a domain that is no Workspace domain. */
  isUnhosted?: boolean;
  /** Permissions that the person unticks on each consent page, such as `calendar.settings.readonly`. */
  unticked?: string[] | undefined;
  /** The person's list of calendars, by id. */
  listed: Map<string, ListEntry>;
}

export interface ListEntry {
  /** Name that the person gave the calendar. */
  name?: string | undefined;
  isHidden?: boolean | undefined;
}

/** Roles on a calendar, from least to most. */
export const ROLES = ['freeBusyReader', 'reader', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Calendar. A person's primary calendar has their address as its id. */
export interface Calendar {
  id: string;
  owner: string;
  summary: string;
  timezone: string;
  canMeet: boolean;
  roles: Map<string, Role>;
  syncEpoch: number;
}

/** Event, shared by the calendar of its organizer and the calendars of everyone ever invited. */
export interface StoredEvent {
  id: string;
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
  /** For an instance of a series: its series and its original time. */
  instance?: { seriesId: string; original: EventTime };
}

export interface Mail {
  to: string;
  from: string;
  kind: 'invitation' | 'update' | 'cancellation' | 'response';
  eventId: string;
  at: number;
}

/** Settings that a test may change while the world runs. */
export interface GoogleSettings {
  /** Number of reads, and milliseconds, for which a new Meet link stays `pending`. */
  meetPending: { gets: number; ms: number };
  /** Reason for which a calendar's free/busy fails inside an answer of 200, keyed by calendar id. */
  calendarErrors: Map<string, string>;
  /** Ids of calendars that a free/busy answer silently leaves out. */
  calendarsLeftOut: Set<string>;
  /** Largest number of events on a page, whatever the caller asked for. */
  mostOnAPage: number;
  /** Fate of pushes: sent at once, kept until taken, or lost. */
  pushes: 'sent' | 'held' | 'lost';
  /** Only scopes that a user leaves ticked, keyed by the user's address. */
  grantedScopes: Map<string, string[]>;
  /** What people, or their calendars, do by themselves, keyed by address. */
  habits: Map<string, Habit>;
  /** Seconds for which a person's access tokens live, keyed by address; an hour if absent. */
  tokenSeconds: Map<string, number>;
}

/**
 * - `declines`: declines every invitation a minute after it came.
 * - `moves`: moves each event that they organize an hour later, a minute after it was made.
 * - `slow`: their calendar answers after two seconds.
 * - `down`: their calendar answers 503.
 */
type Habit = 'declines' | 'moves' | 'slow' | 'down';

/** Accounts, calendars and events as plain data. */
export interface KeptStore {
  settings: GoogleSettings;
  people: Map<string, Person>;
  calendars: Map<string, Calendar>;
  /** Events by id, keyed by calendar id. */
  events: Map<string, Map<string, StoredEvent>>;
  /** Events that free/busy still shows for a frozen calendar, keyed by calendar id. */
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

/** Settings of a Google without faults: pushes are sent, Meet links come at once, and nobody unticks a scope. */
export const usualSettings = (): GoogleSettings => ({
  meetPending: { gets: 0, ms: 0 },
  calendarErrors: new Map(),
  calendarsLeftOut: new Set(),
  mostOnAPage: 2500,
  pushes: 'sent',
  grantedScopes: new Map(),
  habits: new Map(),
  tokenSeconds: new Map(),
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

/** Records a change: a new version and etag, the event on all members' calendars, and a push to their channels. */
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
