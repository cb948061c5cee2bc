import { confirmQuota, giveQuotaBack } from '../../../schema/access/usage.ts';
import { findTimeZone } from '../../../schema/access/users.ts';
import type { AttendeeDetails } from '../../../schema/api/fields.ts';
import type { CancelledMeeting } from '../../../schema/api/meetings.ts';
import { changedMetadata } from '../../../schema/api/metadata.ts';
import type { Guard, Statement } from '../../../schema/db.ts';
import { confirmReplacement, ending, finish, isFinishedBy, replaceOther } from '../../../schema/meetings/finish.ts';
import { deleteHolds, followAnswers } from '../../../schema/meetings/holds.ts';
import { type Conflict, listConflicts } from '../../../schema/meetings/list.ts';
import { countMeetings } from '../../../schema/meetings/meeting-months.ts';
import {
  deletePendingOperation,
  deletePendingOperations,
  insertAfterwards,
} from '../../../schema/meetings/pending-operations.ts';
import { expireMove } from '../../../schema/meetings/proposals-accept.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { usageNotices } from '../../usage/usage.ts';
import { publishEvents } from '../../webhooks/outbox.ts';
import { seenTag, shownTime } from './calendar-event.ts';
import { type IntentOf, type MeetingOperation, pendingOf } from './intents.ts';
import {
  keepAnswer,
  toCancelledAnswer,
  toRescheduledAnswer,
  toScheduledAnswer,
  toUpdatedAnswer,
} from './kept-answer.ts';
import type { Meeting } from './meeting.ts';
import { followHolds, VERIFY_AFTER_MS } from './operation.ts';
import {
  acceptedIn,
  acceptedProposal,
  BY_ATTENDEE,
  bookedInBatch,
  type CalledOff,
  cancelledEvent,
  completedJob,
  MOVED_IN_CALENDAR,
  scheduledEvent,
  updatedEvent,
} from './webhook-events.ts';

/** The calendar creates the video link with the event, which does not exist yet. */
type ReservedMeeting = Omit<Meeting, 'meetLink' | 'eventEtag'> & {
  plan: string;
  usageMonth: string | null;
  conflicts: Conflict[];
};

const LINK_RETRY_MS = 5_000;

function awaitLink(ctx: Ctx, { id: meetingId, meetLink }: Pick<Meeting, 'id' | 'meetLink'>, guard: Guard) {
  const now = ctx.clock.now();
  if (meetLink !== null) return [];
  return [insertAfterwards(ctx.db, { meetingId, kind: 'link', dueAt: now + LINK_RETRY_MS, now, guard })];
}

export const sayNoMeet = (email: string) =>
  `The calendar of ${email} cannot have Google Meet, so the meeting has no video link.`;

/**
 * The meeting gets the time the calendar shows. The same batch confirms the quota and stores the events, the API
 * answer, the result of a job, and the end of an accepted proposal. Returns undefined if another process has taken over
 * the booking.
 */
export async function commitBooking(
  ctx: Ctx,
  operation: MeetingOperation<IntentOf<'book'>>,
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
      ...(batch ? bookedInBatch(ctx, made, batch.batchId, guard) : []),
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
  publishEvents(ctx, scheduled, ...ended, ...crossed);
  return { answer, proposal: accepted && acceptedIn(finished.followed) };
}

const MOVED = 'Somebody moved the event in the calendar meanwhile; this is the time it has there.';

/**
 * The replacement becomes `scheduled` at the time the calendar shows. The same batch stores the events, the API answer
 * and the end of an accepted proposal, and any other proposal to move the old meeting expires. Returns undefined if
 * another process has taken over the meeting.
 */
export async function commitReplacement(
  ctx: Ctx,
  operation: MeetingOperation<IntentOf<'reschedule'>>,
  old: Meeting,
  event: CalendarEvent,
) {
  const { lease, intent } = operation;
  const { newId: id } = intent;
  const from = old.id;
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const meetLink = event.meetLink ?? old.meetLink;
  const { timeZone } = old.people[0];
  const { start, end } = shownTime(event, intent, timeZone);
  const dayParts = dayPartsAt(old.people, start);
  const isMoved = start !== intent.start || end !== intent.end;
  const answer = toRescheduledAnswer({ ...intent, start, ...(isMoved ? { reasoning: MOVED } : {}) });
  const made = { ...old, id, start, end, meetLink, rescheduledFrom: from };
  const scheduled = scheduledEvent(ctx, made, guard);
  const accepted = intent.proposal && acceptedProposal(ctx, made, intent.proposal, guard);
  const finished = await finish(ctx.db, lease, ending.rescheduled({ now }), [
    deleteHolds(ctx.db, { meetingId: from, guard }),
    confirmReplacement(ctx.db, {
      ...{ id, from, start, end, dayParts, meetLink, now, guard },
      etag: seenTag(event, made, timeZone),
    }),
    countMeetings(ctx.db, { meetingIds: [id], guard }),
    ...(accepted?.statements ?? []),
    // Somebody may have answered the invitation since the new time was reserved. And a proposal reserves its times for
    // both people, even for one who declined or was taken off the event.
    ...followAnswers(ctx.db, { meetingId: id, guard }),
    expireMove(ctx.db, { meetingId: from, now, guard }),
    ...(isMoved ? followHolds(ctx, id, guard) : []),
    scheduled.statement,
    keepAnswer(ctx, operation, answer, guard),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ...(accepted === undefined ? [] : [accepted.ended]),
  ]);
  if (finished === undefined) return undefined;
  publishEvents(ctx, scheduled, ...(accepted ? [accepted] : []));
  return { answer, proposal: accepted && acceptedIn(finished.followed) };
}

