import type { CancelledMeeting } from '../../schema/api/meetings.ts';
import { deleteHolds } from '../../schema/holds/queries.ts';
import { finishKey } from '../../schema/idempotency/queries.ts';
import { cancelMeetingRow } from '../../schema/meetings/change-queries.ts';
import { isFinishedBy } from '../../schema/meetings/claim-queries.ts';
import { deleteSettlements } from '../../schema/settlements/queries.ts';
import type { Ctx } from '../context.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import { CANCEL_OPERATION } from './cancel.ts';
import { isoUtc } from './times.ts';

interface Cancelled {
  id: string;
  owner: string;
  platformId: string;
  attendees: [string, string];
  start: number;
}

/**
 * Step C of a cancellation, one batch: the meeting is `cancelled`, its time is free, its event and answer are kept.
 * Answers the body, or undefined when somebody else holds the meeting by now.
 */
export async function confirmCancel(ctx: Ctx, { id, owner, platformId, attendees, start }: Cancelled) {
  const now = ctx.clock.now();
  const onlyIf = isFinishedBy({ id, owner });
  const answer: CancelledMeeting = { success: true, meeting_id: id, status: 'cancelled' };
  const { statement, deliveryId } = insertEvent(ctx, {
    ...{ platformId, type: 'meeting.cancelled', onlyIf },
    data: {
      meeting_id: id,
      attendees,
      start_time: isoUtc(start),
      cancelled_at: isoUtc(now),
      cancelled_by: platformId,
      reason: 'cancelled_by_platform',
    },
  });
  const [cancelled] = await ctx.db.batch([
    cancelMeetingRow(ctx.db, { id, owner, now }),
    deleteHolds(ctx.db, { meetingId: id, onlyIf }),
    statement,
    finishKey(ctx.db, {
      ...{ operation: CANCEL_OPERATION, resourceId: id, onlyIf },
      ...{ status: 200, body: JSON.stringify(answer) },
    }),
    deleteSettlements(ctx.db, { meetingId: id, onlyIf }),
  ]);
  if (cancelled.length === 0) return undefined;
  ctx.later(publishDelivery(ctx, deliveryId));
  return answer;
}
