import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import type { Lease } from '../../../schema/meetings/lease-queries.ts';
import { deletePendingOperation } from '../../../schema/pending-operations/queries.ts';
import type { Ctx } from '../../context.ts';
import type { Interval } from '../../scheduling/types.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { followHolds } from '../operation.ts';
import { MOVED_IN_CALENDAR, updatedEvent } from '../webhook-events.ts';

/** The meeting as it was. */
interface Followed extends Interval {
  id: string;
  platformId: string;
  attendees: [string, string];
}

/** The meeting is where a person put its event in the calendar, and its platform is told; its verification is done. */
export async function commitFollowed(ctx: Ctx, lease: Lease, meeting: Followed, shown: Interval): Promise<void> {
  const { id } = meeting;
  const { start, end } = shown;
  const guard = isFinishedBy(lease);
  const told = updatedEvent(ctx, { ...meeting, start, end, old: meeting, ...MOVED_IN_CALENDAR }, guard);
  const finished = await finish(
    ctx.db,
    lease,
    ending.updated({ start, end, keepsPeople: true, now: ctx.clock.now() }),
    [
      ...followHolds(ctx, id, guard),
      told.statement,
      deletePendingOperation(ctx.db, { meetingId: id, kind: 'verify', guard }),
    ],
  );
  if (finished !== undefined) ctx.later(publishDelivery(ctx, told.deliveryId));
}