/**
 * A new second attendee has used one meeting of the quota, which is confirmed if the calendar invites them, and given
 * back otherwise. Returns undefined if another process has taken over the meeting.
 */
export async function commitUpdate(
  ctx: Ctx,
  operation: MeetingOperation<IntentOf<'update'>>,
  meeting: Meeting & { plan: string },
  event: CalendarEvent,
) {
  const { lease, intent } = operation;
  const { id, platformId } = meeting;
  const { timeZone } = meeting.people[0];
  const { start, end } = shownTime(event, intent, timeZone);
  const isAsked = start === intent.start && end === intent.end;
  const { by, reason } = isAsked ? { by: platformId, reason: intent.reason } : MOVED_IN_CALENDAR;
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const [requester, former] = meeting.attendees;
  const other = intent.other ?? former;
  const keepsPeople = other === former;
  const metadata = changedMetadata(meeting.metadata, intent.metadata);
  const [first, second] = meeting.details;
  const attendees: [string, string] = [requester, other];
  const details: AttendeeDetails = [first, keepsPeople ? second : { email: other, isConnected: true }];
  const updated = { id, platformId, attendees, details, start, end, metadata };
  const answer = toUpdatedAnswer(updated, intent.warnings);
  const conflicts = isAsked ? undefined : await listConflicts(ctx.db, updated);
  const told = updatedEvent(ctx, { ...updated, old: meeting, by, reason, conflicts }, guard);
  const zone = keepsPeople ? undefined : await findTimeZone(ctx.db, other);
  const person = zone === undefined ? meeting.people[1] : { timeZone: knownZone(zone) };
  const dayParts = dayPartsAt([meeting.people[0], person], start);
  const month = keepsPeople ? null : (intent.usageMonth ?? null);
  const unused = keepsPeople ? intent.usageMonth : undefined;
  const notices = usageNotices(ctx, { platformId, plan: meeting.plan, month });
  const finished = await finish(
    ctx.db,
    lease,
    ending.updated({
      ...{ start, end, dayParts, keepsPeople, metadata: intent.metadata, now },
      etag: seenTag(event, { ...meeting, ...updated }, timeZone),
    }),
    [
      ...(keepsPeople ? [] : [replaceOther(ctx.db, { id, platformId, other, guard })]),
      ...followHolds(ctx, id, guard),
      expireMove(ctx.db, { meetingId: id, now, guard }),
      told.statement,
      keepAnswer(ctx, operation, answer, guard),
      deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ],
    {
      last: [
        confirmQuota(ctx.db, { platformId, month, guard }),
        ...notices.flatMap(({ statements }) => statements),
        ...(unused === undefined ? [] : [giveQuotaBack(ctx.db, { meetingId: id, month: unused, guard })]),
      ],
    },
  );
  if (finished === undefined) return undefined;
  const [[usage]] = finished.last;
  const crossed = notices.filter(({ threshold }) => threshold === usage?.confirmed);
  publishEvents(ctx, told, ...crossed);
  return answer;
}

/** Only a check of an event that is not deleted stays pending. Undefined if another process took over the meeting. */
export async function commitCancel(
  ctx: Ctx,
  operation: MeetingOperation<IntentOf<'cancel'>>,
  meeting: Meeting & { calledOff?: CalledOff },
  calendarEvent: CancelledMeeting['calendar_event'],
) {
  const { lease } = operation;
  const { id: meetingId } = meeting;
  const guard = isFinishedBy(lease);
  const now = ctx.clock.now();
  // An intent with an unknown end is kept, so that the check deletes the event however late it runs. An event that
  // certainly was not deleted is deleted only within seven days.
  const undone = calendarEvent === 'unknown' ? { [lease.owner]: operation.intent } : {};
  const deletion = { kind: 'verify' as const, intent: undone, dueAt: now + VERIFY_AFTER_MS };
  const answer = toCancelledAnswer(meetingId, calendarEvent);
  const calledOff = meeting.calledOff ?? (operation.intent.by === 'attendee' ? BY_ATTENDEE : undefined);
  const event = cancelledEvent(ctx, { ...meeting, calendarEvent, calledOff }, guard);
  const finished = await finish(ctx.db, lease, ending.cancelled({ now }), [
    deleteHolds(ctx.db, { meetingId, guard }),
    expireMove(ctx.db, { meetingId, now, guard }),
    event.statement,
    keepAnswer(ctx, operation, answer, guard),
    deletePendingOperations(ctx.db, { meetingId, guard }),
    ...(calendarEvent === 'deleted' ? [] : [insertAfterwards(ctx.db, { ...deletion, meetingId, now, guard })]),
  ]);
  if (finished === undefined) return undefined;
  publishEvents(ctx, event);
  return answer;
}
