import { Hono } from 'hono';
import { userAvailability } from '../../lib/availability/user-availability.ts';
import { formatInZone } from '../../lib/engine/time/zone.ts';
import { eraseGuest } from '../../lib/people/account/erase.ts';
import { userStatus } from '../../lib/people/info.ts';
import * as api from '../../schema/api/users-by-email.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';
import { toCalendarAnswer } from '../http/slot-answer.ts';

export const usersByEmail = new Hono<AppEnv>();

serve(usersByEmail, api.getUserStatus, async ({ ctx, platform, params: { email } }) => {
  const { isConnected, lastSync, provider } = await userStatus(ctx, { platformId: platform.id, email });
  return { email, calendar_connected: isConnected, last_sync: lastSync, provider };
});

serve(usersByEmail, api.getUserAvailability, async ({ ctx, platform, params: { email }, query }) => {
  const { start_date: startDate, end_date: endDate, duration_minutes: durationMinutes, fresh: isFresh } = query;
  const dateRange = { startDate, endDate };
  const found = await userAvailability(ctx, platform, { email, durationMinutes, dateRange, isFresh });
  return {
    email,
    timezone: found.timeZone,
    duration_minutes: durationMinutes,
    search_window: found.window,
    intervals: found.intervals.map(({ start, end }) => ({
      start_time: formatInZone(found.timeZone, start),
      end_time: formatInZone(found.timeZone, end),
    })),
    calendars: found.calendars.map(toCalendarAnswer),
  };
});

serve(usersByEmail, api.eraseGuest, async ({ ctx, platform, params: { email } }) => {
  await eraseGuest(ctx, platform, email);
  return { success: true as const, email, message: 'The guest was erased from your meetings and proposals.' };
});
