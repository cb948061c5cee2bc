import { DAY, HOUR, MINUTE } from '../../lib/engine/time/dates.ts';
import { reconcileOverdue } from '../../lib/meetings/protocol/reconcile.ts';
import { scheduleMeeting } from '../../lib/meetings/verbs/schedule.ts';
import { createNeon } from '../local/neon.ts';
import { MIGRATIONS } from '../local/world.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { type CalendarLab, type OnCall, openCalendarLab } from '../support/worlds/calendar-lab.ts';

/** Accounts whose people behave alike. */
export interface Kind {
  name: string;
  /** Share of all accounts that are of this kind. */
  share: number;
  asksADay: number;
  hasMeeting: boolean;
  /** True if somebody asks once for each of them, although they are idle. */
  isWoken?: boolean;
}

export const KINDS: Kind[] = [
  { name: 'idle', share: 0.83, asksADay: 0, hasMeeting: false },
  { name: 'idle, asked for once', share: 0.04, asksADay: 0, hasMeeting: false, isWoken: true },
  { name: 'active: asked for', share: 0.08, asksADay: 10, hasMeeting: false },
  { name: 'watched: a meeting ahead', share: 0.03, asksADay: 0, hasMeeting: true },
  { name: 'both', share: 0.02, asksADay: 10, hasMeeting: true },
];

/** Times within which Tandem promises to see what people change, unless Google is down. */
export const PROMISED = {
  /** Longest time for which a search may be answered from a snapshot that lacks a change. */
  stale: 5 * MINUTE,
  /** A move of a meeting's event, or an answer to its invitation, even if its push is lost. */
  meeting: 15 * MINUTE,
  /** A revoked consent of somebody with a meeting ahead, of somebody asked for, and of an idle person. */
  revoked: { watched: 15 * MINUTE, active: DAY, idle: 7 * DAY },
};

const promisedRevoked = ({ hasMeeting, asksADay }: Kind): number =>
  PROMISED.revoked[hasMeeting ? 'watched' : asksADay > 0 ? 'active' : 'idle'];

/** What a person of one kind uses a day, as `cost.ts` reads it. */
export interface Measured {
  name: string;
  share: number;
  google: number;
  /** Requests of Postgres without the tick's own, of which there is one a minute whoever is there. */
  postgres: number;
  pushes: number;
  /** Times that the tick reads or follows the calendar. */
  swept: number;
  searches: number;
}

export interface Part {
  kind: Kind;
  count: number;
  days: number;
  seed: number;
}

const CHANGES_A_DAY = 20;
const ANSWERS_A_DAY = 1;
const MOVES_A_DAY = 0.2;
const CALENDARS_A_DAY = 1 / 14;
/** One account in this many has its access taken away. */
const REVOKED_ONE_IN = 10;
const LOST = 0.05;
const OUTAGES = [
  { from: DAY + 10 * HOUR, until: DAY + 11 * HOUR, how: 'no answer' },
  { from: 4 * DAY + 14 * HOUR, until: 4 * DAY + 17 * HOUR, how: '503' },
];
const ANSWERS = ['accepted', 'declined', 'accepted', 'tentative'];

interface Account {
  email: string;
  userId: string;
  calendars: string[];
  events: { calendar: string; eventId: string }[];
  /** Times at which the calendar changed since an answer was last correct, the first change first. */
  changes: number[];
  askedAt?: number;
  /** Minute of the play at which somebody asks for an idle person, and at which they take access away. */
  wakesAt?: number | undefined;
  revokesAt?: number | undefined;
  isGone?: boolean;
  meeting?: Meeting | undefined;
}

/** Tandem meeting to which another account was invited. */
interface Meeting {
  id: string;
  eventId: string;
  guest: string;
  answers: number;
}

/** Change that Tandem does not know of yet. `sql` finds a row once it does. */
interface Unseen {
  account: Account;
  what: 'answer' | 'decline' | 'move' | 'revoked access';
  at: number;
  within: number;
  sql: string;
  values: unknown[];
}

