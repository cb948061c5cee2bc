import { Hono } from 'hono';
import { regeneratePlatformKey } from '../../lib/platforms/regenerate-key.ts';
import { regenerateUserKey } from '../../lib/users/key.ts';
import * as api from '../../schema/api/keys.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';

export const keys = new Hono<AppEnv>();

const KEEP_IT = 'Keep the key now: it is not shown again. The one before works no more.';

serve(keys, api.regeneratePlatformKey, async ({ ctx, platform }) => ({
  success: true,
  api_key: await regeneratePlatformKey(ctx, platform.id),
  message: KEEP_IT,
}));

serve(keys, api.regenerateUserKey, async ({ ctx, user: { userId } }) => ({
  success: true,
  api_key: await regenerateUserKey(ctx, userId),
  message: KEEP_IT,
}));
