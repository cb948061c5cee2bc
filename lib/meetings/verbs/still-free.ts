import { listConnectedPeople, listLiveMeetingTimes, type PairOfPlatform } from '../../../schema/access/people.ts';
import { selectPlanUsage } from '../../../schema/access/usage.ts';
import type { OtherMeeting } from '../../../schema/meetings/holds.ts';
import { MARGIN_MS } from '../../availability/read-people.ts';
import { readShared } from '../../availability/shared-reads.ts';
import { calendarFailure, retryTransient } from '../../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../../calendars/read-busy.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { inOrder, overlaps, union } from '../../engine/time/intervals.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import type { Pair, Person } from '../../person/person.ts';
import { monthOf } from '../../usage/quota.ts';
import { SlotTaken, TimeHeld } from '../protocol/operation.ts';
import { refusalOfDay } from './limits.ts';
import { assertOutsideFocus } from './protected-time.ts';

/** A booking right after its search is younger (schema/DECISIONS.md, "The last look at the calendars"). */
const JUST_READ_MS = 1_000;

interface Look {
  moving?: MovingEvent | undefined;
  /** Instant at which the search that found the time began to read both calendars, or at which a look ended. */
  readAt?: number | undefined;
  /** `looksOf` a platform, one of which in the last second serves this one too, if it found the time taken. */
  sharedBy?: string | undefined;
  /** The time is refused whatever the calendars show, so that any look of the last second serves. */
  isRefused?: boolean | undefined;
}

/** The two people of a booking or move, and what meetings and proposals take of their time. */
export interface Known {
  people: Pair;
  live: (OtherMeeting & { isMeeting: boolean })[];
}

/** A caller loads these with its first batch, so a look before the reservation adds no round trip. */
export const knownInBatch = (ctx: Ctx, pair: PairOfPlatform, [start, end]: [number, number | null]) => ({
  rows: listConnectedPeople(ctx.db, pair),
  live: listLiveMeetingTimes(ctx.db, { who: pair, start: start - MARGIN_MS, end: end && end + MARGIN_MS }),
  usage: selectPlanUsage(ctx.db, { platformId: pair.platformId, month: monthOf(ctx.clock.now()) }),
});

/**
 * Comes before the reservation, because a reservation that is undone can be seen, and a time that others reserve is
 * refused without one. `accepts` is what the times of an accepted proposal are reserved for: they count the day and the
 * buffer already. Returns when the look ended. Throws `SlotTaken` and `calendar_*`.
 */
export async function lookFirst(
  ctx: Ctx,
  { people, live }: Known,
  span: Interval,
  { accepts, ...look }: Pick<Look, 'moving' | 'sharedBy'> & { accepts?: string | undefined },
): Promise<number> {
  assertOutsideFocus(people, span);
  const others = live.filter(({ takenBy }) => takenBy !== accepts);
  const isHeld = people.some(({ id, rules }) => {
    const buffer = accepts === undefined ? rules.bufferMinutes * MINUTE : 0;
    const isNear = (one: Interval) => one.start < span.end + buffer && span.start - buffer < one.end;
    return others.some((one) => one.userId === id && isNear(one));
  });
  const counted = others.filter(({ isMeeting }) => isMeeting || accepts === undefined);
  const refusal = isHeld ? new TimeHeld() : refusalOfDay(people, span, counted);
  await assertStillFree(ctx, people, span, { ...look, isRefused: refusal !== undefined });
  if (refusal !== undefined) throw refusal;
  return ctx.clock.now();
}

/**
 * Reads both calendars, unless the search has just read them. Throws `SlotTaken` if either person is busy or within
 * their buffer, and `calendar_*` for a calendar that cannot be read. Leaves out a guest, who has no calendar, and the
 * event `moving`.
 */
export async function assertStillFree(ctx: Ctx, people: Pair, span: Interval, look: Look): Promise<void> {
  if (look.readAt !== undefined && ctx.clock.now() - look.readAt <= JUST_READ_MS) return;
  const looks = await Promise.allSettled(
    people.map((person) => {
      const widenBy = person.rules.bufferMinutes * MINUTE;
      return isFreeIn(ctx, person, { start: span.start - widenBy, end: span.end + widenBy }, look);
    }),
  );
  // If neither calendar can be read, the error names the first person, whichever fails first.
  for (const one of looks) if (one.status === 'rejected') throw one.reason;
  if (looks.some((one) => one.status === 'fulfilled' && !one.value)) throw new SlotTaken();
}

async function isFreeIn(ctx: Ctx, person: Person, span: Interval, look: Look): Promise<boolean> {
  if (person.isGuest) return true;
  const { moving, sharedBy, isRefused } = look;
  const read = (asked: Interval) => retryTransient(ctx, () => readBusy(ctx, person, asked, moving));
  const isFree = (busy: BusyTimes) => !overlaps(union(inOrder(busy)), span);
  try {
    if (sharedBy === undefined) return isFree(await read(span));
    const now = ctx.clock.now();
    const shared = { platformId: sharedBy, userId: person.id };
    const { readAt, busy } = await readShared(ctx, shared, span, read);
    if (!isFree(busy)) return false;
    if (isRefused || readAt >= now) return true;
    return isFree((await readShared(ctx, { ...shared, isAnew: true }, span, read)).busy);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
