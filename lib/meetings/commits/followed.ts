import type { Metadata } from '../../../schema/api/metadata.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import type { Lease } from '../../../schema/meetings/lease-queries.ts';
import { listConflicts } from '../../../schema/meetings/read-queries.ts';
import { deleteAfterwards } from '../../../schema/pending-operations/queries.ts';
import type { Ctx } from '../../context.ts';
import type { Interval } from '../../scheduling/types.ts';
import { dayPartsAt, type Zoned } from '../../users/person.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { followHolds } from '../operation.ts';
import { MOVED_IN_CALENDAR, updatedEvent } from '../webhook-events.ts';

/** The meeting as it was. */
interface Followed extends Interval {
  id: string;
  platformId: string;
  attendees: [string, string];
  metadata: Metadata;
  people: [Zoned, Zoned];
  /** When its verification was due. */
  dueAt: number;
}

/** The meeting is where a person put its event in the calendar, and its platform is told; its verification is done. */
export async function commitFollowed(ctx: Ctx, lease: Lease, meeting: Followed, shown: Interval): Promise<void> {
  const { id } = meeting;
  const { start, end } = shown;
  const guard = isFinishedBy(lease);
  const dayParts = dayPartsAt(meeting.people, start);
  // The calendar is right, also where the meeting is on another one now.
  const conflicts = await listConflicts(ctx.db, { ...meeting, start, end });
  const told = updatedEvent(ctx, { ...meeting, start, end, old: meeting, ...MOVED_IN_CALENDAR, conflicts }, guard);
  const finished = await finish(
    ctx.db,
    lease,
    ending.updated({ start, end, dayParts, keepsPeople: true, now: ctx.clock.now() }),
    [
      ...followHolds(ctx, id, guard),
      told.statement,
      deleteAfterwards(ctx.db, { meetingId: id, kind: 'verify', dueAt: meeting.dueAt, guard }),
    ],
  );
  if (finished !== undefined) ctx.later(publishDelivery(ctx, told.deliveryId));
}
