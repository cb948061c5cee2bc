import { setTimeout as sleep } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
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
import { isCancelledFor, responseOf } from './attendance.ts';
import type { LiveChannel, PushMessage } from './channels.ts';
import { GoogleError } from './errors.ts';
import { viewEvent } from './event-view.ts';
import { answerEvent, insertEvent } from './event-write.ts';
import { busyTimes } from './free-busy.ts';
import type { Grants } from './grants.ts';
import { changePersonally, enterEvent, type NewEvent, type PersonalChange } from './person.ts';
import { type EventResource, eventsOf, type GoogleSettings, type Mail, type Store, type StoredEvent } from './store.ts';
import type { GoogleEnv } from './token.ts';

interface BusyTime {
  email: string;
  start: string;
  end: string;
}

/** Controls of the Google stand-in: its people, the changes that they make themselves, and its faults. */
export interface GoogleControl {
  settings: GoogleSettings;
  /** Adds an account. For a known one, sets the zone of its settings and its main calendar, and what else is given. */
  addUser(user: Parameters<typeof addPerson>[1]): void;
  hasUser(email: string): boolean;
  users(): { email: string; timezone: string; name: string; sub: string }[];
  /** Adds a further calendar of a person, in their zone unless another is given. Returns its id. */
  addCalendar(calendar: NewCalendar): string;
  removeCalendar(id: string): void;
  /** Sets a calendar's time zone. No event changes, so no channel gets a push. */
  setZone(input: { calendar: string; timezone: string }): void;
  /** Adds an event to a person's calendar for each busy time. Returns the events' ids. */
  addBusy(busy: BusyTime | BusyTime[]): string[];
  /**
   * Adds an event as a person would: a series, a whole day, an invitation or focus time. Returns the event's id.
   */
  addEvent(event: NewEvent): string;
  /**
   * Returns every stored event of a calendar, including cancelled ones. A person's primary calendar is named by their
   * address.
   */
  events(calendar: string): EventResource[];
  /** Changes a person's own calendar as they would: moves, answers or deletes an event. Watch channels get a push. */
  patchEvent(change: PersonalChange): EventResource;
  /** Returns the free/busy of a calendar, ignoring every grant and fault. */
  busy(input: { calendar: string; start: string; end: string }): { start: string; end: string }[];
  /** Gives the address to another person, with a new account and an empty calendar. */
  passOn(email: string, about?: { isUnhosted?: boolean }): void;
  /** Changes a person's address. */
  rename(email: string, to: string): void;
  /** Consents to all that the app asks for, without its pages. Returns what the app then gets for the code. */
  grant(email: string, scopes: string[]): { sub: string; refreshToken: string; accessToken: string };
  /** Removes the app from the person's Google account, which revokes the grant and its tokens. */
  revoke(email: string): void;
  expireAccessTokens(email: string): void;
  /** Makes the calendar's sync tokens expire, and the pages that continue from one: from now on they get 410. */
  expireSyncTokens(calendar: string): void;
  /** Makes a calendar refuse every createRequest, because it has no Meet. */
  noMeet(calendar: string): void;
  /** Shares a calendar with `reader`, by default only its free/busy. A second call changes the role. */
  share(input: Share): void;
  unshare(input: { calendar: string; reader: string }): void;
  /** Changes a calendar in a person's own list, as they would: renames or hides it. */
  relist(input: Relisted): void;
  channels(): LiveChannel[];
  /** Takes the pushes held since `settings.pushes` was set to hold them, oldest first. The caller must deliver them. */
  takePushes(): PushMessage[];
  /** Freezes the free/busy of this calendar at its current state, whatever changes. */
  freeze(calendar: string): void;
  /** Does what people do by habit and what is due now. Returns the number of changes. */
  act(): number;
  /** Returns the notification mails sent so far. */
  mails(): Mail[];
  /** Resolves when every push under way has been answered. */
  settled(): Promise<void>;
}

interface Channels {
  live(): LiveChannel[];
  takePushes(): PushMessage[];
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
    passOn(email, { isUnhosted = false } = {}) {
      const { timezone, sub } = endAccount(store, grants, email);
      addPerson(store, { email, timezone });
      Object.assign(findPerson(store, email), { sub: `2${sub.slice(1)}`, isUnhosted });
    },
    rename(email, to) {
      const { timezone, sub } = endAccount(store, grants, email);
      addPerson(store, { email: to, timezone });
      findPerson(store, to).sub = sub;
    },
    grant(email, scopes) {
      const { email: address, sub } = findPerson(store, email);
      const { grant } = grants.consent(address, scopes);
      return { sub, refreshToken: grants.issueRefreshToken(grant), accessToken: grants.issueAccessToken(grant).token };
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
    freeze(calendar) {
      const { id } = findCalendar(store, calendar);
      store.frozen.set(id, structuredClone(eventsOf(store, id)));
    },
    act: () => actByHabit(store),
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

const AFTER_MS = 60_000;
const LATER_MS = 3_600_000;
const SLOW_MS = 2_000;

/** Makes calendars slow, or unavailable, whose people have that habit. */
export const habitualTrouble =
  (store: Store): MiddlewareHandler<GoogleEnv> =>
  async (c, next) => {
    const habit = store.settings.habits.get(c.var.session.person.email);
    if (habit === 'down') throw new GoogleError(503, 'backendError', 'Service Unavailable');
    if (habit === 'slow') await sleep(SLOW_MS);
    await next();
  };

/** Does what people do by habit and what is due now. Returns the number of changes. */
function actByHabit(store: Store): number {
  let changes = 0;
  for (const [email, habit] of store.settings.habits) {
    for (const event of [...eventsOf(store, email).values()]) {
      if (isCancelledFor(event, email) || store.clock.now() - event.created < AFTER_MS) continue;
      if (habit === 'declines' && isUnanswered(event, email))
        changes += Number(answerEvent(store, event, email, 'declined'));
      if (habit === 'moves' && isUnmoved(event, email)) {
        changePersonally(store, { email, eventId: event.id, ...laterTimes(event) });
        changes += 1;
      }
    }
  }
  return changes;
}

const isUnanswered = (event: StoredEvent, email: string) =>
  event.organizer !== email && responseOf(event, email) === 'needsAction';

const isUnmoved = ({ organizer, sequence, fields }: StoredEvent, email: string) =>
  organizer === email && sequence === 0 && (fields.attendees ?? []).some((attendee) => attendee.email !== email);

function laterTimes({ fields: { start, end } }: StoredEvent) {
  const later = (time: typeof start) => new Date(Date.parse(time?.dateTime ?? '') + LATER_MS).toISOString();
  return { start: later(start), end: later(end) };
}
