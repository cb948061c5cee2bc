import type { Metadata } from '../../../schema/api/metadata.ts';
import { deleteHolds } from '../../../schema/holds/queries.ts';
import { finishKey } from '../../../schema/idempotency/queries.ts';
import { countMeetings } from '../../../schema/meeting-months/queries.ts';
import { confirmReplacement, ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import { deletePendingOperation, passOnPendingOperations } from '../../../schema/pending-operations/queries.ts';
import type { Ctx } from '../../context.ts';
import type { CalendarEvent } from '../../ports.ts';
import { dayPartsAt, type Zoned } from '../../users/person.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { toRescheduledAnswer } from '../answers.ts';
import { shownTime } from '../calendar-event.ts';
import { keyOf, type Operation, pendingOf, type RescheduleIntent } from '../intents.ts';
import { followHolds } from '../operation.ts';
import { scheduledEvent } from '../webhook-events.ts';

const MOVED = 'Somebody moved the event in the calendar meanwhile; this is the time it has there.';

/** The old meeting. */
interface Replaced {
  id: string;
  platformId: string;
  attendees: [string, string];
  metadata: Metadata;
  people: [Zoned, Zoned];
  location: string;
  meetLink: string | null;
}

/**
 * The old meeting is `rescheduled` and its time free, its replacement is `scheduled` where the calendar shows it; the event and the answer are kept.
 * Answers the body, or undefined when another writer has the meeting by now.
 */
export async function commitReplacement(
  ctx: Ctx,
  operation: Operation<RescheduleIntent>,
  old: Replaced,
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
    finishKey(ctx.db, { ...keyOf(operation), guard, status: 200, body: JSON.stringify(answer) }),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    passOnPendingOperations(ctx.db, { id, from, guard }),
  ]);
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, scheduled.deliveryId));
  return answer;
}
