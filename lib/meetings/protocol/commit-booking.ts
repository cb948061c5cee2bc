import { confirmQuota } from '../../../schema/access/usage.ts';
import type { Statement } from '../../../schema/db.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import type { Conflict } from '../../../schema/meetings/list.ts';
import { deletePendingOperation } from '../../../schema/meetings/pending-operations.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { usageNotices } from '../../usage/usage.ts';
import { publishChange } from '../../webhooks/outbox.ts';
import { acceptedIn, acceptedProposal, bookedInBatch, completedJob } from './commit-source.ts';
import { seenTag } from './followed-changes.ts';
import { type BookIntent, type MeetingOperation, pendingOf } from './intents.ts';
import { keepAnswer, toScheduledAnswer } from './kept-answer.ts';
import { awaitLink } from './late-link.ts';
import type { Meeting } from './meeting.ts';
import { followHolds } from './operation.ts';
import { shownTime } from './own-event.ts';
import { scheduledEvent } from './webhook-events.ts';

/** The calendar creates the video link with the event, which does not exist yet. */
export type ReservedMeeting = Omit<Meeting, 'meetLink' | 'eventEtag'> & {
  plan: string;
  title: string;
  usageMonth: string | null;
  conflicts: Conflict[];
};

export const sayNoMeet = (email: string) =>
  `The calendar of ${email} cannot have Google Meet, so the meeting has no video link.`;

/**
 * The meeting gets the time the calendar shows. The same batch confirms the quota and stores the events, the API
 * answer, the result of a job, and the end of an accepted proposal. Returns undefined if another process has taken over
 * the booking.
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
  const guard = isFinishedBy(lease);
  const { timeZone } = meeting.people[0];
  const { start, end } = shownTime(event, meeting, timeZone);
  const { meetLink } = event;
  const hasNoMeet = meetLink === null && !event.linkPending;
  const made = { ...meeting, start, end, meetLink, ...(hasNoMeet && event.location === '' && { location: '' }) };
  const { warnings } = operation.intent;
  const answer = toScheduledAnswer(made, hasNoMeet ? [...(warnings ?? []), sayNoMeet(meeting.attendees[0])] : warnings);
  const scheduled = scheduledEvent(ctx, made, guard);
  const { job, batch, proposal } = operation.intent;
  const completed = job && completedJob(ctx, made, job, guard);
  const accepted = proposal && acceptedProposal(ctx, made, proposal, guard);
  const ended = [completed, accepted].filter((end) => end !== undefined);
  const notices = usageNotices(ctx, { platformId, plan, month });
  const dayParts = dayPartsAt(meeting.people, start);
  const finished = await finish(
    ctx.db,
    lease,
    ending.scheduled({ ...made, dayParts, etag: seenTag(event, made, timeZone), now }),
    [
      scheduled.statement,
      ...ended.flatMap<Statement>(({ statements }) => statements),
      ...(batch ? bookedInBatch(ctx, made, batch, guard) : []),
      // Only a request has an idempotency key. A job or a batch has none of its own.
      ...(job === undefined && batch === undefined ? [keepAnswer(ctx, operation, answer, guard)] : []),
      ...(event.linkPending ? awaitLink(ctx, made, guard) : []),
      deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
      ...(start === meeting.start && end === meeting.end ? [] : followHolds(ctx, id, guard)),
      ...(accepted === undefined ? [] : [accepted.ended]),
    ],
    { last: [confirmQuota(ctx.db, { platformId, month, guard }), ...notices.flatMap(({ statements }) => statements)] },
  );
  if (finished === undefined) return undefined;
  const [[usage]] = finished.last;
  const crossed = notices.filter(({ threshold }) => threshold === usage?.confirmed);
  const deliveryIds = [scheduled, ...ended, ...crossed].map(({ deliveryId }) => deliveryId);
  ctx.later(publishChange(ctx, deliveryIds));
  return { answer, proposal: accepted && acceptedIn(finished.followed) };
}
