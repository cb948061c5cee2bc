import { deleteHolds } from '../../../schema/holds/queries.ts';
import { countMeetings } from '../../../schema/meeting-months/queries.ts';
import { confirmReplacement, ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import { deletePendingOperation } from '../../../schema/pending-operations/queries.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { shownTime } from '../calendar-event.ts';
import { type MeetingOperation, pendingOf, type RescheduleIntent } from '../intents.ts';
import { keepAnswer, toRescheduledAnswer } from '../kept-answer.ts';
import type { Meeting } from '../meeting.ts';
import { followHolds } from '../operation.ts';
import { scheduledEvent } from '../webhook-events.ts';

const MOVED = 'Somebody moved the event in the calendar meanwhile; this is the time it has there.';

/**
 * Commits a reschedule: the old meeting becomes `rescheduled` and its time is freed. Its replacement becomes
 * `scheduled` at the time the calendar shows. The webhook event and the API answer are stored. Returns the answer's
 * body, or undefined if another writer holds the meeting by now.
 */
export async function commitReplacement(
  ctx: Ctx,
  operation: MeetingOperation<RescheduleIntent>,
  old: Meeting,
  event: CalendarEvent,
) {
  const { lease, intent } = operation;
  const { newId: id } = intent;
  const from = old.id;
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const meetLink = event.meetLink ?? old.meetLink;
  const { start, end } = shownTime(event, intent);
  const dayParts = dayPartsAt(old.people, start);
  const isMoved = start !== intent.start || end !== intent.end;
  const answer = toRescheduledAnswer({ ...intent, start, ...(isMoved ? { reasoning: MOVED } : {}) });
  const scheduled = scheduledEvent(ctx, { ...old, id, start, end, meetLink, rescheduledFrom: from }, guard);
  const finished = await finish(ctx.db, lease, ending.rescheduled({ now }), [
    deleteHolds(ctx.db, { meetingId: from, guard }),
    confirmReplacement(ctx.db, { id, from, start, end, dayParts, meetLink, now, guard }),
    countMeetings(ctx.db, { meetingIds: [id], guard }),
    ...(isMoved ? followHolds(ctx, id, guard) : []),
    scheduled.statement,
    keepAnswer(ctx, operation, answer, guard),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
  ]);
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, scheduled.deliveryId));
  return answer;
}
