import { type BusySnapshot, listBusySnapshots } from '../../schema/busy-snapshots/queries.ts';
import { touchConnections } from '../../schema/connections/queries.ts';
import {
  type ConnectedPerson,
  listConnectedPeople,
  listLiveMeetingTimes,
  listOwnPerson,
} from '../../schema/people/queries.ts';
import { calendarFailure } from '../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../calendars/read-busy.ts';
import { servedFrom } from '../calendars/snapshot/serve.ts';
import type { Ctx, Platform } from '../context.ts';
import type { BusyTimes, Interval } from '../scheduling/types.ts';
import type { DateRange } from '../scheduling/window.ts';
import { personRules } from '../users/person.ts';

const LONGEST_WINDOW_MS = 92 * 86_400_000;

/** An instant no earlier than the end of the dates asked for. */
export function endOf({ startDate, endDate }: DateRange = {}): number {
  if (endDate !== undefined) return Date.parse(endDate) || 0;
  return startDate === undefined ? 0 : (Date.parse(startDate) || 0) + LONGEST_WINDOW_MS;
}

/**
 * These people's rows and live meetings, for a search from now to the longest window or a later end; what was read of
 * their calendars before, unless they are to be read afresh. `tellsOwn` has the platform's own meetings told from others.
 */
export function loadPeople(
  ctx: Ctx,
  platform: Platform,
  {
    emails,
    rangeEnd,
    isFresh,
    tellsOwn = false,
  }: { emails: string[]; rangeEnd: number; isFresh: boolean; tellsOwn?: boolean },
) {
  const now = ctx.clock.now();
  return ctx.db.batch([
    listConnectedPeople(ctx.db, { platformId: platform.id, emails }),
    liveTimes(ctx, emails, rangeEnd, tellsOwn ? platform.id : undefined),
    touchConnections(ctx.db, { platformId: platform.id, emails, now }),
    listBusySnapshots(ctx.db, { emails: isFresh ? [] : emails, now }),
  ]);
}

/** The same of one person for themselves. */
export function loadOwnPerson(ctx: Ctx, { userId, email }: { userId: string; email: string }, rangeEnd: number) {
  return ctx.db.batch([
    listOwnPerson(ctx.db, { userId }),
    liveTimes(ctx, [email], rangeEnd),
    listBusySnapshots(ctx.db, { emails: [email], now: ctx.clock.now() }),
  ]);
}

function liveTimes(ctx: Ctx, emails: string[], rangeEnd: number, ownOf?: string) {
  const now = ctx.clock.now();
  const end = Math.max(now + LONGEST_WINDOW_MS, rangeEnd) + DAYS_KNOWN_AFTER * 86_400_000 + MARGIN_MS;
  return listLiveMeetingTimes(ctx.db, { emails, ownOf, start: now - MARGIN_MS, end });
}

/** How many days more than are searched a search reads, so that an empty answer can say what they would open. */
export const DAYS_KNOWN_AFTER = 7;

/** Day limits follow each person's own dates and buffers reach past the edges of the window. */
export const MARGIN_MS = 2 * 86_400_000;

interface Known {
  live: { email: string; start: number; end: number }[];
  snapshots: BusySnapshot[];
  /** An event that does not count: no snapshot tells it from another. */
  moving?: MovingEvent | undefined;
}

/**
 * The stored person with the calendar's busy times near the span, and how fresh they are: from the snapshot where it may
 * be served, else as the calendar says now. Throws `calendar_*` with the person named.
 */
export async function readPerson(
  ctx: Ctx,
  person: ConnectedPerson,
  span: Interval,
  { live, snapshots, moving }: Known,
) {
  const { email } = person;
  const now = ctx.clock.now();
  const near = { start: span.start - MARGIN_MS, end: span.end + MARGIN_MS };
  const kept = moving === undefined ? snapshots.find((one) => one.email === email) : undefined;
  const snapshot = servedFrom(kept, near, now);
  const busy = snapshot?.busy ?? (await readLive(ctx, person, near, moving));
  const meetings = live.filter((meeting) => meeting.email === email);
  return {
    person: { ...personRules(person), busy, meetings },
    calendar: {
      email,
      readAt: new Date(snapshot?.readAt ?? now).toISOString(),
      source: snapshot === undefined ? ('google' as const) : ('snapshot' as const),
    },
  };
}

async function readLive(ctx: Ctx, person: ConnectedPerson, span: Interval, moving?: MovingEvent): Promise<BusyTimes> {
  try {
    return await readBusy(ctx, person, span, moving);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
