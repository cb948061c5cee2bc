import * as z from 'zod';
import { Attendees, Instant, minutes, text } from './fields.ts';

/** The meeting contexts of the interface. */
export const MEETING_CONTEXTS = [
  'warm_intro',
  'cold_outreach',
  'investor_call',
  'client_demo',
  'team_standup',
  'one_on_one',
  'interview',
  'sales_call',
  'strategy_session',
  'brainstorm',
  'review',
  'casual_chat',
  'urgent',
] as const;

/** Body of `POST /v1/schedule`. */
export const ScheduleRequest = z.object({
  attendees: Attendees,
  start_time: Instant,
  duration_minutes: minutes(5, 720),
  title: text(200).trim().min(1, 'must not be empty'),
  description: text(8_000).optional(),
  location: text(500).trim().min(1, 'must not be empty').default('Google Meet'),
  require_free: z.boolean('must be true or false').default(false),
});

/** Body of `POST /v1/schedule/auto`. */
export const AutoScheduleRequest = z.object({
  attendees: Attendees,
  duration_minutes: minutes(15, 120).default(30),
  title: text(200).trim().min(1, 'must not be empty').optional(),
  context: z.enum(MEETING_CONTEXTS, `must be one of ${MEETING_CONTEXTS.join(', ')}`).optional(),
  description: text(8_000).optional(),
  auto: z.literal(true, 'must be true').optional(),
});
