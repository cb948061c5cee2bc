import { expect, test } from 'vitest';
import { parseEnv } from '../../functions/env.ts';
import { redact } from '../../functions/log.ts';

test('an incomplete environment names what is missing and what is wrong', () => {
  expect(() => parseEnv({ BASE_URL: 'https://api.test', DATABASE_URL: 'mysql://db', TOKEN_KEYS: 'short' })).toThrow(
    /^The environment is incomplete: DATABASE_URL: must be a postgresql:\/\/ URL; UPSTASH_REDIS_REST_URL is missing; .*TOKEN_KEYS: must be "<id>:<base64 of 32 bytes>", comma separated; KEY_CHECK_SECRET is missing; SESSION_SECRET is missing\.$/,
  );
});

test.each([
  ['a platform key', 'key sk_live_abcDEF-123_x went'],
  ['a user key', 'key sk_user_abcDEF went'],
  ['a webhook secret', 'key whsec_abc went'],
  ['a bearer token', 'key Bearer ya29.abc-d went'],
  ['a connection string', 'key postgresql://u:p@host/db went'],
])('a log line shows no %s', (_name, line) => {
  expect(redact(line)).toBe('key [redacted] went');
});
