import type { CancelledMeeting, Meeting, RescheduledMeeting, UpdatedMeeting } from '../../schema/api/meetings.ts';
import type { BookedMeeting } from '../../schema/api/schedule.ts';
import type { Guard } from '../../schema/db.ts';
import { completeJob } from '../../schema/jobs/queries.ts';
import type { FoundMeeting } from '../../schema/meetings/read-queries.ts';
import type { Ctx } from '../context.ts';
import { insertEvent } from '../webhooks/outbox.ts';
import type { JobIntent, RescheduleIntent } from './operation.ts';

/** An instant as ISO 8601 in UTC without milliseconds. */
export const isoUtc = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** Whether a text can be a meeting's id at all; others need no asking. */
export const isMeetingId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

/** A meeting in the words of the wire; what does not apply is left out. */
export const toMeetingAnswer = (meeting: FoundMeeting): Meeting => ({
  meeting_id: meeting.id,
  status: meeting.status,
  title: meeting.title,
  description: meeting.description,
  start_time: isoUtc(meeting.start),
  end_time: isoUtc(meeting.end),
  duration_minutes: Math.round((meeting.end - meeting.start) / 60_000),
  attendees: [meeting.requester.email, meeting.other.email],
  rsvps: [meeting.requester, meeting.other].map(({ email, responseStatus, respondedAt }) => ({
    email,
    response_status: responseStatus,
    responded_at: respondedAt === null ? null : isoUtc(respondedAt),
  })),
  location: meeting.location,
  meet_link: meeting.meetLink,
  created_at: isoUtc(meeting.createdAt),
  updated_at: isoUtc(meeting.updatedAt),
  ...(meeting.cancelledAt === null ? {} : { cancelled_at: isoUtc(meeting.cancelledAt) }),
  ...(meeting.rescheduledFrom === null ? {} : { rescheduled_from: meeting.rescheduledFrom }),
  ...(meeting.rescheduledTo === null ? {} : { rescheduled_to: meeting.rescheduledTo }),
  ...(meeting.jobId === null ? {} : { job_id: meeting.jobId }),
});

interface Scheduled {
  id: string;
  platformId: string;
  title: string;
  attendees: [string, string];
  location: string;
  start: number;
  end: number;
  meetLink: string | null;
}

/** The answer of `POST /v1/schedule`; kept under the idempotency key, so that a replay has the same bytes. */
export const toScheduledAnswer = (meeting: Scheduled): BookedMeeting => ({
  success: true,
  meeting_id: meeting.id,
  start_time: isoUtc(meeting.start),
  end_time: isoUtc(meeting.end),
  title: meeting.title,
  attendees: meeting.attendees,
  location: meeting.location,
  meet_link: meeting.meetLink,
});

export const toUpdatedAnswer = ({ id, start, end, attendees }: Omit<Timed, 'platformId'>): UpdatedMeeting => ({
  success: true,
  meeting_id: id,
  start_time: isoUtc(start),
  end_time: isoUtc(end),
  attendees,
  status: 'updated',
});

export const toCancelledAnswer = (id: string, calendarEvent: CancelledMeeting['calendar_event']): CancelledMeeting => ({
  success: true,
  meeting_id: id,
  status: 'cancelled',
  calendar_event: calendarEvent,
});

export const toRescheduledAnswer = ({
  newId,
  start,
  reasoning,
  learnedFrom,
}: RescheduleIntent): RescheduledMeeting => ({
  success: true,
  new_meeting_id: newId,
  new_meeting_time: isoUtc(start),
  reasoning,
  learned_from: learnedFrom,
});

/** `meeting.scheduled`, for the batch that makes the meeting. */
export const scheduledEvent = (
  ctx: Ctx,
  meeting: Omit<Scheduled, 'title'> & { rescheduledFrom?: string },
  guard: Guard,
) =>
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
    guard,
  });

interface Timed {
  id: string;
  platformId: string;
  attendees: [string, string];
  start: number;
  end: number;
}

/** `meeting.updated`: `old` is where the meeting was, `by` and `reason` are who changed it and why. */
export const updatedEvent = (
  ctx: Ctx,
  { old, by, reason, ...meeting }: Timed & { old: { start: number; end: number }; by: string; reason: string },
  guard: Guard,
) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.updated',
    data: {
      meeting_id: meeting.id,
      attendees: meeting.attendees,
      updated_at: isoUtc(ctx.clock.now()),
      changes: {
        updated_by: by,
        reason,
        old_start_time: isoUtc(old.start),
        new_start_time: isoUtc(meeting.start),
        old_end_time: isoUtc(old.end),
        new_end_time: isoUtc(meeting.end),
      },
    },
    guard,
  });

/** `meeting.cancelled`. */
export const cancelledEvent = (
  ctx: Ctx,
  meeting: Omit<Timed, 'end'> & { calendarEvent: CancelledMeeting['calendar_event'] },
  guard: Guard,
) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.cancelled',
    data: {
      meeting_id: meeting.id,
      attendees: meeting.attendees,
      start_time: isoUtc(meeting.start),
      cancelled_at: isoUtc(ctx.clock.now()),
      cancelled_by: meeting.platformId,
      reason: 'cancelled_by_platform',
      calendar_event: meeting.calendarEvent,
    },
    guard,
  });

interface Made {
  id: string;
  platformId: string;
  attendees: string[];
  providerEventId: string;
  meetLink: string | null;
}

/** The end of a job whose meeting stands: its row and `meeting.scheduling.completed`, for the batch that confirms it. */
export function completedJob(ctx: Ctx, meeting: Made, job: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const data = {
    job_id: job.jobId,
    success: true as const,
    meeting_id: meeting.id,
    provider_event_id: meeting.providerEventId,
    meet_link: meeting.meetLink,
    chosen_slot: job.chosenSlot,
    attendees: meeting.attendees,
    agent_reasoning: job.reasoning,
    processing_time_ms: Math.max(0, Math.round(now - job.acceptedAt)),
  };
  const { platformId } = meeting;
  const event = insertEvent(ctx, { platformId, type: 'meeting.scheduling.completed', data, guard });
  return {
    statements: [completeJob(ctx.db, { id: job.jobId, result: data, now, guard }), event.statement],
    deliveryId: event.deliveryId,
  };
}
