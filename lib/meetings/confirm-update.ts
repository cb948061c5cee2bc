import type { UpdatedMeeting } from '../../schema/api/meetings.ts';
import { trimHolds } from '../../schema/holds/queries.ts';
import { finishKey } from '../../schema/idempotency/queries.ts';
import { moveMeetingRow, replaceOther } from '../../schema/meetings/change-queries.ts';
import { isFinishedBy } from '../../schema/meetings/claim-queries.ts';
import { deleteSettlement } from '../../schema/settlements/queries.ts';
import type { Ctx } from '../context.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import type { UpdateIntent } from './intent.ts';
import { isoUtc } from './times.ts';
import { UPDATE_OPERATION } from './update.ts';

/** The meeting as it was. */
interface Updated {
  id: string;
  owner: string;
  platformId: string;
  attendees: [string, string];
  start: number;
  end: number;
}

/**
 * Step C of an update, one batch: the meeting is `updated`, its old time is free, its event and answer are kept. Answers
 * the body, or undefined when somebody else holds the meeting by now.
 */
export async function confirmUpdate(ctx: Ctx, meeting: Updated, intent: UpdateIntent) {
  const { id, owner, platformId } = meeting;
  const now = ctx.clock.now();
  const onlyIf = isFinishedBy({ id, owner });
  const other = intent.other ?? meeting.attendees[1];
  const keepsPeople = other === meeting.attendees[1];
  const attendees = [meeting.attendees[0], other];
  const [newStart, newEnd] = [isoUtc(intent.start), isoUtc(intent.end)];
  const answer: UpdatedMeeting = {
    success: true,
    meeting_id: id,
    start_time: newStart,
    end_time: newEnd,
    attendees,
    status: 'updated',
  };
  const { statement, deliveryId } = insertEvent(ctx, {
    ...{ platformId, type: 'meeting.updated', onlyIf },
    data: {
      meeting_id: id,
      attendees,
      updated_at: isoUtc(now),
      changes: {
        ...{ updated_by: platformId, reason: intent.reason },
        ...{ old_start_time: isoUtc(meeting.start), new_start_time: newStart },
        ...{ old_end_time: isoUtc(meeting.end), new_end_time: newEnd },
      },
    },
  });
  const [updated] = await ctx.db.batch([
    moveMeetingRow(ctx.db, { id, owner, start: intent.start, end: intent.end, keepsPeople, now }),
    ...(keepsPeople ? [] : [replaceOther(ctx.db, { id, platformId, other, onlyIf })]),
    trimHolds(ctx.db, { meetingId: id, onlyIf }),
    statement,
    finishKey(ctx.db, {
      ...{ operation: UPDATE_OPERATION, resourceId: id, onlyIf },
      ...{ status: 200, body: JSON.stringify(answer) },
    }),
    deleteSettlement(ctx.db, { meetingId: id, kind: 'move', onlyIf }),
  ]);
  if (updated.length === 0) return undefined;
  ctx.later(publishDelivery(ctx, deliveryId));
  return answer;
}
