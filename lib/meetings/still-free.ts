import { calendarFailure, retryTransient } from '../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../calendars/read-busy.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { inOrder, overlaps, union } from '../engine/time/intervals.ts';
import type { Interval } from '../engine/types.ts';
import type { Ctx } from '../kit/context.ts';
import type { Pair, Person } from '../person/person.ts';
import { SlotTaken } from './operation.ts';

/**
 * Reads both calendars once more, just before booking. Throws `SlotTaken` if either person is busy. With `withBuffers`,
 * also throws `SlotTaken` if the meeting falls within a buffer. Throws `calendar_*` for a calendar that cannot be read.
 * Ignores the event `moving`, whose meeting is being moved.
 */
export async function assertStillFree(
  ctx: Ctx,
  people: Pair,
  span: Interval,
  { withBuffers, moving }: { withBuffers: boolean; moving?: MovingEvent | undefined },
): Promise<void> {
  const isFree = await Promise.all(
    people.map((person) => {
      const widenBy = withBuffers ? person.rules.bufferMinutes * MINUTE : 0;
      return isFreeIn(ctx, person, { start: span.start - widenBy, end: span.end + widenBy }, moving);
    }),
  );
  if (isFree.includes(false)) throw new SlotTaken();
}

async function isFreeIn(ctx: Ctx, person: Person, span: Interval, moving: MovingEvent | undefined): Promise<boolean> {
  try {
    const busy = await retryTransient(ctx, () => readBusy(ctx, person, span, moving));
    return !overlaps(union(inOrder(busy)), span);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
