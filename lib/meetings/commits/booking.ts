import type { Metadata } from '../../../schema/api/metadata.ts';
import { finishKey } from '../../../schema/idempotency/queries.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import type { Conflict } from '../../../schema/meetings/read-queries.ts';
import { deletePendingOperation, insertAfterwards } from '../../../schema/pending-operations/queries.ts';
import { confirmQuota } from '../../../schema/usage/queries.ts';
import type { Ctx } from '../../context.ts';
import { completedJob } from '../../jobs/end.ts';
import type { CalendarEvent } from '../../ports.ts';
import { usageNotices } from '../../usage/quota.ts';
import { dayPartsAt, type Zoned } from '../../users/person.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { toScheduledAnswer } from '../answers.ts';
import { shownTime } from '../calendar-event.ts';
import { type BookIntent, keyOf, type Operation, pendingOf } from '../intents.ts';
import { followHolds, LINK_RETRY_MS } from '../operation.ts';
import { scheduledEvent } from '../webhook-events.ts';

export interface ReservedMeeting {
  id: string;
  platformId: string;
  plan: string;
  title: string;
  attendees: [string, string];
  metadata: Metadata;
  people: [Zoned, Zoned];
  location: string;
  start: number;
  end: number;
  providerEventId: string;
  usageMonth: string | null;
  conflicts: Conflict[];
}

/**
 * The meeting is `scheduled`, at the time the calendar shows: its quota is confirmed, its events are written, its answer and its job's result are kept.
 * Answers the body, or undefined when another writer has the meeting by now.
 */
export async function commitBooking(
  ctx: Ctx,
  operation: Operation<BookIntent>,
  meeting: ReservedMeeting,
  event: CalendarEvent,
) {
  const now = ctx.clock.now();
  const { lease } = operation;
  const { id, platformId, plan, usageMonth: month } = meeting;
  const { meetLink } = event;
  const guard = isFinishedBy(lease);
  const { start, end } = shownTime(event, meeting);
  const made = { ...meeting, start, end, meetLink };
  const answer = toScheduledAnswer(made);
  const scheduled = scheduledEvent(ctx, made, guard);
  const { job } = operation.intent;
  const completed = job && completedJob(ctx, made, job, guard);
  const notices = month === null ? [] : usageNotices(ctx, { platformId, plan, month });
  const dayParts = dayPartsAt(meeting.people, start);
  const results = await finish(ctx.db, lease, ending.scheduled({ start, end, dayParts, meetLink, now }), [
    confirmQuota(ctx.db, { platformId, month, guard }),
    scheduled.statement,
    ...(completed?.statements ?? []),
    ...notices.flatMap(({ statements }) => statements),
    finishKey(ctx.db, { ...keyOf(operation), guard, status: 200, body: JSON.stringify(answer) }),
    ...(event.linkPending && meetLink === null
      ? [insertAfterwards(ctx.db, { meetingId: id, kind: 'link', dueAt: now + LINK_RETRY_MS, now, guard })]
      : []),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ...(start === meeting.start && end === meeting.end ? [] : followHolds(ctx, id, guard)),
  ]);
  if (results === undefined) return undefined;
  const [[usage]] = results;
  const crossed = notices.filter(({ threshold }) => threshold === usage?.confirmed);
  for (const { deliveryId } of [scheduled, ...(completed ? [completed] : []), ...crossed])
    ctx.later(publishDelivery(ctx, deliveryId));
  return answer;
}
