import {
  addCalendar,
  addPerson,
  findCalendar,
  findPerson,
  type NewCalendar,
  type Relisted,
  relist,
  removeCalendar,
  removePerson,
  type Share,
  share,
  unshare,
} from './accounts.ts';
import type { LiveChannel, PushMessage } from './channels.ts';
import { viewEvent } from './event-view.ts';
import { insertEvent } from './event-write.ts';
import { busyTimes } from './free-busy.ts';
import type { Grants } from './grants.ts';
import { changePersonally, enterEvent, type NewEvent, type PersonalChange } from './person.ts';
import { type EventResource, eventsOf, type GoogleSettings, type Mail, type Store } from './store.ts';

export interface BusyTime {
  email: string;
  start: string;
  end: string;
}

/** The world's hand on the Google stand-in: its people, what they do themselves, and what goes wrong. */
export interface GoogleControl {
  settings: GoogleSettings;
  addUser(user: { email: string; timezone: string; name?: string }): void;
  hasUser(email: string): boolean;
  users(): { email: string; timezone: string; name: string; sub: string }[];
  /** A further calendar of a person, in their zone unless told; answers its id. */
  addCalendar(calendar: NewCalendar): string;
  removeCalendar(id: string): void;
  /** Gives a calendar another zone; no event changes, so no channel is told. */
  setZone(input: { calendar: string; timezone: string }): void;
  /** Puts an opaque event into a person's calendar for each busy time; answers the events' ids. */
  addBusy(busy: BusyTime | BusyTime[]): string[];
  /** What a person enters in a calendar of theirs: series, whole days, invitations, kinds. Answers the event's id. */
  addEvent(event: NewEvent): string;
  /** Every stored event on a calendar (a person's primary one by their address), cancelled ones too. */
  events(calendar: string): EventResource[];
  /** What a person does in their own calendar: moves an event, answers, deletes. Watch channels are told. */
  patchEvent(change: PersonalChange): EventResource;
  /** What free/busy says of a calendar, asked past every grant and fault. */
  busy(input: { calendar: string; start: string; end: string }): { start: string; end: string }[];
  /** The address goes to another person, whose account is new and whose calendar is empty. */
  passOn(email: string): void;
  /** The same person goes by another address from now on. */
  rename(email: string, to: string): void;
  /** The user removes the app in their Google account: grant and tokens die. */
  revoke(email: string): void;
  expireAccessTokens(email: string): void;
  /** Sync tokens of this calendar, and pages that go on from one, are answered with 410 from now on. */
  expireSyncTokens(calendar: string): void;
  /** This calendar has no Meet: a createRequest is refused. */
  noMeet(calendar: string): void;
  /** Lets `reader` see a calendar, by default only its free/busy; a second time changes what they may. */
  share(input: Share): void;
  unshare(input: { calendar: string; reader: string }): void;
  /** What a person does with a calendar in their own list: gives it a name, hides it, takes it out. */
  relist(input: Relisted): void;
  /** The watch channels that would be told of a change now. */
  channels(): LiveChannel[];
  /** The pushes held since `settings.pushes` says so, oldest first; they are the caller's from now on. */
  takePushes(): PushMessage[];
  deliverPush(push: PushMessage): void;
  /** Free/busy goes on saying what this calendar held now, whatever changes, until `thaw`. */
  freeze(calendar: string): void;
  thaw(calendar: string): void;
  /** The notification mails sent so far. */
  mails(): Mail[];
  /** Resolves when every push under way has been answered. */
  settled(): Promise<void>;
}

interface Channels {
  live(): LiveChannel[];
  takePushes(): PushMessage[];
  deliver(push: PushMessage): void;
  settled(): Promise<void>;
}

export function createControl(store: Store, grants: Grants, channels: Channels): GoogleControl {
  return {
    settings: store.settings,
    addUser: (user) => addPerson(store, user),
    hasUser: (email) => store.people.has(email.toLowerCase()),
    users: () => [...store.people.values()].map(({ email, timezone, name, sub }) => ({ email, timezone, name, sub })),
    addCalendar: (calendar) => addCalendar(store, calendar),
    removeCalendar: (id) => removeCalendar(store, id),
    setZone({ calendar, timezone }) {
      findCalendar(store, calendar).timezone = timezone;
    },
    addBusy(busy) {
      return [busy].flat().map(({ email, start, end }) => {
        const owner = findPerson(store, email).email;
        const times = { start: { dateTime: start }, end: { dateTime: end } };
        return insertEvent(store, owner, { summary: 'Busy', ...times }).id;
      });
    },
    addEvent: (event) => enterEvent(store, event),
    events(calendar) {
      const id = calendar.toLowerCase();
      return [...eventsOf(store, id).values()].map((event) => viewEvent(store, event, id));
    },
    patchEvent: (change) => changePersonally(store, change),
    busy({ calendar, start, end }) {
      const { id } = findCalendar(store, calendar);
      const iso = (instant: number) => new Date(instant).toISOString();
      const spans = busyTimes(store, id, { start: Date.parse(start), end: Date.parse(end) });
      return spans.map((span) => ({ start: iso(span.start), end: iso(span.end) }));
    },
    passOn(email) {
      const { timezone, sub } = endAccount(store, grants, email);
      addPerson(store, { email, timezone });
      findPerson(store, email).sub = `2${sub.slice(1)}`;
    },
    rename(email, to) {
      const { timezone, sub } = endAccount(store, grants, email);
      addPerson(store, { email: to, timezone });
      findPerson(store, to).sub = sub;
    },
    revoke: (email) => grants.revokeUser(email.toLowerCase()),
    expireAccessTokens: (email) => grants.expireAccessTokens(email.toLowerCase()),
    expireSyncTokens(calendar) {
      findCalendar(store, calendar).syncEpoch += 1;
    },
    noMeet(calendar) {
      findCalendar(store, calendar).canMeet = false;
    },
    share: (input) => share(store, input),
    unshare: (input) => unshare(store, input),
    relist: (input) => relist(store, input),
    channels: channels.live,
    takePushes: channels.takePushes,
    deliverPush: channels.deliver,
    freeze(calendar) {
      const { id } = findCalendar(store, calendar);
      store.frozen.set(id, structuredClone(eventsOf(store, id)));
    },
    thaw(calendar) {
      store.frozen.delete(findCalendar(store, calendar).id);
    },
    mails: () => store.mails.map((mail) => ({ ...mail })),
    settled: channels.settled,
  };
}

function endAccount(store: Store, grants: Grants, email: string) {
  const person = findPerson(store, email);
  grants.revokeUser(person.email);
  removePerson(store, email);
  return person;
}
