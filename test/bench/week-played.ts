import { scheduleMeeting } from '../../lib/meetings/schedule.ts';
import type { OnCall } from '../support/worlds/acts.ts';
import type { CalendarLab } from '../support/worlds/calendar-lab.ts';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CHANGES_A_DAY = 20;
const ANSWERS_A_DAY = 1;
const LOST = 0.05;
const OUTAGES = [
  { from: DAY + 10 * HOUR, until: DAY + 11 * HOUR, how: 'no answer' },
  { from: 4 * DAY + 14 * HOUR, until: 4 * DAY + 17 * HOUR, how: '503' },
];

/** Accounts whose people behave alike. */
export interface Kind {
  name: string;
  /** Share of all accounts that are of this kind. */
  share: number;
  asksADay: number;
  hasMeeting: boolean;
}

interface Account {
  email: string;
  userId: string;
  calendars: string[];
  /** Times at which the calendar changed since its snapshot was last correct, the first change first. */
  changes: number[];
  meeting?: Meeting;
}

/** Tandem meeting to which another account was invited. */
interface Meeting {
  id: string;
  eventId: string;
  guest: string;
  response: string;
  /** Time since which Tandem does not know the guest's answer. */
  answeredAt?: number | undefined;
}

export type WeekFigures = Awaited<ReturnType<typeof playWeek>>;

/**
 * Plays a week with a number of accounts of one kind, and asks for each account at the end. Times are in milliseconds.
 */
