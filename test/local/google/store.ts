import { createHash } from 'node:crypto';
import type { calendar_v3 } from '@googleapis/calendar';
import type { WorldClock } from '../stand-in.ts';

export type EventResource = calendar_v3.Schema$Event;

/** A Google account with its one calendar. */
export interface Person {
  email: string;
  name: string;
  timezone: string;
  sub: string;
  canMeet: boolean;
  readers: Set<string>;
  syncEpoch: number;
}

/** One event, shared by its organizer's calendar and those of everyone ever invited. */
export interface StoredEvent {
  id: string;
  organizer: string;
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
  /** Address of a calendar -> reason its free/busy fails with, inside an answer of 200. */
  calendarErrors: Map<string, string>;
  /** Address of a user -> the only scopes they leave ticked. */
  grantedScopes: Map<string, string[]>;
}

/** Accounts and calendars, as plain data. */
export interface KeptStore {
  settings: GoogleSettings;
  people: Map<string, Person>;
  calendars: Map<string, Map<string, StoredEvent>>;
  mails: Mail[];
  version: number;
}

export interface Store extends KeptStore {
  clock: WorldClock;
  watchers: Set<(email: string) => void>;
}

export function createStore(clock: WorldClock, kept = emptyStore()): Store {
  return { ...kept, clock, watchers: new Set() };
}

export function keepStore({ settings, people, calendars, mails, version }: Store): KeptStore {
  return { settings, people, calendars, mails, version };
}

function emptyStore(): KeptStore {
  return {
    settings: { meetPending: { gets: 0, ms: 0 }, calendarErrors: new Map(), grantedScopes: new Map() },
    people: new Map(),
    calendars: new Map(),
    mails: [],
    version: 0,
  };
}

export function addPerson(store: Store, { email, timezone, name }: { email: string; timezone: string; name?: string }) {
  const key = email.toLowerCase();
  const known = store.people.get(key);
  if (known) {
    known.timezone = timezone;
    known.name = name ?? known.name;
    return;
  }
  store.people.set(key, {
    email: key,
    name: name ?? nameOf(key),
    timezone,
    sub: `1${BigInt(`0x${createHash('sha256').update(key).digest('hex').slice(0, 16)}`)
      .toString()
      .padStart(20, '0')}`,
    canMeet: true,
    readers: new Set(),
    syncEpoch: 0,
  });
}

export function findPerson(store: Store, email: string): Person {
  const person = store.people.get(email.toLowerCase());
  if (!person) throw new Error(`No Google account ${email}`);
  return person;
}

export function calendarOf(store: Store, email: string): Map<string, StoredEvent> {
  const known = store.calendars.get(email);
  if (known) return known;
  const calendar = new Map<string, StoredEvent>();
  store.calendars.set(email, calendar);
  return calendar;
}

/** Records a change: new version and etag, the event on all its members' calendars, their watchers told. */
export function touch(store: Store, event: StoredEvent): void {
  store.version += 1;
  event.version = store.version;
  event.updated = store.clock.now();
  for (const email of event.members) {
    const calendar = calendarOf(store, email);
    if (!calendar.has(event.id)) calendar.set(event.id, event);
    for (const tell of store.watchers) tell(email);
  }
}

function nameOf(email: string): string {
  const [local = email] = email.split('@');
  return local
    .split(/[._-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');
}
