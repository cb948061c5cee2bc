import { Hono } from 'hono';
import { AppError } from '../../lib/kit/errors.ts';
import { receivePush } from '../../lib/meetings/index.ts';
import type { AppEnv } from '../http/env.ts';
import { countByIp } from '../middleware/rate-limit.ts';

/** A watched calendar has changed. All of the push's data is in its headers. */
export const calendarPush = new Hono<AppEnv>();

calendarPush.post('/internal/calendar-push', async (c) => {
  const header = (name: string) => c.req.header(`X-Goog-${name}`) ?? '';
  const isBelieved = await receivePush(c.var.ctx, {
    channelId: header('Channel-ID').slice(0, 64),
    token: header('Channel-Token'),
    state: header('Resource-State'),
    number: /^\d{1,15}$/.test(header('Message-Number')) ? Number(header('Message-Number')) : 0,
  });
  if (isBelieved) return c.body(null, 204);
  await countByIp(c);
  throw new AppError(
    'not_found',
    'This path accepts only notifications from the calendar provider about calendars that Tandem watches. GET /openapi.json lists the paths that you can call.',
  );
});
