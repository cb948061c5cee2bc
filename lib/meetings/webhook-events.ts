import type { CancelledMeeting } from '../../schema/api/meetings.ts';
import type { Metadata } from '../../schema/api/metadata.ts';
import type { Guard } from '../../schema/db.ts';
import type { Conflict } from '../../schema/meetings/read-queries.ts';
import type { Ctx } from '../context.ts';
import { insertEvent } from '../webhooks/outbox.ts';
import { isoUtc, toConflictAnswer } from './answers.ts';

interface Timed {
  id: string;
  platformId: string;
  attendees: [string, string];
  start: number;
  end: number;
  metadata: Metadata;
}

interface Scheduled extends Timed {
  location: string;
  meetLink: string | null;
  rescheduledFrom?: string;
}

/** `meeting.scheduled`, for the batch that makes the meeting. */
export const scheduledEvent = (ctx: Ctx, meeting: Scheduled, guard: Guard) =>
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
      metadata: meeting.metadata,
      scheduled_at: isoUtc(ctx.clock.now()),
      scheduled_by: meeting.platformId,
      ...(meeting.rescheduledFrom === undefined ? {} : { rescheduled_from: meeting.rescheduledFrom }),
    },
    guard,
  });

/** Somebody gave the event another time in the calendar than was asked of us. */
export const MOVED_IN_CALENDAR = { by: 'calendar', reason: 'moved_in_calendar' };

/** `meeting.updated`: `old` is where the meeting was, `by` and `reason` are who changed it and why, `conflicts` what a person moved it onto. */
export const updatedEvent = (
  ctx: Ctx,
  {
    old,
    by,
    reason,
    attendee,
    conflicts,
    ...meeting
  }: Timed & {
    old: { start: number; end: number };
    by: string;
    reason: string;
    attendee?: string | undefined;
    conflicts?: Conflict[] | undefined;
  },
  guard: Guard,
) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.updated',
    data: {
      meeting_id: meeting.id,
      attendees: meeting.attendees,
      metadata: meeting.metadata,
      updated_at: isoUtc(ctx.clock.now()),
      changes: {
        updated_by: by,
        reason,
        ...(attendee === undefined ? {} : { attendee }),
        old_start_time: isoUtc(old.start),
        new_start_time: isoUtc(meeting.start),
        old_end_time: isoUtc(old.end),
        new_end_time: isoUtc(meeting.end),
        ...(conflicts === undefined ? {} : { conflicts: conflicts.map(toConflictAnswer) }),
      },
    },
    guard,
  });

/** Who called a meeting off, and why. */
export type CalledOff =
  | { by: 'platform'; reason: 'cancelled_by_platform' }
  | { by: 'calendar'; reason: 'cancelled_in_calendar' }
  | { by: 'tandem'; reason: 'outcome_unknown' };

const BY_PLATFORM: CalledOff = { by: 'platform', reason: 'cancelled_by_platform' };

/** `meeting.cancelled`, by its platform unless told otherwise. */
export const cancelledEvent = (
  ctx: Ctx,
  {
    calledOff: { by, reason } = BY_PLATFORM,
    ...meeting
  }: Omit<Timed, 'end'> & { calendarEvent: CancelledMeeting['calendar_event']; calledOff?: CalledOff | undefined },
  guard: Guard,
) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.cancelled',
    data: {
      meeting_id: meeting.id,
      attendees: meeting.attendees,
      metadata: meeting.metadata,
      start_time: isoUtc(meeting.start),
      cancelled_at: isoUtc(ctx.clock.now()),
      cancelled_by: by === 'platform' ? meeting.platformId : by,
      reason,
      calendar_event: meeting.calendarEvent,
    },
    guard,
  });
