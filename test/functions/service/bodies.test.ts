import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import { freshAddress } from '../../support/worlds/client.ts';
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
