import { readShared } from '../../availability/shared-reads.ts';
import { calendarFailure, retryTransient } from '../../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../../calendars/read-busy.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { inOrder, overlaps, union } from '../../engine/time/intervals.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import type { Pair, Person } from '../../person/person.ts';
import { SlotTaken } from '../protocol/operation.ts';

/** A booking right after its search is younger (schema/DECISIONS.md, "The last look at the calendars"). */
const JUST_READ_MS = 1_000;

interface Look {
  moving?: MovingEvent | undefined;
  /** Instant at which the search that found the time began to read both calendars. Undefined if it read none. */
  readAt?: number | undefined;
  /** `looksOf` a platform, one of which in the last second serves this one too, if it found the time taken. */
  sharedBy?: string | undefined;
  /** The time is refused whatever the calendars show, so that any look of the last second serves. */
  isRefused?: boolean;
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
