import * as z from 'zod';
import { instantOf, note, success, warnings, minutes as whole } from './fields.ts';
import { operation } from './operation.ts';

/** A new API key. No later response contains the key again. */
export const RegeneratedKey = z.object({
  success,
  api_key: z.string().describe('The new key. It is not shown again.'),
  old_key_valid_until: instantOf(
    'Time from which the former key is refused',
    'Only with `keep_old_for_hours`.',
  ).optional(),
  message: note,
  warnings,
});

/** Request body of the operations that replace an API key. */
export const KeyRequest = z.object({
  keep_old_for_hours: whole(1, 72)
    .optional()
    .describe(
      'Hours for which the key that sends the request still works, 1 to 72. Without this field, that key stops working at once.',
    ),
});

const ONCE =
  'Creates a new key. The key that sent the request stops working at once, or after `keep_old_for_hours`. All other former API keys stop working at once. With `keep_old_for_hours` and an `Idempotency-Key`, a retry with the old key returns the same new key, so that a lost response costs nothing. You can replace a key once an hour. If you try again within the hour, the response is 429 with `resets_at`.';

export const regeneratePlatformKey = operation({
  method: 'post',
  path: '/v1/platform/regenerate-key',
  id: 'regeneratePlatformKey',
  key: 'platform',
  summary: "Replace the platform's secret key",
  description: `${ONCE} The publishable key stays valid.`,
  answer: { is: 'Returns the new key.', schema: RegeneratedKey },
  body: KeyRequest,
  isBodyOptional: true,
  retriesByKey: true,
  errors: ['too_many_regenerations'],
});

export const regenerateUserKey = operation({
  method: 'post',
  path: '/v1/user/api-key/regenerate',
  id: 'regenerateUserKey',
  key: 'user',
  summary: "Replace the user's key",
  description: ONCE,
  answer: { is: 'Returns the new key.', schema: RegeneratedKey },
  body: KeyRequest,
  isBodyOptional: true,
  retriesByKey: true,
  errors: ['too_many_regenerations'],
});

export const operations = [regeneratePlatformKey, regenerateUserKey];
