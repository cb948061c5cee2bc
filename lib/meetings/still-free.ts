import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { calendarFailure, retryTransient } from '../calendars/calls.ts';
import { type MovingEvent, readBusy } from '../calendars/read-busy.ts';
import type { Ctx } from '../context.ts';
import { inOrder, overlaps, union } from '../scheduling/intervals.ts';
import type { Interval } from '../scheduling/types.ts';
import { personRules } from '../users/person.ts';
import { SlotTaken } from './operation.ts';

/**
 * Reads both calendars once more, just before booking. Throws `SlotTaken` when either is busy, within the person's
 * buffer too if `withBuffers`, and `calendar_*` for one that cannot be read. An event that is `moving` does not count.
 */
export async function assertStillFree(
  ctx: Ctx,
  people: [ConnectedPerson, ConnectedPerson],
  span: Interval,
  { withBuffers, moving }: { withBuffers: boolean; moving?: MovingEvent | undefined },
): Promise<void> {
  const isFree = await Promise.all(
    people.map((person) => {
      const widenBy = withBuffers ? personRules(person).bufferMinutes * 60_000 : 0;
      return isFreeIn(ctx, person, { start: span.start - widenBy, end: span.end + widenBy }, moving);
    }),
  );
  if (isFree.includes(false)) throw new SlotTaken();
}

async function isFreeIn(
  ctx: Ctx,
  person: ConnectedPerson,
  span: Interval,
  moving: MovingEvent | undefined,
): Promise<boolean> {
  try {
    const busy = await retryTransient(ctx, () => readBusy(ctx, person, span, moving));
    return !overlaps(union(inOrder(busy)), span);
  } catch (error) {
    throw calendarFailure(error, person.email);
  }
}
