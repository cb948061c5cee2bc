import { Hono } from 'hono';
import * as z from 'zod';
import { oauthUrl } from '../../lib/calendars/authorize-url.ts';
import { Email } from '../../schema/api/fields.ts';
import { readQuery } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';

export const platform = new Hono<AppEnv>();

platform.get('/v1/platform/oauth-url', async (c) => {
  const { user_email } = readQuery(c, z.object({ user_email: Email }));
  return c.json(await oauthUrl(c.var.ctx, { platformId: platformOf(c).id, email: user_email }));
});