/**
 * Plays some days with a number of accounts of one kind, and asks for each account at the end. Times are in milliseconds.
 */
async function playWeek(lab: CalendarLab, { kind, count, days, seed }: Part) {
  const chance = seeded(seed);
  const random = () => chance.below(1_000_000) / 1_000_000;
  const figures = {
    accounts: count,
    changes: 0,
    pushes: 0,
    lostPushes: 0,
    heard: 0,
    pushCalls: 0,
    google: 0,
    neon: 0,
    calls: {} as Record<string, number>,
    /** Ticks that found a calendar to read, and the calendars that they had read or followed. */
    ticks: 0,
    swept: 0,
    /** Accounts for whom a search at the end is wrong, or is not served from a snapshot soon afterwards. */
    lost: 0,
    /** Changes that Tandem never knew of, and those that it knew of later than promised, though Google was not down. */
    missed: 0,
    late: 0,
    seenAfter: {} as Record<string, number[]>,
    seenAfterOutage: 0,
    calendarsAdded: 0,
    wokenAfter: [] as number[],
    /** For each answered search: its source, the age of what it read, and since when it lacked a change. */
    answers: [] as { source: string; isFirst: boolean; age: number; stale: number }[],
    refused: 0,
  };
  const accounts: Account[] = [];
  let unseen: Unseen[] = [];
  let from = Number.POSITIVE_INFINITY;
  /** Round trips by which this bench itself looks at the snapshots. */
  let noticed = 0;
  const happens = (timesADay: number) => random() < timesADay / (DAY / MINUTE);
  const moment = (until: number) => from + Math.floor(random() * (until / MINUTE)) * MINUTE;

  const { fetch } = lab.google;
  lab.google.fetch = (request) => {
    const call = callKind(request);
    if (call !== undefined) figures.calls[call] = (figures.calls[call] ?? 0) + 1;
    return fetch(request);
  };
  const { publish } = lab.ctx.queue;
  lab.ctx.queue.publish = (...messages) => {
    for (const { body } of messages) figures.swept += (body as { user_ids?: string[] }).user_ids?.length ?? 0;
    return publish(...messages);
  };
  lab.begin();
  for (let n = 0; n < count; n++)
    accounts.push({
      ...(await lab.join(`week${n}@bench.test`, n % 2 ? 'Europe/Berlin' : 'America/New_York', n % 3 ? [] : ['Team'])),
      events: [],
      changes: [],
    });
  if (kind.hasMeeting) for (const [n, account] of accounts.entries()) account.meeting = await book(account, n);
  for (let minutes = 0; minutes < 10; minutes++) await minute();
  // From here on, a calendar is in use only if somebody asks for it.
  for (let hours = 0; hours < 50 && kind.asksADay === 0; hours++) {
    lab.advance(HOUR);
    await minute();
  }

  from = lab.clock.now();
  const before = lab.counts.calendar;
  const asked = lab.counts.neon;
  figures.calls = {};
  figures.swept = 0;
  figures.ticks = 0;
  const revokedBefore = days * DAY - promisedRevoked(kind);
  for (const [n, account] of accounts.entries()) {
    if (kind.isWoken) account.wakesAt = moment(days * DAY);
    if (n % REVOKED_ONE_IN === REVOKED_ONE_IN / 2 && revokedBefore > 0) account.revokesAt = moment(revokedBefore);
  }
  for (let now = from; now < from + days * DAY; now = lab.clock.now()) {
    const outage = OUTAGES.find((one) => from + one.from <= now && now < from + one.until)?.how;
    for (const account of accounts) {
      if (isThen(account, 'revokesAt')) revoke(account);
      if (happens(CHANGES_A_DAY)) change(account);
      if (happens(CALENDARS_A_DAY)) addCalendar(account);
      if (account.meeting && happens(ANSWERS_A_DAY)) answer(account, account.meeting);
      if (account.meeting && happens(MOVES_A_DAY)) move(account, account.meeting);
      if (happens(kind.asksADay) || isThen(account, 'wakesAt')) await search(account, outage);
    }
    await minute(outage);
    const played = (lab.clock.now() - from) / DAY;
    if (Number.isInteger(played)) console.error(`${kind.name}: day ${played} of ${days}`);
  }
  figures.google = lab.counts.calendar - before;
  figures.neon = lab.counts.neon - asked - noticed;
  const { swept, ticks } = figures;
  const calls = { ...figures.calls };

  // Whoever was asked for within the hour is not read again for the next search.
  for (let minutes = 0; minutes <= 60; minutes++) await minute();
  const woken = await askAgain();
  for (let minutes = 0; minutes < 40; minutes++) await minute();
  for (const account of present()) {
    // What a search reads now must be true, and its person must have been served from a snapshot when they were asked for.
    const busy = await lab.live(account.email);
    if (busy instanceof Error || !isTrue(account, busy) || !woken.has(account)) figures.lost += 1;
  }
  figures.missed = unseen.length;
  return { ...figures, calls, swept, ticks };

  /** Plays one minute: most pushes arrive within seconds, and the tick reads the calendars that are due. */
  async function minute(outage?: string): Promise<void> {
    const onCall = outage === undefined ? undefined : down(outage);
    lab.advance(5_000);
    for (const push of lab.google.takePushes()) {
      figures.pushes += 1;
      if (outage !== undefined || random() < LOST) {
        figures.lostPushes += 1;
        continue;
      }
      const calls = lab.counts.neon;
      await lab.deliver(push, onCall);
      figures.heard += 1;
      figures.pushCalls += lab.counts.neon - calls;
    }
    lab.advance(MINUTE - 5_000);
    if (await isAnyDue()) {
      figures.ticks += 1;
      await lab.tick(onCall);
    }
    // What a failed call left unfinished is taken up by the tick.
    if (unseen.some(({ what }) => what === 'move'))
      await lab.run(() => reconcileOverdue(lab.ctx, lab.clock.now() + 45_000), onCall);
    await see();
  }

  /** Returns true if a tick would find a calendar to read. The others would do nothing. */
  async function isAnyDue(): Promise<boolean> {
    const now = new Date(lab.clock.now()).toISOString();
    return (await lab.neon.query('select 1 from busy_snapshots where due_at <= $1 limit 1', [now])).length > 0;
  }

  /** Searches as a platform does, and compares what the answer rests on with the calendar. */
  async function search(account: Account, outage?: string): Promise<void> {
    if (account.isGone) return;
    const now = lab.clock.now();
    const isFirst = !kind.hasMeeting && (account.askedAt ?? 0) < now - 2 * DAY;
    const [source = 'google'] = await lab.ask(account.email);
    account.askedAt = now;
    const read = source === 'google' ? await readLive(account, outage) : await servedTo(account);
    if (read === undefined) {
      figures.refused += 1;
      return;
    }
    const isRight = isTrue(account, read.busy);
    if (isRight) account.changes = [];
    // A read includes every change before it, so one that it lacks without a change since has always been missing.
    const missed = account.changes.find((at) => at >= read.readAt) ?? account.changes[0] ?? from;
    figures.answers.push({ source, isFirst, age: now - read.readAt, stale: isRight ? 0 : now - missed });
  }

  async function readLive({ email }: Account, outage?: string) {
    const busy = outage === undefined ? await lab.live(email) : new Error('down');
    return busy instanceof Error || busy === undefined ? undefined : { busy, readAt: lab.clock.now() };
  }

  async function servedTo({ email }: Account) {
    const calls = lab.counts.neon;
    const served = await lab.served(email);
    noticed += lab.counts.neon - calls;
    return served;
  }

  function isTrue({ calendars }: Account, busy: unknown): boolean {
    return JSON.stringify(busy) === JSON.stringify(lab.truth(...calendars));
  }

  async function askAgain(): Promise<Set<Account>> {
    const askedAt = lab.clock.now();
    for (const { email } of present()) await lab.ask(email);
    let waiting = present();
    while (waiting.length > 0 && lab.clock.now() < askedAt + HOUR) {
      const still: Account[] = [];
      for (const account of waiting) {
        const served = await servedTo(account);
        if (served === undefined) still.push(account);
        else figures.wokenAfter.push(lab.clock.now() - askedAt);
      }
      waiting = still;
      if (waiting.length > 0) await minute();
    }
    return new Set(present().filter((account) => !waiting.includes(account)));
  }

  /** Returns true once, at the given moment of the account or just after it. */
  function isThen(account: Account, what: 'wakesAt' | 'revokesAt'): boolean {
    const isDue = (account[what] ?? Number.POSITIVE_INFINITY) <= lab.clock.now();
    if (isDue) account[what] = undefined;
    return isDue;
  }

  function present(): Account[] {
    return accounts.filter(({ isGone }) => !isGone);
  }

  /** Enters, moves or deletes an event within the next two months, as a person would. */
  function change(account: Account): void {
    const { email, calendars, events } = account;
    const start = lab.clock.now() + Math.floor(random() * 60 * 24) * HOUR;
    const times = { start: new Date(start).toISOString(), end: new Date(start + HOUR).toISOString() };
    const at = Math.floor(random() * events.length);
    const own = events[at];
    const what = random();
    if (own === undefined || what < 0.4) {
      const calendar = calendars[Math.floor(random() * calendars.length)] ?? email;
      events.push({ calendar, eventId: lab.google.addEvent({ email, calendar, ...times }) });
    } else if (what < 0.7) lab.google.patchEvent({ email, ...own, ...times });
    else {
      lab.google.patchEvent({ email, ...own, deleted: true });
      events.splice(at, 1);
    }
    figures.changes += 1;
    account.changes.push(lab.clock.now());
  }

  function addCalendar(account: Account): void {
    const { email, calendars } = account;
    calendars.push(lab.google.addCalendar({ owner: email, summary: 'More' }));
    figures.calendarsAdded += 1;
    const start = lab.clock.now() + Math.floor(random() * 14 * 24) * HOUR;
    const times = { start: new Date(start).toISOString(), end: new Date(start + HOUR).toISOString() };
    const calendar = calendars.at(-1) ?? email;
    account.events.push({ calendar, eventId: lab.google.addEvent({ email, calendar, ...times }) });
    account.changes.push(lab.clock.now());
  }

  async function book({ email }: Account, n: number): Promise<Meeting> {
    const guest = accounts[(n + 1) % accounts.length]?.email ?? email;
    await lab.run(() =>
      scheduleMeeting(lab.ctx, lab.platform, {
        attendees: [email, guest],
        start: lab.clock.now() + (days + 5) * DAY + n * MINUTE,
        durationMinutes: 30,
        title: 'Talk',
        description: null,
        location: 'Google Meet',
        requireFree: false,
        metadata: {},
      }),
    );
    const [row] = await lab.neon.query('select id, provider_event_id from meetings order by starts_at desc limit 1');
    const eventId = String(row?.provider_event_id);
    return { id: String(row?.id), eventId, guest, answers: 0 };
  }

  /** Changes the guest's response to the invitation, once Tandem knows the one before. */
  function answer(account: Account, meeting: Meeting): void {
    const { guest: email, eventId } = meeting;
    if (unseen.some((one) => one.account === account)) return;
    const response = ANSWERS[meeting.answers++ % ANSWERS.length] ?? 'accepted';
    lab.google.patchEvent({ email, eventId, responseStatus: response });
    const guest = accounts.find((one) => one.email === email);
    guest?.changes.push(lab.clock.now());
    expect(account, response === 'declined' ? 'decline' : 'answer', {
      sql: 'select 1 from event_answers a join users u on u.id = a.user_id where a.event_id = $1 and u.email = $2 and a.response_status = $3',
      values: [eventId, email, response],
    });
  }

  function move(account: Account, { id, eventId }: Meeting): void {
    if (unseen.some((one) => one.account === account)) return;
    const start = from + (days + 1) * DAY + Math.floor(random() * 10 * 24 * 4) * 15 * MINUTE;
    const times = { start: new Date(start).toISOString(), end: new Date(start + HOUR / 2).toISOString() };
    lab.google.patchEvent({ email: account.email, eventId, ...times });
    for (const one of accounts)
      if (one === account || one.email === account.meeting?.guest) one.changes.push(lab.clock.now());
    expect(account, 'move', {
      sql: 'select 1 from meetings where id = $1 and starts_at = $2',
      values: [id, times.start],
    });
  }

  /** Takes Tandem's access away. What the person changes afterwards is none of Tandem's business. */
  function revoke(account: Account): void {
    lab.google.revoke(account.email);
    unseen = unseen.filter((one) => one.account !== account);
    account.meeting = undefined;
    expect(account, 'revoked access', {
      sql: "select 1 from calendar_accounts where user_id = $1 and status <> 'connected'",
      values: [account.userId],
    });
  }

  function expect(account: Account, what: Unseen['what'], found: Pick<Unseen, 'sql' | 'values'>): void {
    const within = what === 'revoked access' ? promisedRevoked(kind) : PROMISED.meeting;
    unseen.push({ account, what, at: lab.clock.now(), within, ...found });
  }

  /** Notes which changes Tandem knows of by now. Revoked access is looked for less often, as it is known late. */
  async function see(): Promise<void> {
    const now = lab.clock.now();
    const still: Unseen[] = [];
    for (const one of unseen) {
      const isLookedAt = one.within < DAY || Math.round(now / MINUTE) % 10 === 0;
      const [row] = isLookedAt ? await lab.neon.query(one.sql, one.values) : [];
      if (row === undefined) {
        still.push(one);
        continue;
      }
      if (one.what === 'revoked access') one.account.isGone = true;
      const isDuringOutage = OUTAGES.some(({ from: start, until }) => one.at < from + until && now >= from + start);
      if (isDuringOutage && one.within < DAY) figures.seenAfterOutage += 1;
      else {
        const after = now - one.at;
        figures.seenAfter[one.what] = [...(figures.seenAfter[one.what] ?? []), after];
        if (after > one.within) figures.late += 1;
      }
    }
    unseen = still;
  }
}

