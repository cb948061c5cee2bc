import { listConflicts } from '../../../schema/meetings/conflict-queries.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import type { Lease } from '../../../schema/meetings/lease-queries.ts';
import { deleteAfterwards } from '../../../schema/pending-operations/queries.ts';
import { expireMove } from '../../../schema/proposals/move-queries.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import type { Meeting } from '../meeting.ts';
import { followHolds } from '../operation.ts';
import { MOVED_IN_CALENDAR, updatedEvent } from '../webhook-events.ts';

/**
 * Meeting as it was before Tandem takes over the new time that a person gave its calendar event. `dueAt` is when the
 * planned check of the event was due.
 */
type Followed = Meeting & { dueAt: number };

/**
 * Stores a move that a person made in their calendar: the meeting gets the time that its calendar event has now. Also
 * stores the webhook event for the meeting's platform, and deletes the pending check of the calendar event.
 */
export async function commitFollowed(
  ctx: Ctx,
  lease: Lease,
  meeting: Followed,
  { etag, ...shown }: Interval & { etag: string },
): Promise<void> {
  const { id } = meeting;
  const { start, end } = shown;
  const guard = isFinishedBy(lease);
  const dayParts = dayPartsAt(meeting.people, start);
  // The meeting keeps the time that the person chose in the calendar, even if it now overlaps another meeting.
  const conflicts = await listConflicts(ctx.db, { ...meeting, start, end });
  const told = updatedEvent(ctx, { ...meeting, start, end, old: meeting, ...MOVED_IN_CALENDAR, conflicts }, guard);
  const now = ctx.clock.now();
  const finished = await finish(ctx.db, lease, ending.updated({ start, end, dayParts, etag, keepsPeople: true, now }), [
    ...followHolds(ctx, id, guard),
    expireMove(ctx.db, { meetingId: id, now, guard }),
    told.statement,
    deleteAfterwards(ctx.db, { meetingId: id, kind: 'verify', dueAt: meeting.dueAt, guard }),
  ]);
  if (finished !== undefined) ctx.later(publishDelivery(ctx, told.deliveryId));
}
