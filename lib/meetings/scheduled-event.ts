import type { OnlyIf } from '../../schema/deliveries/queries.ts';
import type { Ctx } from '../context.ts';
import { insertEvent } from '../webhooks/outbox.ts';
import { isoUtc } from './times.ts';

interface Scheduled {
  id: string;
  platformId: string;
  attendees: string[];
  location: string;
  start: number;
  end: number;
  meetLink: string | null;
  rescheduledFrom?: string;
}

/** `meeting.scheduled`, for the batch that makes the meeting. */
export const scheduledEvent = (ctx: Ctx, meeting: Scheduled, onlyIf: OnlyIf) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.scheduled',
    data: {
      meeting_id: meeting.id,
      attendees: meeting.attendees,
      start_time: isoUtc(meeting.start),
      end_time: isoUtc(meeting.end),
      duration: Math.round((meeting.end - meeting.start) / 60_000),
      location: meeting.location,
      meeting_url: meeting.meetLink,
      scheduled_at: isoUtc(ctx.clock.now()),
      scheduled_by: meeting.platformId,
      ...(meeting.rescheduledFrom === undefined ? {} : { rescheduled_from: meeting.rescheduledFrom }),
    },
    onlyIf,
  });
