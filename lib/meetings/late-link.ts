import { ending, finish, isFinishedBy } from '../../schema/meetings/finish-queries.ts';
import type { Lease, Overdue } from '../../schema/meetings/lease-queries.ts';
import { isLive } from '../../schema/meetings/status.ts';
import { deleteAfterwards } from '../../schema/pending-operations/queries.ts';
import type { Ctx } from '../context.ts';
import { publishDelivery } from '../webhooks/outbox.ts';
import { readEvent } from './calendar-event.ts';
import { NotYet, peopleOf } from './operation.ts';
import { updatedEvent } from './webhook-events.ts';

/** A link that has not come by then does not come. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** Fetches the link the calendar had not made yet; the meeting gets it and the platform hears of it. */
export async function reconcileLink(ctx: Ctx, lease: Lease, meeting: Overdue): Promise<void> {
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const done = deleteAfterwards(ctx.db, { meetingId: meeting.id, kind: 'link', dueAt: meeting.dueAt, guard });
  if (!isLive(meeting.status) || meeting.pendingSince < now - GIVE_UP_AFTER_MS) {
    await finish(ctx.db, lease, ending.unchanged(), [done]);
    return;
  }
  const [requester, other] = await peopleOf(ctx, meeting.id);
  const { meetLink, linkPending } = await readEvent(ctx, requester, meeting.providerEventId);
  if (meetLink === null && linkPending) throw new NotYet();
  const told = { ...meeting, attendees: [requester.email, other.email] as [string, string] };
  const event = updatedEvent(ctx, { ...told, old: meeting, by: 'calendar', reason: 'meet_link_ready' }, guard);
  const finished = await finish(ctx.db, lease, ending.linked({ meetLink, now }), [
    ...(meetLink === null ? [] : [event.statement]),
    done,
  ]);
  if (finished !== undefined && meetLink !== null) ctx.later(publishDelivery(ctx, event.deliveryId));
}
