import { respond } from './attendance.ts';
import { viewEvent } from './event-view.ts';
import { changeEvent, deleteEvent, insertEvent } from './event-write.ts';
import type { Grants } from './grants.ts';
import {
  addPerson,
  calendarOf,
  type EventResource,
  findPerson,
  type GoogleSettings,
  type Mail,
  type Store,
  touch,
} from './store.ts';

export interface BusyTime {
  email: string;
  start: string;
  end: string;
}

export interface PersonalChange {
  email: string;
  eventId: string;
  start?: string | undefined;
  end?: string | undefined;
  responseStatus?: string | undefined;
  attendees?: EventResource['attendees'];
  deleted?: boolean | undefined;
}

/** The world's hand on the Google stand-in: its people, what they do themselves, and what goes wrong. */
export interface GoogleControl {
  settings: GoogleSettings;
  addUser(user: { email: string; timezone: string; name?: string }): void;
  hasUser(email: string): boolean;
  users(): { email: string; timezone: string; name: string; sub: string }[];
  /** Puts an opaque event into a person's calendar for each busy time; answers the events' ids. */
  addBusy(busy: BusyTime | BusyTime[]): string[];
  /** Every event on a person's calendar, cancelled ones too. */
  events(email: string): EventResource[];
  /** What a person does in their own calendar: moves an event, answers, deletes. Watch channels are told. */
  patchEvent(change: PersonalChange): EventResource;
  /** The address goes to another person, whose account is new and whose calendar is empty. */
  passOn(email: string): void;
  /** The same person goes by another address from now on. */
  rename(email: string, to: string): void;
  /** The user removes the app in their Google account: grant and tokens die. */
  revoke(email: string): void;
  expireAccessTokens(email: string): void;
  expireSyncTokens(email: string): void;
  /** This calendar has no Meet: a createRequest is refused. */
  noMeet(email: string): void;
  /** Lets `reader` see `owner`'s free/busy. */
  share(input: { owner: string; reader: string }): void;
  /** The notification mails sent so far. */
  mails(): Mail[];
  /** Resolves when every push under way has been answered. */
  settled(): Promise<void>;
}

export function createControl(store: Store, grants: Grants, settled: () => Promise<void>): GoogleControl {
  return {
    settings: store.settings,
    addUser: (user) => addPerson(store, user),
    hasUser: (email) => store.people.has(email.toLowerCase()),
    users: () => [...store.people.values()].map(({ email, timezone, name, sub }) => ({ email, timezone, name, sub })),
    addBusy(busy) {
      return [busy].flat().map(({ email, start, end }) => {
        const owner = findPerson(store, email).email;
        const times = { start: { dateTime: start }, end: { dateTime: end } };
        return insertEvent(store, owner, { summary: 'Busy', ...times }).id;
      });
    },
    events(email) {
      const owner = email.toLowerCase();
      return [...calendarOf(store, owner).values()].map((event) => viewEvent(store, event, owner));
    },
    patchEvent: (change) => patchEvent(store, change),
    passOn(email) {
      const { timezone, sub } = findPerson(store, email);
      forget(store, grants, email);
      addPerson(store, { email, timezone });
      findPerson(store, email).sub = `2${sub.slice(1)}`;
    },
    rename(email, to) {
      const { timezone, sub } = findPerson(store, email);
      forget(store, grants, email);
      addPerson(store, { email: to, timezone });
      findPerson(store, to).sub = sub;
    },
    revoke: (email) => grants.revokeUser(email.toLowerCase()),
    expireAccessTokens: (email) => grants.expireAccessTokens(email.toLowerCase()),
    expireSyncTokens(email) {
      findPerson(store, email).syncEpoch += 1;
    },
    noMeet(email) {
      findPerson(store, email).canMeet = false;
    },
    share({ owner, reader }) {
      findPerson(store, owner).readers.add(reader.toLowerCase());
    },
    mails: () => store.mails.map((mail) => ({ ...mail })),
    settled,
  };
}

function forget(store: Store, grants: Grants, email: string): void {
  const key = findPerson(store, email).email;
  grants.revokeUser(key);
  store.people.delete(key);
  store.calendars.delete(key);
}

function patchEvent(store: Store, change: PersonalChange): EventResource {
  const { email } = findPerson(store, change.email);
  const event = calendarOf(store, email).get(change.eventId);
  if (!event) throw new Error(`No event ${change.eventId} on ${email}'s calendar`);
  const { start, end, attendees, responseStatus } = change;
  if (start || end || attendees) {
    const times = {
      ...(start ? { start: { dateTime: start, date: null } } : {}),
      ...(end ? { end: { dateTime: end, date: null } } : {}),
      ...(attendees ? { attendees } : {}),
    };
    changeEvent(store, event, email, times, { isMerge: true, conferenceVersion: 0, sendUpdates: 'all' });
  }
  if (responseStatus) {
    if (!respond(event, email, responseStatus)) throw new Error(`${email} is not an attendee of ${event.id}`);
    touch(store, event);
  }
  if (change.deleted) deleteEvent(store, event, email, 'all');
  return viewEvent(store, event, email);
}
