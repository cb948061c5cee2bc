import type { Guard } from '../../../schema/db.ts';
import { failInBatch } from '../../../schema/meetings/batches-booking.ts';
import type { Ctx } from '../../kit/context.ts';
import { ADVICE } from './failure.ts';
import type { BatchIntent } from './intents.ts';

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
