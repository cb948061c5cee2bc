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
import { monthOf } from '../../usage/usage.ts';
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
  const held = people.filter(({ id, rules }) => {
    const buffer = accepts === undefined ? rules.bufferMinutes * MINUTE : 0;
    const isNear = (one: Interval) => one.start < span.end + buffer && span.start - buffer < one.end;
    return others.some((one) => one.userId === id && isNear(one));
  });
  const counted = others.filter(({ isMeeting }) => isMeeting || accepts === undefined);
  const refusal =
    held.length > 0
      ? new TimeHeld(held.map(({ email }) => email))
      : refusalOfDay(people, span, counted, look.moving?.start);
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
  const now = ctx.clock.now();
  if (look.readAt !== undefined && now - look.readAt <= JUST_READ_MS) return;
  const seen = await lookAt(people, false);
  // A look of a moment ago refuses a time, and never lets a booking pass.
  const former = people.filter((_, i) => (seen[i]?.readAt ?? now) < now);
  if (look.isRefused !== true && former.length > 0) await lookAt(former, true);

  async function lookAt(some: readonly Person[], isAnew: boolean) {
    const looks = await Promise.allSettled(some.map((person) => lookIn(ctx, person, span, { ...look, isAnew })));
    // If neither calendar can be read, the error names the first person, whichever fails first.
    for (const one of looks) if (one.status === 'rejected') throw one.reason;
    const read = looks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const taken = some.filter((_, i) => read[i]?.isFree === false);
    if (taken.length > 0) throw new SlotTaken(taken.map(({ email }) => email));
    return read;
  }
}

async function lookIn(ctx: Ctx, person: Person, { start, end }: Interval, look: Look & { isAnew: boolean }) {
  const { moving, sharedBy, isAnew } = look;
  const widenBy = person.rules.bufferMinutes * MINUTE;
  const span = { start: start - widenBy, end: end + widenBy };
  const seen = (busy: BusyTimes, readAt?: number) => ({ isFree: !overlaps(union(inOrder(busy)), span), readAt });
  if (person.isGuest) return seen([]);
  const read = (asked: Interval) => retryTransient(ctx, () => readBusy(ctx, person, asked, moving));
  try {
    if (sharedBy === undefined) return seen(await read(span));
    const { busy, readAt } = await readShared(ctx, { platformId: sharedBy, userId: person.id, isAnew }, span, read);
    return seen(busy, readAt);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
