import type { AttendeeDetails } from '../../../schema/api/fields.ts';
import type { CancelledMeeting } from '../../../schema/api/meetings.ts';
import type { Guard } from '../../../schema/db.ts';
import type { Conflict } from '../../../schema/meetings/list.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent } from '../../webhooks/outbox.ts';
import type { Difference } from './followed-changes.ts';
import type { Meeting } from './meeting.ts';

interface Timed extends Pick<Meeting, 'id' | 'platformId' | 'attendees' | 'start' | 'end' | 'metadata'> {
  details?: AttendeeDetails | undefined;
}

interface Scheduled extends Timed {
  location: string;
  meetLink: string | null;
  rescheduledFrom?: string;
}

export const scheduledEvent = (ctx: Ctx, { id: meetingId, ...meeting }: Scheduled, guard: Guard) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.scheduled',
    event: { ...meeting, meetingId, at: ctx.clock.now() },
    guard,
  });

export const MOVED_IN_CALENDAR = { by: 'calendar', reason: 'moved_in_calendar' };

export const CHANGED_IN_CALENDAR = { by: 'calendar', reason: 'changed_in_calendar' };

interface Updated extends Timed {
  old: { start: number; end: number };
  by: string;
  reason: string;
  attendee?: string | undefined;
  changed?: Difference[] | undefined;
  conflicts?: Conflict[] | undefined;
}

/** `old` is the time the meeting had. `conflicts` are other meetings that it overlaps after a person moved it. */
export const updatedEvent = (ctx: Ctx, { id: meetingId, ...meeting }: Updated, guard: Guard) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.updated',
    event: { ...meeting, meetingId, at: ctx.clock.now() },
    guard,
  });

export type CalledOff =
  | { by: 'platform'; reason: 'cancelled_by_platform' }
  | { by: 'attendee'; reason: 'cancelled_by_attendee' }
  | { by: 'calendar'; reason: 'cancelled_in_calendar' }
  | { by: 'tandem'; reason: 'outcome_unknown' };

const BY_PLATFORM: CalledOff = { by: 'platform', reason: 'cancelled_by_platform' };
export const BY_ATTENDEE: CalledOff = { by: 'attendee', reason: 'cancelled_by_attendee' };

interface Cancelled extends Omit<Timed, 'end'> {
  calendarEvent: CancelledMeeting['calendar_event'];
  calledOff?: CalledOff | undefined;
}

/** By default the meeting's platform cancelled it. */
export function cancelledEvent(ctx: Ctx, { id, platformId, ...meeting }: Cancelled, guard: Guard) {
  const { by, reason } = meeting.calledOff ?? BY_PLATFORM;
  const party = by === 'platform' ? platformId : by;
  const event = { ...meeting, meetingId: id, at: ctx.clock.now(), by: party, reason };
  return insertEvent(ctx, { platformId, type: 'meeting.cancelled', event, guard });
}
