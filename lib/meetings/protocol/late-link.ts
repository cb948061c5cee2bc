import { isLive } from '../../../schema/api/states.ts';
import type { Guard } from '../../../schema/db.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import type { Lease, Overdue } from '../../../schema/meetings/lease.ts';
import { deleteAfterwards, insertAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import type { Meeting, WithPeople } from './meeting.ts';
import { NotYet } from './operation.ts';
import { readEvent } from './own-event.ts';
import { updatedEvent } from './webhook-events.ts';

/** Delay after a booking before Tandem again fetches a video link that the calendar had not created yet. */
const RETRY_MS = 5_000;
/** From this age of a booking on Tandem no longer asks the calendar for the video link. */
const GIVE_UP_AFTER_MS = DAY;

export function awaitLink(ctx: Ctx, { id: meetingId, meetLink }: Pick<Meeting, 'id' | 'meetLink'>, guard: Guard) {
  const now = ctx.clock.now();
  if (meetLink !== null) return [];
  return [insertAfterwards(ctx.db, { meetingId, kind: 'link', dueAt: now + RETRY_MS, now, guard })];
}

/** The calendar created the link only after the booking. Stores it and notifies the platform. */
export async function reconcileLink(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>): Promise<void> {
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const done = deleteAfterwards(ctx.db, { meetingId: meeting.id, kind: 'link', dueAt: meeting.dueAt, guard });
  // `done` deletes only this run's row. If a read of the calendar finds the link meanwhile, the row that it writes
  // stays.
  const isKnown = meeting.meetLink !== null;
  if (isKnown || !isLive(meeting.status) || meeting.pendingSince < now - GIVE_UP_AFTER_MS) {
    await finish(ctx.db, lease, ending.unchanged(), [done]);
    return;
  }
  const { meetLink, linkPending } = await readEvent(ctx, meeting.people[0], {
    ...meeting,
    id: meeting.providerEventId,
  });
  if (meetLink === null && linkPending) throw new NotYet();
  const event = updatedEvent(ctx, { ...meeting, old: meeting, by: 'calendar', reason: 'meet_link_ready' }, guard);
  // A meeting for which the calendar makes no link is not in a video call either, which a check of the event finds.
  const more =
    meetLink === null
      ? insertAfterwards(ctx.db, { meetingId: meeting.id, kind: 'verify', dueAt: now, now, guard })
      : event.statement;
  const finished = await finish(ctx.db, lease, ending.linked({ meetLink, now }), [more, done]);
  if (finished !== undefined && meetLink !== null) ctx.later(publishDelivery(ctx, event.deliveryId));
}
