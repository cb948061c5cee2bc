import { Hono } from 'hono';
import { regenerateUserKey } from '../../lib/people/regenerate-key.ts';
import { regeneratePlatformKey } from '../../lib/platforms/regenerate-key.ts';
import * as api from '../../schema/api/keys.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';

export const keys = new Hono<AppEnv>();

serve(keys, api.regeneratePlatformKey, async ({ ctx, platform, body, idempotencyKey }) =>
  toAnswer(await regeneratePlatformKey(ctx, platform.id, { keepHours: body.keep_old_for_hours, idempotencyKey })),
);

serve(keys, api.regenerateUserKey, async ({ ctx, user: { userId }, body, idempotencyKey }) =>
  toAnswer(await regenerateUserKey(ctx, userId, { keepHours: body.keep_old_for_hours, idempotencyKey })),
);

function toAnswer({ key, formerUntil }: { key: string; formerUntil: number | undefined }) {
  const former = formerUntil === undefined ? 'no longer works' : 'still works until the time in old_key_valid_until';
  return {
    success: true as const,
    api_key: key,
    old_key_valid_until: formerUntil === undefined ? undefined : new Date(formerUntil).toISOString(),
    message: `Store this key now, because it is not shown again. The previous key ${former}.`,
  };
}
