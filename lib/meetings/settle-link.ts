import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { isFinishedBy, type Overdue, releaseMeeting, setMeetLink } from '../../schema/meetings/claim-queries.ts';
import { deleteSettlement } from '../../schema/settlements/queries.ts';
import { withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import { NotYet } from './settle.ts';
import { isoUtc } from './times.ts';

/** How soon after the booking a pending link is looked for. */
export const LINK_RETRY_MS = 5_000;
/** A link that has not come by then does not come. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/** Fetches the link the calendar had not made yet; the meeting gets it and the platform hears of it. */
export async function settleLink(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const now = ctx.clock.now();
  const hold = { id: meeting.id, owner };
  const done = deleteSettlement(ctx.db, { meetingId: meeting.id, kind: 'link', onlyIf: isFinishedBy(hold) });
  const isLive = meeting.status === 'scheduled' || meeting.status === 'updated';
  const [requester, other] = await listMeetingPeople(ctx.db, { meetingId: meeting.id });
  if (
    !isLive ||
    requester === undefined ||
    other === undefined ||
    meeting.settlementCreatedAt < now - GIVE_UP_AFTER_MS
  ) {
    await ctx.db.batch([releaseMeeting(ctx.db, hold), done]);
    return;
  }
  const event = await withCalendar(ctx, requester, (token) => ctx.calendar.getEvent(token, meeting.providerEventId));
  if (event.meetLink === null && event.linkPending) throw new NotYet();
  const [start, end] = [isoUtc(meeting.start), isoUtc(meeting.end)];
  const { statement, deliveryId } = insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.updated',
    data: {
      meeting_id: meeting.id,
      attendees: [requester.email, other.email],
      updated_at: isoUtc(now),
      changes: {
        ...{ updated_by: 'calendar', reason: 'meet_link_ready' },
        ...{ old_start_time: start, new_start_time: start, old_end_time: end, new_end_time: end },
      },
    },
    onlyIf: isFinishedBy(hold),
  });
  await ctx.db.batch([
    setMeetLink(ctx.db, { ...hold, meetLink: event.meetLink, now }),
    ...(event.meetLink === null ? [] : [statement]),
    done,
  ]);
  if (event.meetLink !== null) ctx.later(publishDelivery(ctx, deliveryId));
}