export async function playWeek(
  lab: CalendarLab,
  { kind, count, random, onDay }: { kind: Kind; count: number; random: () => number; onDay: (day: number) => void },
) {
  const figures = {
    accounts: count,
    changes: 0,
    pushes: 0,
    lostPushes: 0,
    heard: 0,
    pushCalls: 0,
    google: 0,
    neon: 0,
    lost: 0,
    lostAnswers: 0,
    longestStale: 0,
    shownAfter: [] as number[],
    answeredAfter: [] as number[],
    wokenAfter: [] as number[],
    asks: [] as string[],
  };
  const accounts: Account[] = [];
  const booked = new Set<string>();
  let from = Number.POSITIVE_INFINITY;
  /** Round trips by which this bench itself looks at the snapshots. */
  let noticed = 0;
  const happens = (timesADay: number) => random() < timesADay / (DAY / MINUTE);

  lab.begin();
  for (let n = 0; n < count; n++)
    accounts.push({
      ...(await lab.join(`week${n}@bench.test`, n % 2 ? 'Europe/Berlin' : 'America/New_York', n % 3 ? [] : ['Team'])),
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
  for (let now = from; now < from + 7 * DAY; now = lab.clock.now()) {
    const outage = OUTAGES.find((one) => from + one.from <= now && now < from + one.until)?.how;
    for (const account of accounts) {
      if (happens(CHANGES_A_DAY)) change(account);
      if (account.meeting && happens(ANSWERS_A_DAY)) answer(account.meeting);
      if (happens(kind.asksADay)) {
        const [source = 'google'] = await lab.ask(account.email);
        figures.asks.push(source);
        if (source === 'google') await lab.live(account.email);
      }
    }
    await minute(outage);
    if ((lab.clock.now() - from) % DAY === 0) onDay((lab.clock.now() - from) / DAY);
  }
  figures.google = lab.counts.calendar - before;
  figures.neon = lab.counts.neon - asked - noticed;

  const woken = await askAgain();
  for (let minutes = 0; minutes < 40; minutes++) await minute();
  for (const account of accounts) {
    // What a search reads now must be true, and its person must have been served from a snapshot when they were asked for.
    const busy = await lab.live(account.email);
    if (busy instanceof Error || !isTrue(account, busy) || !woken.has(account)) figures.lost += 1;
    if (account.meeting?.answeredAt !== undefined) figures.lostAnswers += 1;
  }
  return figures;

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
    await look();
    await lab.tick(onCall);
    await look();
    await hearAnswers();
  }

  /**
   * Compares the snapshot that would be served with the calendar, for each calendar that somebody asks for and that
   * changed.
   */
  async function look(): Promise<void> {
    if (kind.asksADay === 0) return;
    for (const account of accounts) if (account.changes.length > 0) await lookAt(account);
  }

  async function lookAt(account: Account): Promise<boolean> {
    const calls = lab.counts.neon;
    const served = await lab.served(account.email);
    noticed += lab.counts.neon - calls;
    if (served === undefined) return false;
    const now = lab.clock.now();
    const [first] = account.changes;
    if (isTrue(account, served.busy)) {
      if (first !== undefined && kind.asksADay > 0 && !metOutage(first))
        figures.shownAfter.push(Math.max(0, served.readAt - first));
      account.changes = [];
    } else {
      // The read includes every change before it. A change that the snapshot lacks has been missing since it was made.
      const missed = account.changes.find((at) => at >= served.readAt) ?? first ?? now;
      figures.longestStale = Math.max(figures.longestStale, now - missed);
    }
    return true;
  }

  /** Returns true if Google was down at some time since then. */
  function metOutage(since: number): boolean {
    return OUTAGES.some((one) => since < from + one.until && lab.clock.now() >= from + one.from);
  }

  function isTrue({ calendars }: Account, busy: unknown): boolean {
    return JSON.stringify(busy) === JSON.stringify(lab.truth(...calendars));
  }

  /** Asks for every account after the week, and then again each minute until every snapshot is served. */
  async function askAgain(): Promise<Set<Account>> {
    const askedAt = lab.clock.now();
    for (const { email } of accounts) await lab.ask(email);
    let waiting = accounts;
    while (waiting.length > 0 && lab.clock.now() < askedAt + HOUR) {
      const still: Account[] = [];
      for (const account of waiting) {
        if (!(await lookAt(account))) still.push(account);
        else figures.wokenAfter.push(lab.clock.now() - askedAt);
      }
      waiting = still;
      if (waiting.length > 0) await minute();
    }
    return new Set(accounts.filter((account) => !waiting.includes(account)));
  }

  /** Enters, moves or deletes an event within the next two months, as a person would. */
  function change(account: Account): void {
    const { email, calendars } = account;
    const calendar = calendars[Math.floor(random() * calendars.length)] ?? email;
    const start = lab.clock.now() + Math.floor(random() * 60 * 24) * HOUR;
    const times = { start: new Date(start).toISOString(), end: new Date(start + HOUR).toISOString() };
    const own = lab.google.events(calendar).filter(({ id, status }) => status !== 'cancelled' && !booked.has(id ?? ''));
    const eventId = own[Math.floor(random() * own.length)]?.id ?? undefined;
    const what = random();
    if (eventId === undefined || what < 0.4) lab.google.addEvent({ email, calendar, ...times });
    else if (what < 0.7) lab.google.patchEvent({ email, calendar, eventId, ...times });
    else lab.google.patchEvent({ email, calendar, eventId, deleted: true });
    figures.changes += 1;
    account.changes.push(lab.clock.now());
  }

  /** Books a meeting of this account with the next account, beyond the week. */
  async function book({ email }: Account, n: number): Promise<Meeting> {
    const guest = accounts[(n + 1) % accounts.length]?.email ?? email;
    await lab.run(() =>
      scheduleMeeting(lab.ctx, lab.platform, {
        attendees: [email, guest],
        start: lab.clock.now() + 12 * DAY + n * MINUTE,
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
    booked.add(eventId);
    return { id: String(row?.id), eventId, guest, response: 'needsAction' };
  }

  /** Changes the guest's response to the invitation. */
  function answer(meeting: Meeting): void {
    const { guest: email, eventId } = meeting;
    meeting.response = meeting.response === 'accepted' ? 'tentative' : 'accepted';
    lab.google.patchEvent({ email, eventId, responseStatus: meeting.response });
    meeting.answeredAt ??= lab.clock.now();
  }

  async function hearAnswers(): Promise<void> {
    for (const { meeting } of accounts) {
      if (meeting?.answeredAt === undefined) continue;
      const [row] = await lab.neon.query(
        'select a.response_status from event_answers a join meetings m on m.provider_event_id = a.event_id join users u on u.id = a.user_id where m.id = $1 and u.email = $2',
        [meeting.id, meeting.guest],
      );
      if (row?.response_status !== meeting.response) continue;
      if (!metOutage(meeting.answeredAt)) figures.answeredAfter.push(lab.clock.now() - meeting.answeredAt);
      meeting.answeredAt = undefined;
    }
  }
}

function down(how: string): OnCall {
  return ({ target }, phase) => {
    if (target !== 'google') return undefined;
    if (how === 'no answer') throw new TypeError('fetch failed');
    return phase === 'after' ? new Response('{"error":{"code":503}}', { status: 503 }) : undefined;
  };
}
