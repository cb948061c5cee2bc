import { claimKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { claimMeeting } from '../../schema/meetings/change-queries.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { insertChange } from '../../schema/settlements/queries.ts';
import { retryTransient, withCalendar } from '../calendars/calls.ts';
import type { Ctx, Platform } from '../context.ts';
import { CalendarError } from '../ports.ts';
import { claimAtRest } from './at-rest.ts';
import { carryOut } from './carry-out.ts';
import { confirmCancel } from './confirm-cancel.ts';
import type { CancelIntent } from './intent.ts';
import { LEASE_MS } from './promise.ts';
import { claimed } from './two-people.ts';

/** Which idempotent operation a cancellation answers. */
export const CANCEL_OPERATION = 'cancel';

const intent: CancelIntent = { kind: 'cancel' };

/**
 * Cancels a meeting for both (`interface.md`, DELETE /v1/meetings/{meeting_id}); an event that is gone already counts as
 * deleted. Throws `meeting_not_found`, `meeting_busy`, `calendar_*`.
 */
export async function cancelMeeting(
  ctx: Ctx,
  platform: Platform,
  { id, idempotency }: { id: string; idempotency?: KeyClaim | undefined },
) {
  const hold = { id, owner: ctx.ids.id('own_') };
  const { meeting, people } = await claimAtRest(ctx, { platform, id }, async () => {
    const now = ctx.clock.now();
    const lease = { ...hold, leaseUntil: now + LEASE_MS };
    const keys = idempotency ? [claimKey(ctx.db, { ...idempotency, ...lease, resourceId: id, now })] : [];
    const [people, [meeting]] = await ctx.db.batch([
      listMeetingPeople(ctx.db, { meetingId: id }),
      claimMeeting(ctx.db, { ...lease, platformId: platform.id }),
      ...keys,
      insertChange(ctx.db, { hold, kind: 'cancel', intent: { ...intent }, dueAt: lease.leaseUntil, now }),
    ]);
    return claimed(meeting, people);
  });
  const [requester, other] = people;
  const attendees: [string, string] = [requester.email, other.email];
  return carryOut(
    ctx,
    { hold, intent, operation: CANCEL_OPERATION },
    {
      email: requester.email,
      onCalendar(trace) {
        trace.isSent = true;
        return deleteFromCalendar(ctx, requester, meeting.providerEventId);
      },
      confirm: () => confirmCancel(ctx, { ...meeting, ...hold, attendees }),
    },
  );
}

/** Deletes the event, both are told; one that is gone is as good. */
function deleteFromCalendar(ctx: Ctx, requester: ConnectedPerson, eventId: string): Promise<void> {
  return retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => ctx.calendar.deleteEvent(token, eventId)).catch((error: unknown) => {
      if (!(error instanceof CalendarError) || !['not_found', 'gone'].includes(error.kind)) throw error;
    }),
  );
}
