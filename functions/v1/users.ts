import { Hono } from 'hono';
import { userAvailability } from '../../lib/availability/user-availability.ts';
import { AppError } from '../../lib/errors.ts';
import { userMeetings } from '../../lib/meetings/user-meetings.ts';
import { userStatus } from '../../lib/users/info.ts';
import { UserAvailabilityQuery } from '../../schema/api/availability.ts';
import { Email } from '../../schema/api/fields.ts';
import { UserMeetingsQuery } from '../../schema/api/meetings.ts';
import { readQuery } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { calendarBody } from '../slot-body.ts';

export const users = new Hono<AppEnv>();

users.get('/v1/users/:email/status', async (c) => {
  const email = emailOf(c.req.param('email'));
  return c.json(await userStatus(c.var.ctx, { platformId: platformOf(c).id, email }));
});

users.get('/v1/users/:email/availability', async (c) => {
  const email = emailOf(c.req.param('email'));
  const query = readQuery(c, UserAvailabilityQuery);
  const found = await userAvailability(c.var.ctx, platformOf(c), { email, ...query });
  return c.json({
    email,
    timezone: found.timeZone,
    duration_minutes: query.durationMinutes,
    search_window: found.window,
    intervals: found.intervals.map(({ startTime, endTime }) => ({ start_time: startTime, end_time: endTime })),
    calendars: found.calendars.map(calendarBody),
  });
});

users.get('/v1/users/:email/meetings', async (c) => {
  const email = emailOf(c.req.param('email'));
  const query = readQuery(c, UserMeetingsQuery);
  return c.json(await userMeetings(c.var.ctx, platformOf(c), { email, ...query }));
});

function emailOf(text: string): string {
  const email = Email.safeParse(text);
  if (!email.success) throw new AppError('invalid_request', 'email must be an e-mail address.', { field: 'email' });
  return email.data;
}
