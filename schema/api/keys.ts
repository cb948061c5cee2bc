import * as z from 'zod';
import { answer, docs } from '#docs';
import { instantOrAbsent, note, optionalOf, success, warnings, minutes as whole } from './fields.ts';
import { platformOperation, userOperation } from './operation.ts';

export const RegeneratedKey = answer(() => ({
  success,
  api_key: z.string().describe('New API key, which Tandem does not show again.'),
  old_key_valid_until: instantOrAbsent(
    'Time from which Tandem refuses the former API key',
    'Present only if the request has `keep_old_for_hours`.',
  ),
  message: note,
  warnings,
}));

export const KEPT_HOURS = [1, 72] as const;

export const KeyRequest = z.object({
  keep_old_for_hours: optionalOf(
    whole(...KEPT_HOURS),
    docs(
      'Number of hours for which the API key that sends the request still works, 1 to 72. Without this field, the API key stops working at once.',
    ),
  ),
});

const ONCE = docs(
  'Creates a new API key. The API key that sent the request stops working at once, or after the number of hours in `keep_old_for_hours`. API keys that were replaced earlier stop working at once. An unknown field in the request is an error. With `keep_old_for_hours` and an `Idempotency-Key`, a retry with the old API key returns the same new API key, so a lost response does no harm. You can replace an API key once an hour. A second replacement within the hour fails with the error 429, whose `resets_at` is the time from which you can replace the API key again.',
);

const replacing = {
  answer: { is: docs('Returns the new API key.'), schema: RegeneratedKey },
  body: KeyRequest,
  refusesUnknownFields: true,
  isBodyOptional: true,
  retriesByKey: true,
  errors: ['too_many_regenerations'],
} as const;

export const regeneratePlatformKey = platformOperation('post /v1/platform/regenerate-key', {
  summary: docs("Replace the platform's secret key"),
  description: docs(`${ONCE} The platform's publishable key stays valid.`),
  ...replacing,
});

export const regenerateUserKey = userOperation('post /v1/user/api-key/regenerate', {
  summary: docs("Replace the user's API key"),
  description: ONCE,
  ...replacing,
});

export const operations = { regeneratePlatformKey, regenerateUserKey };
