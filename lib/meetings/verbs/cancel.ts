import type { IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import type { Account } from '../../calendars/calls.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { hasCode } from '../../kit/errors.ts';
import { deleteEvent } from '../protocol/calendar-event.ts';
import { reserveChange } from '../protocol/claim.ts';
import { commitCancel } from '../protocol/commit.ts';
import type { IntentOf } from '../protocol/intents.ts';
import { MeetingChanged, runOperation, type Trace } from '../protocol/operation.ts';

interface Input {
  id: string;
  idempotency?: IdempotentRequest | undefined;
  /** The caller decided on the basis of this version. Any version if absent. */
  version?: number | undefined;
  /** Absent if the platform cancels it. */
  by?: IntentOf<'cancel'>['by'];
}

/**
 * Serves `DELETE /v1/meetings/{meeting_id}`. A calendar event that no longer exists counts as deleted. If the requester
 * must connect again, the event stays there. Throws `meeting_not_found`, `meeting_busy`, `calendar_*`, and
 * `MeetingChanged` for another than the given version.
 */
export async function cancelMeeting(ctx: Ctx, platform: Platform, { id, idempotency, version, by }: Input) {
  const operation = { lease: { id, owner: ctx.ids.id('own_') }, intent: { kind: 'cancel' as const, by } };
  const meeting = await reserveChange(ctx, platform, {
    operation,
    idempotency,
    version,
    refuse(snapshot) {
      if (version !== undefined && snapshot.version !== version) throw new MeetingChanged();
    },
  });
  const { people } = meeting;
  return runOperation(ctx, operation, { people, idempotency }, async (trace) => {
    const calendarEvent = await callOff(ctx, people[0], { ...meeting, id: meeting.providerEventId }, trace);
    return commitCancel(ctx, operation, meeting, calendarEvent);
  });
}

/** Returns `kept` without access to the calendar, because a platform must be able to cancel its meeting even then. */
async function callOff(ctx: Ctx, requester: Account, own: Parameters<typeof deleteEvent>[2], trace: Trace) {
  try {
    await deleteEvent(ctx, requester, own, trace);
    return 'deleted';
  } catch (error) {
    if (hasCode(error, 'calendar_reconnect_required')) return 'kept';
    throw error;
  }
}
