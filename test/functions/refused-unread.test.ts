import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { wholeError } from '../support/errors.ts';
import { freshPlatform } from '../support/factories.ts';
import { world } from '../support/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });
const NO_KEY = 'Send an API key as X-API-Key or as Authorization: Bearer.';

describe.each(['/v1/availability', '/v1/schedule'])('%s refuses before the body is read', (path) => {
  test('64 KiB + 1', async () => {
    const answer = await platform.api.send('POST', path, ' '.repeat(64 * 1024 + 1));
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(
      wholeError({ error: { code: 'payload_too_large', message: 'The body may have at most 64 KiB.' } }),
    );
  });

  test('another content type', async () => {
    const answer = await platform.api.send('POST', path, 'a=b', { headers: { 'content-type': 'text/plain' } });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 415,
      body: wholeError({
        error: { code: 'unsupported_media_type', message: 'Send the body as Content-Type: application/json.' },
      }),
    });
  });

  test('another method', async () => {
    const answer = await platform.api.send('GET', path);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 405,
      body: wholeError({ error: { code: 'method_not_allowed', message: `${path} does not take GET.` } }),
    });
  });

  test.each([
    ['no key', undefined, 401, NO_KEY],
    ['a made-up key', `sk_live_${'x'.repeat(43)}`, 401, 'The API key is not valid.'],
    ['something that is no key', "' or 1=1 --", 401, NO_KEY],
    [
      'the publishable key',
      platform.publishable_key,
      403,
      'A publishable key serves only the authorize URL; use the secret key (sk_live_) on your server.',
    ],
  ])('%s', async (_name, key, status, message) => {
    const answer = await createClient(world.baseUrl, key).send('POST', path, {});
    const error = status === 401 ? 'Unauthorized' : 'Forbidden';
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: wholeError({ error, message }) });
  });
});
