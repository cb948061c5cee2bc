import { type BusySnapshot, listBusySnapshots } from '../../schema/busy-snapshots/queries.ts';
import { selectUseDue, touchConnections } from '../../schema/connections/last-used-queries.ts';
import {
  listConnectedPeople,
  listLiveMeetingTimes,
  listOwnPerson,
  type Readable,
} from '../../schema/people/queries.ts';
import { calendarFailure } from '../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../calendars/read-busy.ts';
import { servedFrom } from '../calendars/snapshot/serve.ts';
import { DAY } from '../engine/time/dates.ts';
import type { BusyTimes, Interval, TakenTime } from '../engine/types.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { type PersonInZone, toPerson } from '../person/person.ts';

const LONGEST_WINDOW_MS = 92 * DAY;

/**
 * Loads the people with the given addresses, their live meetings and their calendar snapshots. Meetings reach from now
 * to the end of the longest search window, or to `rangeEnd` if that is later. `isFresh` leaves the snapshots out, so
 * that the calendars are read now. `tellsOwn` marks the meetings that belong to the platform that asks.
 */
export async function loadPeople(
  ctx: Ctx,
  platform: PlatformRef,
  {
    emails,
    rangeEnd,
    isFresh,
    tellsOwn = false,
  }: { emails: string[]; rangeEnd: number; isFresh: boolean; tellsOwn?: boolean },
) {
  const now = ctx.clock.now();
  const use = { platformId: platform.id, emails, now };
  const [rows, live, snapshots, { rows: due }] = await ctx.db.batch([
    listConnectedPeople(ctx.db, use),
    liveTimes(ctx, use, rangeEnd, tellsOwn ? platform.id : undefined),
    listBusySnapshots(ctx.db, { who: { ...use, emails: isFresh ? [] : emails }, now }),
    selectUseDue(ctx.db, use),
  ]);
  const noteUse = () => touchConnections(ctx.db, use);
  // A request that is refused does not count as a use of the connection.
  if (due.length > 0) ctx.later(ctx.admitted.then(noteUse, () => undefined));
  return { people: rows.map(toPerson), live, snapshots };
}

/** Loads one person with their live meetings and snapshot, for a request by that person. */
export async function loadOwnPerson(ctx: Ctx, { userId }: { userId: string }, rangeEnd: number) {
  const [rows, live, snapshots] = await ctx.db.batch([
    listOwnPerson(ctx.db, { userId }),
    liveTimes(ctx, { userId }, rangeEnd),
    listBusySnapshots(ctx.db, { who: { userId }, now: ctx.clock.now() }),
  ]);
  return { people: rows.map(toPerson), live, snapshots };
}

function liveTimes(ctx: Ctx, who: Readable, rangeEnd: number, ownOf?: string) {
  const now = ctx.clock.now();
  const end = Math.max(now + LONGEST_WINDOW_MS, rangeEnd) + DAYS_KNOWN_AFTER * DAY + MARGIN_MS;
  return listLiveMeetingTimes(ctx.db, { who, ownOf, start: now - MARGIN_MS, end });
}

/**
 * Number of days read after the searched window. If a search finds nothing, these days show which free times a longer
 * window would offer.
 */
export const DAYS_KNOWN_AFTER = 7;

/**
 * Margin read on both sides of the searched window. Daily meeting limits follow each person's own dates, and buffers
 * reach past the window's edges.
 */
export const MARGIN_MS = 2 * DAY;

interface Known {
  live: (TakenTime & { email: string })[];
  snapshots: BusySnapshot[];
  /**
   * Calendar event to ignore, because its meeting is being moved. A snapshot has only merged busy times, so one event
   * can be ignored only in a live read.
   */
  moving?: MovingEvent | undefined;
}

/**
 * Returns a person with their busy times near the span, and the time at which the busy times were read. Uses the
 * snapshot if it is still valid, and otherwise reads the calendar now. Throws `calendar_*` with the person named.
 */
export async function readPerson(ctx: Ctx, person: PersonInZone, span: Interval, { live, snapshots, moving }: Known) {
  const { email, timeZone, rules } = person;
  const now = ctx.clock.now();
  const near = { start: span.start - MARGIN_MS, end: span.end + MARGIN_MS };
  const kept = moving === undefined ? snapshots.find((one) => one.email === email) : undefined;
  const snapshot = servedFrom(kept, near, now);
  const busy = snapshot?.busy ?? (await readLive(ctx, person, near, moving));
  const meetings = live.filter((meeting) => meeting.email === email);
  return {
    person: { email, timeZone, ...rules, busy, meetings },
    calendar: {
      email,
      readAt: new Date(snapshot?.readAt ?? now).toISOString(),
      source: snapshot === undefined ? ('google' as const) : ('snapshot' as const),
    },
  };
}

async function readLive(ctx: Ctx, person: PersonInZone, span: Interval, moving?: MovingEvent): Promise<BusyTimes> {
  await ctx.admitted;
  try {
    return await readBusy(ctx, person, span, moving);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
