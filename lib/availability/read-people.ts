import { type BusySnapshot, listBusySnapshots } from '../../schema/access/busy-snapshots.ts';
import { selectUseDue, touchConnections } from '../../schema/access/connections.ts';
import {
  listConnectedPeople,
  listLiveMeetingTimes,
  listOwnPerson,
  listPairTimes,
  type PairOfPlatform,
  type PersonRow,
  type Readable,
} from '../../schema/access/people.ts';
import { batch } from '../../schema/db.ts';
import { type MovingEvent, readBusy } from '../calendars/blocking/free-busy.ts';
import { calendarFailure } from '../calendars/calls.ts';
import { servedFrom } from '../calendars/snapshot/timing.ts';
import { inZonesOfNow } from '../calendars/time-zone.ts';
import type { MeetingContext } from '../engine/rank/contexts.ts';
import { CARRIED_DAYS } from '../engine/rank/fairness.ts';
import { daysFullElsewhere } from '../engine/rules/free-time.ts';
import { DAY } from '../engine/time/dates.ts';
import { inOrder, toIntervals } from '../engine/time/intervals.ts';
import type { BusyTimes, Interval, TakenTime } from '../engine/types.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { type PersonInZone, rulesFor, toPerson } from '../person/person.ts';
import { readShared, type SharedRead } from './shared-reads.ts';

/** `isFresh` leaves out the stored busy times. */
export async function loadPeople(
  ctx: Ctx,
  platform: PlatformRef,
  { emails, isFresh }: { emails: string[]; isFresh: boolean },
) {
  const now = ctx.clock.now();
  const use = { platformId: platform.id, emails, now };
  const { snapshots, ...loaded } = await batch(ctx.db, {
    rows: listConnectedPeople(ctx.db, use),
    live: liveTimes(ctx, use),
    due: selectUseDue(ctx.db, use),
    snapshots: listBusySnapshots(ctx.db, { who: { ...use, emails: isFresh ? [] : emails }, now }),
  });
  noteUse(ctx, use, loaded);
  return { people: await peopleNow(ctx, loaded.rows), live: loaded.live, snapshots };
}

/**
 * The caller sends these statements with the batch that loads the pair's job or meeting, which saves a round trip. Pass
 * their results to `peopleOfBatch`.
 */
export function loadInBatch(ctx: Ctx, pair: PairOfPlatform) {
  const now = ctx.clock.now();
  return {
    rows: listConnectedPeople(ctx.db, pair),
    live: liveTimes(ctx, pair),
    due: selectUseDue(ctx.db, { ...pair, now }),
    pairMeetings: listPairTimes(ctx.db, { ...pair, since: now - CARRIED_DAYS * DAY }),
  };
}

type InBatch = { [Name in keyof ReturnType<typeof loadInBatch>]: Awaited<ReturnType<typeof loadInBatch>[Name]> };

export async function peopleOfBatch(ctx: Ctx, { id }: PlatformRef, { rows, live, due, pairMeetings }: InBatch) {
  const people = await peopleNow(ctx, rows);
  noteUse(ctx, { platformId: id, emails: people.map(({ email }) => email), now: ctx.clock.now() }, { due });
  return { people, live, snapshots: [], pairMeetings };
}

export type LoadedInBatch = Awaited<ReturnType<typeof peopleOfBatch>>;

const peopleNow = async (ctx: Ctx, rows: PersonRow[]) => (await inZonesOfNow(ctx, rows)).map(toPerson);

/** Does nothing if a use within the last hour is recorded already. */
function noteUse(ctx: Ctx, use: Parameters<typeof touchConnections>[1], { due }: Pick<InBatch, 'due'>): void {
  const note = () => touchConnections(ctx.db, use);
  // A request that is refused does not count as a use of the connection.
  if (due.rows.length > 0) ctx.later(ctx.admitted.then(note, () => undefined));
}

export async function loadOwnPerson(ctx: Ctx, { userId }: { userId: string }) {
  const [rows, live, snapshots] = await ctx.db.batch([
    listOwnPerson(ctx.db, { userId }),
    liveTimes(ctx, { userId }),
    listBusySnapshots(ctx.db, { who: { userId }, now: ctx.clock.now() }),
  ]);
  return { people: await peopleNow(ctx, rows), live, snapshots };
}

