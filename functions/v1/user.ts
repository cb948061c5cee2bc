import { Hono } from 'hono';
import { readPreferences } from '../../lib/users/read-preferences.ts';
import { updatePreferences } from '../../lib/users/update-preferences.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { readBody } from '../body.ts';
import { type AppEnv, userOf } from '../env.ts';

export const user = new Hono<AppEnv>();

user.get('/v1/user/preferences', async (c) => c.json(await readPreferences(c.var.ctx, userOf(c).userId)));

user.put('/v1/user/preferences', async (c) => {
  const given = await readBody(c, PreferencesRequest);
  return c.json({ success: true, ...(await updatePreferences(c.var.ctx, userOf(c).userId, given)) });
});
