import { endKeyLease, releaseKey } from '../../schema/idempotency/queries.ts';
import { abandonMeeting } from '../../schema/meetings/book-queries.ts';
import { endLease, isFinishedBy } from '../../schema/meetings/claim-queries.ts';
import { calendarFailure } from '../calendars/calls.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError, outcomeUnknown } from '../errors.ts';
import { CalendarError } from '../ports.ts';
import { confirmBooking } from './confirm.ts';
import { SlotTaken } from './conflicts.ts';
import { type Booking, promiseMeeting } from './promise.ts';
import { putOnCalendar } from './put-on-calendar.ts';
import { scheduleRecheck } from './recheck.ts';
import { assertStillFree } from './still-free.ts';

/** Which idempotent operation a booking answers. */
export const BOOK_OPERATION = 'schedule';

const UNSETTLED =
  'The booking will be finished or undone within minutes; a retry with the same Idempotency-Key is safe.';

type Promised = Awaited<ReturnType<typeof promiseMeeting>>;

/**
 * Books a meeting in three steps: A promises it in one batch, B puts it on the calendar, C settles. A guarded one is
 * checked against both calendars in between. Throws what A throws, `SlotTaken` and `calendar_*`.
 */
export async function bookMeeting(ctx: Ctx, platform: Platform, booking: Booking) {
  const promised = await promiseMeeting(ctx, platform, booking);
  try {
    const withBuffers = booking.job !== undefined;
    if (booking.guarded) await assertStillFree(ctx, promised.people, promised, { withBuffers });
    const { id: meetingId, providerEventId: id } = promised;
    const event = await putOnCalendar(ctx, promised.people[0], { ...promised, meetingId, id });
    const answer = await confirmBooking(ctx, promised, event);
    if (answer !== undefined) return answer;
    await scheduleRecheck(ctx, promised.id, ctx.clock.now());
    throw new AppError('internal_error', `The booking took too long. ${UNSETTLED}`);
  } catch (error) {
    const { email } = promised.people[0];
    if (!mayStand(error)) {
      await giveUp(ctx, promised);
      throw calendarFailure(error, email);
    }
    await handOver(ctx, promised);
    throw error instanceof CalendarError ? outcomeUnknown(email, UNSETTLED, error) : error;
  }
}

/** After these the calendar may hold the event; the settlement stays and the sweep asks by id. */
function mayStand(error: unknown): boolean {
  if (error instanceof CalendarError) return error.kind === 'unavailable';
  return !(error instanceof AppError || error instanceof SlotTaken);
}

async function handOver(ctx: Ctx, { id, owner }: Promised): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.batch([
    endKeyLease(ctx.db, { operation: BOOK_OPERATION, resourceId: id, now }),
    endLease(ctx.db, { id, owner, now }),
  ]);
}

async function giveUp(ctx: Ctx, { id, owner }: Promised): Promise<void> {
  await ctx.db.batch([
    ...abandonMeeting(ctx.db, { id, owner, now: ctx.clock.now() }),
    releaseKey(ctx.db, { operation: BOOK_OPERATION, resourceId: id, onlyIf: isFinishedBy({ id, owner }) }),
  ]);
}
