import type { WebhookEvents } from '../../../schema/answers/render.ts';
import type { Guard } from '../../../schema/db.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent } from '../../webhooks/outbox.ts';

/** The facts that an event reports of a meeting. */
type About<Type extends keyof WebhookEvents> = Omit<WebhookEvents[Type], 'meetingId' | 'at'> & {
  id: string;
  platformId: string;
};

export const scheduledEvent = (ctx: Ctx, { id: meetingId, ...meeting }: About<'meeting.scheduled'>, guard: Guard) =>
  insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.scheduled',
    event: { ...meeting, meetingId, at: ctx.clock.now() },
    guard,
  });

export const MOVED_IN_CALENDAR = { by: 'calendar', reason: 'moved_in_calendar' };

export const CHANGED_IN_CALENDAR = { by: 'calendar', reason: 'changed_in_calendar' };

/** `old` is the time the meeting had. `conflicts` are other meetings that it overlaps after a person moved it. */
export const updatedEvent = (ctx: Ctx, { id: meetingId, ...meeting }: About<'meeting.updated'>, guard: Guard) =>
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

type Cancelled = Omit<About<'meeting.cancelled'>, 'by' | 'reason'> & { calledOff?: CalledOff | undefined };

/** By default the meeting's platform cancelled it. */
export function cancelledEvent(ctx: Ctx, { id, platformId, ...meeting }: Cancelled, guard: Guard) {
  const { by, reason } = meeting.calledOff ?? BY_PLATFORM;
  const party = by === 'platform' ? platformId : by;
  const event = { ...meeting, meetingId: id, at: ctx.clock.now(), by: party, reason };
  return insertEvent(ctx, { platformId, type: 'meeting.cancelled', event, guard });
}
