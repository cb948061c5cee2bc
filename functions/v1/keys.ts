import { Hono } from 'hono';
import type * as z from 'zod';
import { AppError } from '../../lib/kit/errors.ts';
import { regenerateUserKey } from '../../lib/people/regenerate-key.ts';
import { regeneratePlatformKey } from '../../lib/platforms/regenerate-key.ts';
import * as api from '../../schema/api/keys.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const keys = new Hono<AppEnv>();

serve(keys, api.regeneratePlatformKey, async ({ ctx, platform, ...asked }) =>
  toAnswer(await regeneratePlatformKey(ctx, platform.id, toNextKey(asked))),
);

serve(keys, api.regenerateUserKey, async ({ ctx, user: { userId }, ...asked }) =>
  toAnswer(await regenerateUserKey(ctx, userId, toNextKey(asked))),
);

const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Throws `invalid_request` for a guessable `Idempotency-Key`: with the kept key, it opens the new one. */
function toNextKey({
  body,
  idempotencyKey,
}: {
  body: z.output<typeof api.KeyRequest>;
  idempotencyKey?: string | undefined;
}) {
  const { keep_old_for_hours: keepHours } = body;
  if (keepHours !== undefined && idempotencyKey !== undefined && !RANDOM_UUID.test(idempotencyKey))
    throw new AppError(
      'invalid_request',
      'With `keep_old_for_hours`, Idempotency-Key must be a random UUID (version 4 or 7): whoever has the old key and guesses it would get the new key.',
      { field: 'Idempotency-Key' },
    );
  return { keepHours, idempotencyKey };
}

function toAnswer({ key, formerUntil }: { key: string; formerUntil: number | undefined }) {
  const former = formerUntil === undefined ? 'no longer works' : 'still works until the time in old_key_valid_until';
  return {
    success: true as const,
    api_key: key,
    old_key_valid_until: formerUntil === undefined ? undefined : new Date(formerUntil).toISOString(),
    message: `Store this key now, because it is not shown again. The previous key ${former}.`,
  };
}
