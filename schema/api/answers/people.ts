import * as z from 'zod';
import { CalendarRead, SearchWindow } from './scheduling.ts';

const instant = z.string().describe('ISO 8601 in UTC');
const localTime = z.string().describe('ISO 8601 with the offset of timezone');

export const UserStatus = z.object({
  email: z.string(),
  calendar_connected: z.boolean(),
  last_sync: instant.nullable(),
  provider: z.string(),
});

export const UserAvailability = z.object({
  email: z.string(),
  timezone: z.string(),
  duration_minutes: z.int(),
  search_window: SearchWindow,
  intervals: z.array(z.object({ start_time: localTime, end_time: localTime })),
  calendars: z.array(CalendarRead),
});

export const Connections = z.object({
  success: z.literal(true),
  connections: z.array(
    z.object({
      user_email: z.string(),
      provider_id: z.string(),
      calendar_provider: z.string(),
      status: z.enum(['connected', 'needs_reauthorization']),
      connected_at: instant,
      last_used_at: instant,
      onboarding_complete: z.boolean(),
      timezone: z.string(),
    }),
  ),
  count: z.int(),
});

export const Disconnected = z.object({
  success: z.literal(true),
  message: z.string(),
  email: z.string(),
  platform_id: z.string(),
});

export const OauthUrl = z.object({ oauth_url: z.string(), instructions: z.string() });
