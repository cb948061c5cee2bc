import * as z from 'zod';
import { note, success } from './fields.ts';
import { operation } from './operation.ts';

/** A new key, which is in no later answer. */
export const RegeneratedKey = z.object({
  success,
  api_key: z.string().describe('The new key, shown here and never again'),
  message: note,
});

const ONCE = 'The one it was asked with is dead at once. Once an hour; then 429 with `resets_at`.';

export const regeneratePlatformKey = operation({
  method: 'post',
  path: '/v1/platform/regenerate-key',
  id: 'regeneratePlatformKey',
  key: 'platform',
  summary: "Replace the platform's secret key",
  description: `${ONCE} The publishable key stays.`,
  answer: { is: 'The new key.', schema: RegeneratedKey },
  errors: ['too_many_regenerations'],
});

export const regenerateUserKey = operation({
  method: 'post',
  path: '/v1/user/api-key/regenerate',
  id: 'regenerateUserKey',
  key: 'user',
  summary: "Replace the user's key",
  description: ONCE,
  answer: { is: 'The new key.', schema: RegeneratedKey },
  errors: ['too_many_regenerations'],
});

export const operations = [regeneratePlatformKey, regenerateUserKey];
