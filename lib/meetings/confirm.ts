import { finishKey } from '../../schema/idempotency/queries.ts';
import { confirmedAt, confirmMeeting } from '../../schema/meetings/book-queries.ts';
import { deleteSettlement } from '../../schema/settlements/queries.ts';
import type { Ctx } from '../context.ts';
import type { CalendarEvent } from '../ports.ts';
import { emitEvent, kickDelivery } from '../webhooks/emit.ts';
import { bookedAnswer } from './booked-answer.ts';
import { isoUtc } from './times.ts';

export interface Promised {
  id: string;
  platformId: string;
  title: string;
  attendees: [string, string];
  location: string;
  start: number;
  end: number;
}

/**
 * Step C of a booking, one batch: the meeting is `scheduled`, its event is written, its answer is kept, its settlement
 * is gone. Answers the body, or undefined when somebody else holds the meeting by now.
 */
export async function confirmBooking(ctx: Ctx, owner: string, meeting: Promised, event: CalendarEvent) {
  const now = ctx.clock.now();
  const answer = bookedAnswer({ ...meeting, meetLink: event.meetLink });
  const { statement, deliveryId } = emitEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.scheduled',
    data: {
      meeting_id: meeting.id,
      attendees: meeting.attendees,
      start_time: isoUtc(meeting.start),
      end_time: isoUtc(meeting.end),
      duration: Math.round((meeting.end - meeting.start) / 60_000),
      location: meeting.location,
      meeting_url: event.meetLink,
      scheduled_at: isoUtc(now),
      scheduled_by: meeting.platformId,
    },
    onlyIf: confirmedAt(meeting.id, now),
  });
  const [confirmed] = await ctx.db.batch([
    confirmMeeting(ctx.db, { id: meeting.id, owner, meetLink: event.meetLink, now }),
    statement,
    finishKey(ctx.db, { resourceId: meeting.id, status: 200, body: JSON.stringify(answer) }),
    deleteSettlement(ctx.db, { meetingId: meeting.id, kind: 'book' }),
  ]);
  if (confirmed.length === 0) return undefined;
  ctx.later(kickDelivery(ctx, deliveryId));
  return answer;
}
