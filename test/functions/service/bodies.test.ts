import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readable } from '../../../lib/reader/grammar/tokens.ts';
import { refusal, wholeError } from '../../support/checks/errors.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { bookable, seen } from '../../support/people/meetings.ts';
import { createClient, freshAddress } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const PIECE = 16 * 1024;
const { secret_key } = await freshPlatform({ plan: 'enterprise' });
const withKey = { authorization: `Bearer ${secret_key}` };

interface Upload {
  path?: string;
  bytes: number;
  headers?: Record<string, string>;
  isChunked?: boolean;
}

/** Sends a body in pieces until it is all sent or an answer arrives. Returns the answer and how much was sent. */
async function upload({ path = '/v1/availability', bytes, headers = withKey, isChunked = false }: Upload) {
  const { hostname: host, port } = new URL(world.baseUrl);
  const outgoing = request({
    host,
    port,
    path,
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': freshAddress(),
      ...(isChunked ? {} : { 'content-length': String(bytes) }),
      ...headers,
    },
  });
  let outcome: number | string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (what: number | string) => {
      outcome ??= what;
      resolve();
    };
    outgoing.on('response', (response) => {
      response.resume().on('end', () => end(response.statusCode ?? 0));
    });
    outgoing.on('error', ({ message }) => end(message));
  });
  let sent = 0;
  while (sent < bytes && outcome === undefined) {
    const piece = Math.min(PIECE, bytes - sent);
    sent += piece;
    await Promise.race([new Promise((resolve) => outgoing.write('x'.repeat(piece), resolve)), ended]);
    await turn();
  }
  outgoing.end();
  await ended;
  return { outcome, sent };
}

const KIB = 1024;

describe.each([
  ['of a known length', false],
  ['in chunks', true],
])('a body %s', (_name, isChunked) => {
  test.each([70 * KIB, 300 * KIB, 1000 * KIB])('of %i bytes is 413, and the answer arrives', async (bytes) => {
    const outcomes = [];
    for (let n = 0; n < 12; n += 1) outcomes.push((await upload({ bytes, isChunked })).outcome);
    expect(outcomes).toEqual(Array(12).fill(413));
  });

  test('that nobody would read does not keep the answer from arriving', async () => {
    const outcomes = [];
    for (let n = 0; n < 12; n += 1) outcomes.push((await upload({ bytes: 200 * KIB, isChunked, headers: {} })).outcome);
    expect(outcomes).toEqual(Array(12).fill(401));
  });

  test('without end is given up soon after its first MiB', async () => {
    const { sent, outcome } = await upload({ bytes: 200 * KIB * KIB, isChunked });
    expect([413, 'write ECONNRESET', 'write EPIPE', 'read ECONNRESET', 'socket hang up']).toContain(outcome);
    expect(sent).toBeLessThan(20 * KIB * KIB);
  });
});

describe.each(['/internal/run-job', '/internal/deliver-webhook'])('%s', (path) => {
  test('refuses a body without a signature unread', async () => {
    expect(await upload({ path, bytes: 70 * KIB, headers: {} })).toMatchObject({ outcome: 401 });
  });

  test('takes no more than 64 KiB to check a signature', async () => {
    const headers = { 'upstash-signature': 'a.b.c' };
    expect(await upload({ path, bytes: 64 * KIB, headers })).toMatchObject({ outcome: 401 });
    expect(await upload({ path, bytes: 70 * KIB, headers })).toMatchObject({ outcome: 413 });
  });
});

test('a body of exactly 64 KiB is accepted', async () => {
  expect(await upload({ bytes: 64 * KIB })).toEqual({ outcome: 400, sent: 64 * KIB });
});

const ZEROS = Array.from({ length: 1_000_000 }, () => 0);

test('a list of a million zeros is refused by its first items', async () => {
  const { platform } = await bookable();
  const refused = await platform.api.send('POST', '/v1/schedule/batch', { meetings: ZEROS });
  expect([refused.status, refused.text.length < 1_000]).toEqual([400, true]);
  const unknown = { meetings: [{ reference: 'a', attendees: ['a@x.test', 'b@x.test'] }], zeros: ZEROS };
  expect((await platform.api.send('POST', '/v1/schedule/batch', unknown)).status).toBe(202);
});

test('metadata of 170,000 numbers is refused by its size', async () => {
  const { platform } = await bookable();
  const metadata = Object.fromEntries(Array.from({ length: 170_000 }, (_, n) => [n, 0]));
  const meetings = [{ reference: 'a', attendees: ['a@x.test', 'b@x.test'], metadata }];
  const refused = await platform.api.send('POST', '/v1/schedule/batch', { meetings });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { field: 'meetings.0.metadata', message: expect.stringContaining('must have at most 20 pairs') } },
  ]);
});

test('a text whose letters become many is cut after that', () => {
  expect(readable('㎨'.repeat(1_000)).length).toBe(1_000);
});

const platform = await freshPlatform({ plan: 'enterprise' });
const NO_KEY = 'The request has no API key. Send the API key in the header Authorization: Bearer or X-API-Key.';

describe.each(['/v1/availability', '/v1/schedule'])('%s refuses before the body is read', (path) => {
  test('64 KiB + 1', async () => {
    const answer = await platform.api.send('POST', path, ' '.repeat(64 * 1024 + 1));
    expect(seen(answer)).toEqual(
      refusal(413, 'payload_too_large', {
        message: 'The request body must not be larger than 64 KiB. Send a smaller body.',
      }),
    );
  });

  test('another content type', async () => {
    const answer = await platform.api.send('POST', path, 'a=b', { headers: { 'content-type': 'text/plain' } });
    expect(seen(answer)).toEqual(
      refusal(415, 'unsupported_media_type', {
        message: 'The request body must be JSON, sent with the header Content-Type: application/json, not text/plain.',
      }),
    );
  });

  test('another method', async () => {
    const answer = await platform.api.send('GET', path);
    expect(seen(answer)).toEqual(
      refusal(405, 'method_not_allowed', {
        message: `${path} does not accept GET. Use one of the methods in the response header Allow.`,
      }),
    );
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
    expect(seen(answer)).toEqual({ status, body: wholeError({ error, message }) });
  });
});
