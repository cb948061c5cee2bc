import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();
const platform = await freshPlatform();

describe('a bad request outside scheduling, in the flat format', () => {
  test('an address that is none is refused by name', async () => {
    const answer = await platform.api.status('nobody');
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: wholeError({
        error: 'Invalid request',
        message: '`email` must be an email address, such as ada@example.com.',
        field: 'email',
      }),
    });
  });

  test('the oauth url wants an address', async () => {
    const answer = await platform.api.send('GET', '/v1/platform/oauth-url');
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: wholeError({
        error: 'Invalid request',
        message: '`user_email` is required. Send it with the request.',
        field: 'user_email',
      }),
    });
  });

  test('an unknown path is 404 in the flat format', async () => {
    const answer = await platform.api.send('GET', '/v1/nothing');
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 404,
      body: wholeError({
        error: 'Not found',
        message: 'There is nothing at /v1/nothing. GET /openapi.json lists every path.',
      }),
    });
  });
});
