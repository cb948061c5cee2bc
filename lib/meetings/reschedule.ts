import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Standing } from '../../schema/meetings/change-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError, meetingBusy } from '../errors.ts';
import { reasoningOf } from '../jobs/pick-slots.ts';
import { describeLearning, learnFromReason } from '../learning/learn.ts';
import type { AutoSlot } from '../scheduling/rank-auto.ts';
import type { Interval } from '../scheduling/types.ts';
import { standingAtRest } from './at-rest.ts';
import { carryOut } from './carry-out.ts';
import { confirmReschedule } from './confirm-reschedule.ts';
import { MeetingChanged, SlotTaken } from './conflicts.ts';
import type { RescheduleIntent } from './intent.ts';
import { moveOnCalendar } from './move-on-calendar.ts';
import { promiseSuccessor } from './promise-successor.ts';
import { assertStillFree } from './still-free.ts';
import { successorSlots } from './successor-slots.ts';

/** Which idempotent operation a reschedule answers. */
export const RESCHEDULE_OPERATION = 'reschedule';

const SEARCHES = 3;
/** No further time is tried later than this into a request. */
const BUDGET_MS = 20_000;

interface Input {
  id: string;
  requestedBy: string;
  reason: string;
  /** Where the meeting is to lie, epoch milliseconds. */
  within?: Interval | undefined;
  idempotency?: KeyClaim | undefined;
}

/**
 * Learns from the reason, then moves the meeting to the best other time of both, under a new id (`interface.md`, POST
 * /v1/meetings/{meeting_id}/reschedule). Throws `meeting_not_found`, `meeting_busy`, `no_availability`,
 * `user_not_found`, `calendar_*`, and `invalid_*` naming the field.
 */
export async function rescheduleMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { id, within } = input;
  const lastStart = ctx.clock.now() + BUDGET_MS;
  if (within !== undefined && within.end <= ctx.clock.now())
    throw new AppError('invalid_time', 'preferred_time_range.end must be in the future.', {
      field: 'preferred_time_range.end',
    });
  for (let search = 0; search < SEARCHES; search++) {
    const standing = await standingAtRest(ctx, platform, id);
    const learnedFrom = describeLearning(await learn(ctx, standing, input));
    const { start, end } = standing;
    const attendees: [string, string] = [standing.organizer, standing.other];
    try {
      for (const slot of await successorSlots(ctx, platform, { id, attendees, start, end, within })) {
        if (ctx.clock.now() > lastStart) throw meetingBusy();
        const moved = await moveTo(ctx, platform, { ...input, standing, slot, learnedFrom });
        if (moved !== undefined) return moved;
      }
    } catch (error) {
      if (!(error instanceof MeetingChanged)) throw error;
    }
  }
  throw new AppError('no_availability', 'Every common time was taken by another meeting before it could be booked.');
}

function learn(ctx: Ctx, { organizer, organizerId, other, otherId }: Standing, { id, requestedBy, reason }: Input) {
  if (requestedBy !== organizer && requestedBy !== other)
    throw new AppError('invalid_request', 'requested_by must be an attendee of the meeting.', {
      field: 'requested_by',
    });
  const userId = requestedBy === organizer ? organizerId : otherId;
  return learnFromReason(ctx, { userId, meetingId: id, reason });
}

/** The answer, or undefined when the time was taken meanwhile. */
async function moveTo(
  ctx: Ctx,
  platform: Platform,
  { id, standing, slot, learnedFrom, idempotency }: Input & { standing: Standing; slot: AutoSlot; learnedFrom: string },
) {
  const hold = { id, owner: ctx.ids.id('own_') };
  const { start } = slot;
  const span = { start, end: start + standing.end - standing.start };
  const newId = ctx.ids.id('meet_');
  const intent: RescheduleIntent = {
    kind: 'reschedule',
    newId,
    ...span,
    reasoning: reasoningOf(slot, undefined),
    learnedFrom,
  };
  try {
    const { version } = standing;
    const { meeting, people } = await promiseSuccessor(ctx, platform, { hold, version, intent, idempotency });
    const attendees: [string, string] = [people[0].email, people[1].email];
    return await carryOut(
      ctx,
      { hold, intent, operation: RESCHEDULE_OPERATION },
      {
        email: attendees[0],
        async onCalendar(trace) {
          await assertStillFree(ctx, people, span, { withBuffers: true });
          return moveOnCalendar(ctx, people[0], meeting.providerEventId, span, trace);
        },
        confirm: (event) => confirmReschedule(ctx, { ...meeting, ...hold, attendees }, intent, event),
      },
    );
  } catch (error) {
    if (error instanceof SlotTaken) return undefined;
    throw error;
  }
}
