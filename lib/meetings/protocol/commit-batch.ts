import type { Guard } from '../../../schema/db.ts';
import { bookInBatch, failInBatch, wakeBatch } from '../../../schema/meetings/batches-booking.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import { ADVICE } from './failure.ts';
import type { BatchIntent } from './intents.ts';

/** They count the meeting as booked, in the batch that confirms it, and wake the other. */
export const bookedInBatch = (
  { db, clock }: Ctx,
  { id: meetingId, start, end }: Interval & { id: string },
  { batchId: id }: BatchIntent,
  guard: Guard,
) => [bookInBatch(db, { meetingId, start, end, guard }), wakeBatch(db, { id, now: clock.now(), guard })];

/** Nobody learned within a day whether it was booked. Runs after the undo of the booking, in the same transaction. */
export const lostInBatch = (
  ctx: Ctx,
  { attendees: [requester] }: { attendees: [string, string] },
  place: BatchIntent,
  guard: Guard,
) =>
  failInBatch(ctx.db, {
    ...place,
    reason: {
      code: 'GOOGLE_API_ERROR',
      message: `The calendar of ${requester} did not confirm the booking within 24 hours, so no meeting was booked.`,
      suggestions: ADVICE.GOOGLE_API_ERROR,
      relaxations: [],
    },
    guard,
  });
