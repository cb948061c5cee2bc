import { confirmReplacement, ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import { deleteHolds, followAnswers } from '../../../schema/meetings/holds.ts';
import { countMeetings } from '../../../schema/meetings/meeting-months.ts';
import { deletePendingOperation } from '../../../schema/meetings/pending-operations.ts';
import { expireMove } from '../../../schema/meetings/proposals-move.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { publishChange } from '../../webhooks/outbox.ts';
import { acceptedIn, acceptedProposal } from './commit-source.ts';
import { seenTag } from './followed-changes.ts';
import { type MeetingOperation, pendingOf, type RescheduleIntent } from './intents.ts';
import { keepAnswer, toRescheduledAnswer } from './kept-answer.ts';
import type { Meeting } from './meeting.ts';
import { followHolds } from './operation.ts';
import { shownTime } from './own-event.ts';
import { scheduledEvent } from './webhook-events.ts';

const MOVED = 'Somebody moved the event in the calendar meanwhile; this is the time it has there.';

/**
 * The replacement becomes `scheduled` at the time the calendar shows. The same batch stores the events, the API answer
 * and the end of an accepted proposal, and any other proposal to move the old meeting expires. Returns undefined if
 * another process has taken over the meeting.
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
  const deliveryIds = [scheduled, ...(accepted ? [accepted] : [])].map(({ deliveryId }) => deliveryId);
  ctx.later(publishChange(ctx, deliveryIds));
  return { answer, proposal: accepted && acceptedIn(finished.followed) };
}
