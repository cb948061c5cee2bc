import type { Conflict } from '../../../schema/meetings/conflict-queries.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import { deletePendingOperation, insertAfterwards } from '../../../schema/pending-operations/queries.ts';
import { confirmQuota } from '../../../schema/usage/queries.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { usageNotices } from '../../usage/quota.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { shownTime } from '../calendar-event.ts';
import { type BookIntent, type MeetingOperation, pendingOf } from '../intents.ts';
import { keepAnswer, toScheduledAnswer } from '../kept-answer.ts';
import type { Meeting } from '../meeting.ts';
import { followHolds, LINK_RETRY_MS } from '../operation.ts';
import { scheduledEvent } from '../webhook-events.ts';
import { completedJob } from './job.ts';
import { acceptedProposal } from './proposal.ts';

/**
 * A meeting that is reserved but not yet on the calendar. It has no video link, because the calendar event creates the
 * link.
 */
export type ReservedMeeting = Omit<Meeting, 'meetLink'> & {
  plan: string;
  title: string;
  usageMonth: string | null;
  conflicts: Conflict[];
};

/**
 * Commits a booking: the meeting becomes `scheduled` at the time the calendar shows. The same batch confirms its quota
 * and stores its webhook events, the API answer, the job's result and the end of the proposal that it accepts. Returns the answer's body, or undefined if
 * another writer holds the meeting by now.
 */
export async function commitBooking(
  ctx: Ctx,
  operation: MeetingOperation<BookIntent>,
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
  const answer = toScheduledAnswer(made, operation.intent.warnings);
  const scheduled = scheduledEvent(ctx, made, guard);
  const { job, proposal } = operation.intent;
  const completed = job && completedJob(ctx, made, job, guard);
  const accepted = proposal && acceptedProposal(ctx, made, proposal, guard);
  const notices = month === null ? [] : usageNotices(ctx, { platformId, plan, month });
  const dayParts = dayPartsAt(meeting.people, start);
  const results = await finish(ctx.db, lease, ending.scheduled({ start, end, dayParts, meetLink, now }), [
    confirmQuota(ctx.db, { platformId, month, guard }),
    scheduled.statement,
    ...(completed?.statements ?? []),
    ...(accepted?.statements ?? []),
    ...notices.flatMap(({ statements }) => statements),
    keepAnswer(ctx, operation, answer, guard),
    ...(event.linkPending && meetLink === null
      ? [insertAfterwards(ctx.db, { meetingId: id, kind: 'link', dueAt: now + LINK_RETRY_MS, now, guard })]
      : []),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ...(start === meeting.start && end === meeting.end ? [] : followHolds(ctx, id, guard)),
  ]);
  if (results === undefined) return undefined;
  const [[usage]] = results;
  const crossed = notices.filter(({ threshold }) => threshold === usage?.confirmed);
  const ended = [completed, accepted].filter((end) => end !== undefined);
  for (const { deliveryId } of [scheduled, ...ended, ...crossed]) ctx.later(publishDelivery(ctx, deliveryId));
  return answer;
}
