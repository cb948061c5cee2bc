import { calendarFailure, retryTransient } from '../../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../../calendars/read-busy.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { inOrder, overlaps, union } from '../../engine/time/intervals.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import type { Pair, Person } from '../../person/person.ts';
import { SlotTaken } from '../protocol/operation.ts';

/** A booking right after its search is younger (schema/DECISIONS.md, "The last look at the calendars"). */
const JUST_READ_MS = 1_000;

interface Look {
  moving?: MovingEvent | undefined;
  /** Instant at which the search that found the time began to read both calendars. Undefined if it read none. */
  readAt?: number | undefined;
}

/**
 * Reads both calendars, unless the search has just read them. Throws `SlotTaken` if either person is busy or within
 * their buffer, and `calendar_*` for a calendar that cannot be read. Leaves out a guest, who has no calendar, and the
 * event `moving`.
 */
export async function assertStillFree(ctx: Ctx, people: Pair, span: Interval, { moving, readAt }: Look): Promise<void> {
  if (readAt !== undefined && ctx.clock.now() - readAt <= JUST_READ_MS) return;
  const isFree = await Promise.all(
    people.map((person) => {
      const widenBy = person.rules.bufferMinutes * MINUTE;
      return isFreeIn(ctx, person, { start: span.start - widenBy, end: span.end + widenBy }, moving);
    }),
  );
  if (isFree.includes(false)) throw new SlotTaken();
}

async function isFreeIn(ctx: Ctx, person: Person, span: Interval, moving: MovingEvent | undefined): Promise<boolean> {
  if (person.isGuest) return true;
  try {
    const busy = await retryTransient(ctx, () => readBusy(ctx, person, span, moving));
    return !overlaps(union(inOrder(busy)), span);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