export type WeekFigures = Awaited<ReturnType<typeof playWeek>> & { seconds: number };

function down(how: string): OnCall {
  return ({ target }, phase) => {
    if (target !== 'google') return undefined;
    if (how === 'no answer') throw new TypeError('fetch failed');
    return phase === 'after' ? new Response('{"error":{"code":503}}', { status: 503 }) : undefined;
  };
}

/** Kinds of calls of Google's Calendar API, each with the requests that are of it. The first that fits counts. */
const CALLS: [name: string, method: string, path: RegExp][] = [
  ['free/busy', 'POST', /\/freeBusy$/],
  ['list of calendars', 'GET', /\/calendarList$/],
  ['settings', 'GET', /\/settings\//],
  ['channel opened', 'POST', /\/events\/watch$/],
  ['channel stopped', 'POST', /\/channels\/stop$/],
  ['changes to events', 'GET', /\/events$/],
  ['one event', 'GET', /\/events\/[^/]+$/],
];

/** Returns the kind of a call of the Calendar API, and undefined for any other call of Google. */
function callKind({ method, url }: Request): string | undefined {
  const { pathname } = new URL(url);
  if (!pathname.startsWith('/calendar/')) return undefined;
  return CALLS.find(([, of, path]) => of === method && path.test(pathname))?.[0] ?? 'others';
}

// As a program of its own, plays the part in its argument and writes the figures as JSON.
if (process.argv[1] === import.meta.filename) {
  const neon = await createNeon({});
  await neon.migrate(MIGRATIONS);
  const lab = await openCalendarLab(neon);
  try {
    const figures = await playWeek(lab, JSON.parse(process.argv[2] ?? '{}'));
    const { user, system } = process.cpuUsage();
    process.stdout.write(JSON.stringify({ ...figures, seconds: (user + system) / 1e6 }));
  } finally {
    await lab.close();
  }
}
