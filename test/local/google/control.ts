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
import type { createChannels } from './channels.ts';
import { GoogleError } from './errors.ts';
import { viewEvent } from './event-view.ts';
import { answerEvent, insertEvent } from './event-write.ts';
import { busyTimes } from './free-busy.ts';
import type { Grants } from './grants.ts';
import { changePersonally, enterEvent, type NewEvent, type PersonalChange } from './person.ts';
import { type EventResource, eventsOf, type Mail, type Store, type StoredEvent } from './store.ts';
import type { GoogleEnv } from './token.ts';

interface BusyTime {
  email: string;
  start: string;
  end: string;
}

type Channels = Pick<ReturnType<typeof createChannels>, 'live' | 'takePushes' | 'settled'>;

export type GoogleControl = ReturnType<typeof createControl>;

/** Creates the controls of the stand-in: its people, the changes that they make themselves, and its faults. */
export function createControl(store: Store, grants: Grants, channels: Channels) {
  return {
    settings: store.settings,
    /** Adds an account. For a known one, sets the zone of its settings and its main calendar, and what else is given. */
    addUser: (user: Parameters<typeof addPerson>[1]) => addPerson(store, user),
    hasUser: (email: string) => store.people.has(email.toLowerCase()),
    users: () => [...store.people.values()].map(({ email, timezone, name, sub }) => ({ email, timezone, name, sub })),
    /** Adds a further calendar of a person, in their zone unless another is given. Returns its id. */
    addCalendar: (calendar: NewCalendar) => addCalendar(store, calendar),
    removeCalendar: (id: string) => removeCalendar(store, id),
    /** Sets a calendar's time zone. No event changes, so no channel gets a push. */
    setZone({ calendar, timezone }: { calendar: string; timezone: string }) {
      findCalendar(store, calendar).timezone = timezone;
    },
    /** Adds an event to a person's calendar for each busy time. Returns the events' ids. */
    addBusy(busy: BusyTime | BusyTime[]): string[] {
      return [busy].flat().map(({ email, start, end }) => {
        const owner = findPerson(store, email).email;
        const times = { start: { dateTime: start }, end: { dateTime: end } };
        return insertEvent(store, owner, { summary: 'Busy', ...times }).id;
      });
    },
    /** Adds an event as a person would: a series, a whole day, an invitation or focus time. Returns the event's id. */
    addEvent: (event: NewEvent): string => enterEvent(store, event),
    /** Returns every stored event of a calendar, the cancelled ones too. A person's address names their main calendar. */
    events(calendar: string): EventResource[] {
      const id = calendar.toLowerCase();
      return [...eventsOf(store, id).values()].map((event) => viewEvent(store, event, id));
    },
    /** Changes a person's own calendar as they would: moves, answers or deletes an event. Watch channels get a push. */
    patchEvent: (change: PersonalChange): EventResource => changePersonally(store, change),
    /** Returns the free/busy of a calendar, ignoring every grant and fault. */
    busy({ calendar, start, end }: { calendar: string; start: string; end: string }) {
      const { id } = findCalendar(store, calendar);
      const iso = (instant: number) => new Date(instant).toISOString();
      const spans = busyTimes(store, id, { start: Date.parse(start), end: Date.parse(end) });
      return spans.map((span) => ({ start: iso(span.start), end: iso(span.end) }));
    },
    /** Gives the address to another person, with a new account and an empty calendar. */
    passOn(email: string, { isUnhosted = false } = {}) {
      const { timezone, sub } = endAccount(store, grants, email);
      addPerson(store, { email, timezone });
      Object.assign(findPerson(store, email), { sub: `2${sub.slice(1)}`, isUnhosted });
    },
    rename(email: string, to: string) {
      const { timezone, sub } = endAccount(store, grants, email);
      addPerson(store, { email: to, timezone });
      findPerson(store, to).sub = sub;
    },
    /** Consents to all that the app asks for, without its pages. Returns what the app then gets for the code. */
    grant(email: string, scopes: string[]) {
      const { email: address, sub } = findPerson(store, email);
      const { grant } = grants.consent(address, scopes);
      return { sub, refreshToken: grants.issueRefreshToken(grant), accessToken: grants.issueAccessToken(grant).token };
    },
    /** Removes the app from the person's Google account, which revokes the grant and its tokens. */
    revoke: (email: string) => grants.revokeUser(email.toLowerCase()),
    expireAccessTokens: (email: string) => grants.expireAccessTokens(email.toLowerCase()),
    /** Makes the calendar's sync tokens expire, and the pages that continue from one: from now on they get 410. */
    expireSyncTokens(calendar: string) {
      findCalendar(store, calendar).syncEpoch += 1;
    },
    /** Makes a calendar refuse every createRequest, because it has no Meet. */
    noMeet(calendar: string) {
      findCalendar(store, calendar).canMeet = false;
    },
    /** Shares a calendar with `reader`, by default only its free/busy. A second call changes the role. */
    share: (input: Share) => share(store, input),
    unshare: (input: Omit<Share, 'role' | 'isListed'>) => unshare(store, input),
    /** Changes a calendar in a person's own list, as they would: renames or hides it. */
    relist: (input: Relisted) => relist(store, input),
    channels: channels.live,
    /** Takes the pushes held since `settings.pushes` was set to hold them, oldest first. The caller must deliver them. */
    takePushes: channels.takePushes,
    /** Freezes the free/busy of this calendar at its current state, whatever changes. */
    freeze(calendar: string) {
      const { id } = findCalendar(store, calendar);
      store.frozen.set(id, structuredClone(eventsOf(store, id)));
    },
    /** Does what people do by habit and what is due now. Returns the number of changes. */
    act: () => actByHabit(store),
    mails: (): Mail[] => store.mails.map((mail) => ({ ...mail })),
    /** Resolves when every push under way has been answered. */
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
