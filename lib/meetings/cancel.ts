import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { deleteEvent } from './calendar-event.ts';
import { claim } from './claim.ts';
import { commitCancel } from './commits/cancel.ts';
import { runOperation, type Trace } from './operation.ts';

interface Input {
  id: string;
  idempotency?: KeyClaim | undefined;
}

/**
 * Cancels a meeting for both (`interface.md`, DELETE /v1/meetings/{meeting_id}); an event that is gone already counts as
 * deleted, and one on a calendar that is closed to the platform is kept there. Throws `meeting_not_found`,
 * `meeting_busy`, `calendar_*`.
 */
export async function cancelMeeting(ctx: Ctx, platform: Platform, { id, idempotency }: Input) {
  const operation = { lease: { id, owner: ctx.ids.id('own_') }, intent: { kind: 'cancel' as const } };
  const { meeting, people } = await claim(ctx, platform, { operation, idempotency });
  const [requester, other] = people;
  const caller = { email: requester.email, isKeyed: idempotency !== undefined };
  return runOperation(ctx, operation, caller, async (trace) => {
    const calendarEvent = await callOff(ctx, requester, meeting.providerEventId, trace);
    return commitCancel(ctx, operation, { ...meeting, attendees: [requester.email, other.email] }, calendarEvent);
  });
}

/** A platform must be able to call its meeting off, also when the calendar it stands on may no longer be touched. */
async function callOff(ctx: Ctx, requester: ConnectedPerson, eventId: string, trace: Trace) {
  try {
    await deleteEvent(ctx, requester, eventId, trace);
    return 'deleted';
  } catch (error) {
    if (error instanceof AppError && error.code === 'calendar_reconnect_required') return 'kept';
    throw error;
  }
}
