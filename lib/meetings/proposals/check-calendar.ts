import { loadBoth, readBoth } from '../../availability/search.ts';
import { type NotRead, readBusyOnce } from '../../calendars/check/read-once.ts';
import { findSpreadSlots } from '../../engine/rank/find-slots.ts';
import { DAY } from '../../engine/time/dates.ts';
import { inOrder, toIntervals } from '../../engine/time/intervals.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import type { ProposalPage } from './page.ts';
import { movableSnapshot, movedFrom } from './propose-move.ts';
import { MOST_ANSWERED, withoutHolds } from './wished-times.ts';

const LONGEST_AHEAD_MS = 60 * DAY;

interface Returned {
  codeVerifier: string;
  code?: string | undefined;
  error?: string | undefined;
  timeZone: string;
}

/** `free` are proposed times. If there are none, the result has other times at which both people are free. */
export interface Checked {
  free: Interval[];
  others: Interval[];
}

/**
 * Reads the calendar once, ends the access right after, and stores nothing of it. Throws `user_not_found` and
 * `calendar_*` for the requester's calendar.
 */
export async function checkCalendar(
  ctx: Ctx,
  page: ProposalPage,
  { timeZone, ...returned }: Returned,
): Promise<Checked | { refusal: NotRead }> {
  const now = ctx.clock.now();
  const offered = page.state.kind === 'open' ? page.state.times : [];
  const last = Math.max(now + LONGEST_AHEAD_MS, ...offered.map(({ end }) => end));
  const read = await readBusyOnce(ctx, { ...returned, span: { start: now, end: last } });
  if ('refusal' in read) return { refusal: read.refusal ?? 'calendar_unavailable' };
  const { busy } = read;
  const free = offered.filter((time) => !isBusyAt(busy, time)).map(({ start, end }) => ({ start, end }));
  const others = free.length === 0 ? await otherTimes(ctx, page, { busy, timeZone, until: last }) : [];
  return { free, others };
}

const isBusyAt = (busy: BusyTimes, { start, end }: Interval): boolean =>
  toIntervals(inOrder(busy)).some((span) => span.start < end && start < span.end);

async function otherTimes(
  ctx: Ctx,
  { proposal, platform, state }: ProposalPage,
  { busy, timeZone, until }: { busy: BusyTimes; timeZone: string; until: number },
): Promise<Interval[]> {
  if (state.kind !== 'open' || !state.mayCounter) return [];
  const { requesterEmail, otherEmail, durationMinutes, movesMeetingId, times } = proposal;
  const attendees: [string, string] = [requesterEmail, otherEmail];
  const [both, meeting] = await Promise.all([
    loadBoth(ctx, platform, { attendees, isFresh: true, guest: { timeZone } }),
    movesMeetingId === null ? undefined : movableSnapshot(ctx, platform, movesMeetingId),
  ]);
  const moved = meeting && movedFrom(meeting);
  const { search } = await readBoth(ctx, withoutHolds(both, proposal), {
    where: { kind: 'dates' },
    durationMinutes,
    moved: moved && { event: moved.event, isNear: true },
  });
  const notAt = [...times.map(({ start }) => start), ...(moved?.notAt ?? [])];
  const { slots } = findSpreadSlots({ ...search, other: { ...search.other, busy }, notAt }, MOST_ANSWERED);
  return slots
    .map(({ start, end }) => ({ start, end }))
    .filter(({ end }) => end <= until)
    .sort((one, other) => one.start - other.start);
}