/** Loads all later ones, whatever dates are searched, because shared reads serve searches of other dates too. */
const liveTimes = (ctx: Ctx, who: Readable) =>
  listLiveMeetingTimes(ctx.db, { who, start: ctx.clock.now() - MARGIN_MS, end: null });

/** If a search finds nothing, these further days show which free times a longer window would offer. */
export const DAYS_KNOWN_AFTER = 7;

/** Daily limits count by each person's own dates, and buffers reach past the window's edges. */
export const MARGIN_MS = 2 * DAY;

interface Known {
  live: (TakenTime & { email: string })[];
  snapshots: BusySnapshot[];
  /** Its time must not count as busy. Stored busy times are merged, so the calendar is read now to leave it out. */
  moving?: MovingEvent | undefined;
  movesFrom?: number | undefined;
  /**
   * ID of the platform whose reads of the person's calendar within the last second serve this request too. So searches
   * make one call of the provider a second, however many the platform sends.
   */
  sharedBy?: string | undefined;
  /** The kind of the meeting, which decides whether the rules for some kinds of meeting count. */
  context?: MeetingContext | undefined;
}

/** One span, or several of which each is read with what is around it, and not what lies between. */
type Spans = Interval | readonly Interval[];

/** Reads the span and two days around it, unless stored busy times are valid. Throws `calendar_*` naming the person. */
export async function readPerson(ctx: Ctx, person: PersonInZone, span: Spans, known: Known) {
  const { live, snapshots, moving, movesFrom } = known;
  const { email, timeZone } = person;
  const rules = rulesFor(person, known.context);
  const now = ctx.clock.now();
  const parts = [span].flat().map(({ start, end }) => ({ start: start - MARGIN_MS, end: end + MARGIN_MS }));
  const near = { start: Math.min(...parts.map(({ start }) => start)), end: Math.max(...parts.map(({ end }) => end)) };
  const kept = moving === undefined ? snapshots.find((one) => one.email === email) : undefined;
  const snapshot = servedFrom(kept, near, now);
  // A shared read begins with a request that is admitted, because its refusal would be everybody's.
  if (snapshot === undefined) await ctx.admitted;
  const read = (asked: Spans = parts) => readLive(ctx, person, asked, moving);
  const { sharedBy: platformId } = known;
  const { own = [], others: reservedNow = [] } = Object.groupBy(
    live.filter((meeting) => meeting.email === email),
    ({ isOwn = true }) => (isOwn ? 'own' : 'others'),
  );
  const found: SharedRead =
    snapshot ??
    (platformId === undefined
      ? { readAt: now, busy: await read() }
      : await readShared(ctx, { platformId, userId: person.id, others: reservedNow }, near, read));
  const { readAt, busy } = found;
  // Beyond what is read of the calendar, times that others reserve must not tell an empty calendar from another.
  const isRead = (meeting: Interval) => parts.some(({ start, end }) => meeting.start < end && start < meeting.end);
  const meetings = own.filter(isRead);
  // The engine must not be able to tell what other platforms reserve from an event of the calendar.
  const reserved = (found.others ?? reservedNow).filter(isRead);
  const taken = [
    ...daysFullElsewhere({ timeZone, ...rules, movesFrom, meetings: [...meetings, ...reserved] }),
    ...reserved,
  ];
  return {
    person: {
      email,
      timeZone,
      ...rules,
      busy: taken.length === 0 ? busy : [...toIntervals(inOrder(busy)), ...taken],
      meetings,
      movesFrom,
    },
    calendar: {
      email,
      readAt: new Date(readAt).toISOString(),
      source: snapshot === undefined ? ('google' as const) : ('snapshot' as const),
    },
  };
}

/** A guest has no calendar that Tandem could read, and counts as never busy. */
export async function readAttendee(ctx: Ctx, person: PersonInZone, span: Spans, known: Known) {
  if (!person.isGuest) return readPerson(ctx, person, span, known);
  const { email, timeZone, rules } = person;
  const unknown = person.isClockUnknown ? ('clock' as const) : ('calendar' as const);
  return { person: { email, timeZone, ...rules, busy: [], meetings: [], unknown } };
}

async function readLive(ctx: Ctx, person: PersonInZone, span: Spans, moving?: MovingEvent): Promise<BusyTimes> {
  try {
    return await readBusy(ctx, person, span, moving);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
