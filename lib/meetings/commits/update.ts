import { changedMetadata, type Metadata } from '../../../schema/api/metadata.ts';
import { finishKey } from '../../../schema/idempotency/queries.ts';
import { ending, finish, isFinishedBy, replaceOther } from '../../../schema/meetings/finish-queries.ts';
import { listConflicts } from '../../../schema/meetings/read-queries.ts';
import { deletePendingOperation } from '../../../schema/pending-operations/queries.ts';
import { findClock } from '../../../schema/users/queries.ts';
import type { Ctx } from '../../context.ts';
import type { CalendarEvent } from '../../ports.ts';
import { dayPartsAt, type Zoned } from '../../users/person.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { toUpdatedAnswer } from '../answers.ts';
import { shownTime } from '../calendar-event.ts';
import { keyOf, type Operation, pendingOf, type UpdateIntent } from '../intents.ts';
import { followHolds } from '../operation.ts';
import { MOVED_IN_CALENDAR, updatedEvent } from '../webhook-events.ts';

/** The meeting as it was. */
interface Updated {
  id: string;
  platformId: string;
  attendees: [string, string];
  metadata: Metadata;
  people: [Zoned, Zoned];
  start: number;
  end: number;
}

/**
 * The meeting is `updated`, to where the calendar shows it: its old time is free, its event and answer are kept. Answers the body, or undefined when
 * another writer has the meeting by now.
 */
export async function commitUpdate(
  ctx: Ctx,
  operation: Operation<UpdateIntent>,
  meeting: Updated,
  event: CalendarEvent,
) {
  const { lease, intent } = operation;
  const { id, platformId } = meeting;
  const { start, end } = shownTime(event, intent);
  const isAsked = start === intent.start && end === intent.end;
  const { by, reason } = isAsked ? { by: platformId, reason: intent.reason } : MOVED_IN_CALENDAR;
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const [requester, former] = meeting.attendees;
  const other = intent.other ?? former;
  const keepsPeople = other === former;
  const metadata = changedMetadata(meeting.metadata, intent.metadata);
  const updated = { id, platformId, attendees: [requester, other] as [string, string], start, end, metadata };
  const answer = toUpdatedAnswer(updated);
  const conflicts = isAsked ? undefined : await listConflicts(ctx.db, updated);
  const told = updatedEvent(ctx, { ...updated, old: meeting, by, reason, conflicts }, guard);
  const second = keepsPeople ? undefined : await findClock(ctx.db, other);
  const dayParts = dayPartsAt([meeting.people[0], second ?? meeting.people[1]], start);
  const finished = await finish(
    ctx.db,
    lease,
    ending.updated({ start, end, dayParts, keepsPeople, metadata: intent.metadata, now }),
    [
      ...(keepsPeople ? [] : [replaceOther(ctx.db, { id, platformId, other, guard })]),
      ...followHolds(ctx, id, guard),
      told.statement,
      finishKey(ctx.db, { ...keyOf(operation), guard, status: 200, body: JSON.stringify(answer) }),
      deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ],
  );
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, told.deliveryId));
  return answer;
}
