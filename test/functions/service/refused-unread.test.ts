import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });
const NO_KEY = 'The request has no API key. Send the API key in the header Authorization: Bearer or X-API-Key.';

describe.each(['/v1/availability', '/v1/schedule'])('%s refuses before the body is read', (path) => {
  test('64 KiB + 1', async () => {
    const answer = await platform.api.send('POST', path, ' '.repeat(64 * 1024 + 1));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(
      wholeError({
        error: {
          code: 'payload_too_large',
          message: 'The request body must not be larger than 64 KiB. Send a smaller body.',
        },
      }),
    );
  });

  test('another content type', async () => {
    const answer = await platform.api.send('POST', path, 'a=b', { headers: { 'content-type': 'text/plain' } });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 415,
      body: wholeError({
        error: {
          code: 'unsupported_media_type',
          message:
            'The request body must be JSON, sent with the header Content-Type: application/json, not text/plain.',
        },
      }),
    });
  });

  test('another method', async () => {
    const answer = await platform.api.send('GET', path);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 405,
      body: wholeError({
        error: {
          code: 'method_not_allowed',
          message: `${path} does not accept GET. Use one of the methods in the response header Allow.`,
        },
      }),
    });
  });

  test.each([
    ['no key', undefined, 401, NO_KEY],
    [
      'a made-up key',
      `sk_live_${'x'.repeat(43)}`,
      401,
      'The API key in the header Authorization is not valid. Send the whole key, and check that it was not replaced or revoked.',
    ],
    [
      'something that is no key',
      "' or 1=1 --",
      401,
      'The header Authorization must be Bearer, a blank and the API key.',
    ],
    [
      'the publishable key',
      platform.publishable_key,
      403,
      "A publishable key (pk_live_) works only in the link that connects a calendar. Use the secret key (sk_live_), or a person's API key (sk_user_) under /v1/user.",
    ],
  ])('%s', async (_name, key, status, message) => {
    const answer = await createClient(world.baseUrl, key).send('POST', path, {});
    const error = status === 401 ? 'Unauthorized' : 'Forbidden';
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: wholeError({ error, message }) });
  });
});
