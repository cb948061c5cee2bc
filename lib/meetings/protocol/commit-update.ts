import { confirmQuota, giveQuotaBack } from '../../../schema/access/usage.ts';
import { findTimeZone } from '../../../schema/access/users.ts';
import type { AttendeeDetails } from '../../../schema/api/fields.ts';
import { changedMetadata } from '../../../schema/api/metadata.ts';
import { ending, finish, isFinishedBy, replaceOther } from '../../../schema/meetings/finish.ts';
import { listConflicts } from '../../../schema/meetings/list.ts';
import { deletePendingOperation } from '../../../schema/meetings/pending-operations.ts';
import { expireMove } from '../../../schema/meetings/proposals-move.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { usageNotices } from '../../usage/usage.ts';
import { publishChange } from '../../webhooks/outbox.ts';
import { seenTag } from './followed-changes.ts';
import { type MeetingOperation, pendingOf, type UpdateIntent } from './intents.ts';
import { keepAnswer, toUpdatedAnswer } from './kept-answer.ts';
import type { Meeting } from './meeting.ts';
import { followHolds } from './operation.ts';
import { shownTime } from './own-event.ts';
import { MOVED_IN_CALENDAR, updatedEvent } from './webhook-events.ts';

/**
 * A new second attendee has used one meeting of the quota, which is confirmed if the calendar invites them, and given
 * back otherwise. Returns undefined if another process has taken over the meeting.
 */
export async function commitUpdate(
  ctx: Ctx,
  operation: MeetingOperation<UpdateIntent>,
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
  const updated = {
    id,
    platformId,
    attendees: [requester, other] as [string, string],
    details: [first, keepsPeople ? second : { email: other, isConnected: true }] satisfies AttendeeDetails,
    start,
    end,
    metadata,
  };
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
  const deliveryIds = [told, ...crossed].map(({ deliveryId }) => deliveryId);
  ctx.later(publishChange(ctx, deliveryIds));
  return answer;
}
