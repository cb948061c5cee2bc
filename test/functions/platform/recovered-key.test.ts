import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { sha256 } from '../../../lib/kit/keys.ts';
import { auditOf } from '../../support/people/dashboard.ts';
import { freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const ROTATION = '0b9f6c1e-52d4-4f0e-9a37-6a1f5f8f2b7d';

const COMMIT = { target: 'neon' as const, body_match: 'insert into \\\\"api_keys' };

const KINDS = {
  'POST /v1/platform/regenerate-key': {
    reads: '/v1/calendars',
    make: async () => (await freshPlatform({ plan: 'enterprise' })).secret_key,
  },
  'POST /v1/user/api-key/regenerate': {
    reads: '/v1/user/preferences',
    make: async () => (await world.connect(await freshPlatform(), freshPerson().email)).api_key,
  },
};

describe.each(Object.entries(KINDS))('%s', (route, { reads, make }) => {
  const path = route.split(' ')[1] ?? '';
  const regenerate = (key: string, body?: unknown, idempotencyKey?: string) =>
    createClient(world.baseUrl, key).send('POST', path, body, {
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
    });
  const statusOf = async (key: string) => (await createClient(world.baseUrl, key).send('GET', reads)).status;
  const keyOf = ({ body }: { body: unknown }) => (body as { api_key: string }).api_key;

  test('keeps the old key for the hours asked for, and says until when', async () => {
    const old = await make();
    const answer = await regenerate(old, { keep_old_for_hours: 3 });
    const { old_key_valid_until: until, message } = answer.body as Record<string, string>;
    expect([answer.status, message]).toEqual([
      200,
      'Store this key now, because it is not shown again. The previous key still works until the time in old_key_valid_until.',
    ]);
    expect(Math.abs(Date.parse(until ?? '') - world.clock.now() - 3 * HOUR)).toBeLessThan(60_000);
    const key = keyOf(answer);
    expect([await statusOf(old), await statusOf(key)]).toEqual([200, 200]);
    await world.advance(3 * HOUR);
    expect([await statusOf(old), await statusOf(key)]).toEqual([401, 200]);
  });

  test('refuses a misspelled field, and changes nothing', async () => {
    const old = await make();
    const { status, body } = await regenerate(old, { keepOldForHours: 24 });
    expect([status, body]).toMatchObject([400, { field: 'keepOldForHours' }]);
    expect(await statusOf(old)).toBe(200);
  });

  test.each([0, 73, 1.5, '24', -1])('refuses to keep it for %s hours, and changes nothing', async (hours) => {
    const old = await make();
    const { status, body } = await regenerate(old, { keep_old_for_hours: hours });
    expect([status, body]).toMatchObject([400, { field: 'keep_old_for_hours' }]);
    expect(await statusOf(old)).toBe(200);
  });

  test('with an Idempotency-Key shows the same new key to every retry with the kept one', async () => {
    const old = await make();
    const [first, again] = [
      await regenerate(old, { keep_old_for_hours: 24 }, ROTATION),
      await regenerate(old, { keep_old_for_hours: 24 }, `"${ROTATION}"`),
    ];
    expect([again.status, keyOf(again)]).toEqual([200, keyOf(first)]);
    expect((await regenerate(old, { keep_old_for_hours: 24 }, crypto.randomUUID())).status).toBe(403);
    expect((await regenerate(old, { keep_old_for_hours: 24 })).status).toBe(403);
    expect(await statusOf(keyOf(first))).toBe(200);
  });

  test('with an Idempotency-Key sent twice in one millisecond makes one key, and one entry in the audit log', async () => {
    const old = await make();
    const again = () => regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    const [former, hash] = [await sha256(old), await sha256(keyOf(await again()))];
    // The second request reads the clock later than the first, so the first one is moved to its millisecond.
    const send = world.neon.fetch;
    world.neon.fetch = async (sent) => {
      const text = await sent.clone().text();
      const instants = [...text.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)].map(([instant]) => instant);
      const now = instants.find((instant) => Math.abs(Date.parse(instant) - world.clock.now()) < MINUTE);
      if (text.includes('insert into \\"api_keys') && now !== undefined)
        for (const [column, own, hours] of [
          ['created_at', hash, 0],
          ['revoked_at', former, 24],
        ])
          await world.neon.query(
            `update api_keys set ${column} = $2::timestamptz + interval '${hours} hours' where hash = $1`,
            [own, now],
          );
      return send(sent);
    };
    try {
      expect((await again()).status).toBe(200);
    } finally {
      world.neon.fetch = send;
    }
    const entries = await world.neon.query(
      `select l.action from audit_log l join api_keys k on l.platform_id is not distinct from k.platform_id
        and l.user_id is not distinct from k.user_id and l.details ->> 'key' = k.masked where k.hash = $1`,
      [hash],
    );
    expect(entries).toHaveLength(1);
  });

  test.each([
    'rotation-1',
    '1',
    '00000000-0000-0000-0000-000000000001',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    'a'.repeat(64),
  ])('refuses the guessable Idempotency-Key %s, and changes nothing', async (guessable) => {
    const old = await make();
    const { status, body } = await regenerate(old, { keep_old_for_hours: 24 }, guessable);
    expect([status, body]).toMatchObject([400, { code: 'invalid_request', field: 'Idempotency-Key' }]);
    expect((await regenerate(old, { keep_old_for_hours: 24 }, ROTATION)).status).toBe(200);
  });

  test('leaves the kept key unable to make another, and the new one is shown for ten minutes', async () => {
    const old = await make();
    const next = keyOf(await regenerate(old, { keep_old_for_hours: 24 }, ROTATION));
    await world.advance(HOUR + 1_000);
    expect((await regenerate(old, { keep_old_for_hours: 24 }, crypto.randomUUID())).status).toBe(403);
    const reused = await regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    expect([reused.status, reused.body]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200]);
    await world.advance(23 * HOUR);
    expect([await statusOf(old), await statusOf(next)]).toEqual([401, 200]);
  });

  test('whose database answer is lost once still shows the key', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'after', times: 1 });
    const answer = await regenerate(old);
    expect(answer.status).toBe(200);
    expect([await statusOf(old), await statusOf(keyOf(answer))]).toEqual([401, 200]);
  });

  test('whose database answer is lost for good says what to do, and loses nothing with a kept key', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'after' });
    const failed = await regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    expect([failed.status, failed.body]).toMatchObject([
      500,
      {
        code: 'internal_error',
        message: expect.stringMatching(
          /^The database did not answer, so the API key may have been replaced\. Your current API key still works\. To get the new key, try again with the same Idempotency-Key\. The request ID is /,
        ),
      },
    ]);
    world.faults.clear();
    const again = await regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    expect([again.status, await statusOf(old), await statusOf(keyOf(again))]).toEqual([200, 200, 200]);
  });

  test('whose database answer is lost for good without a kept key says who can help', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'after' });
    const { status, body } = await regenerate(old);
    expect([status, body]).toMatchObject([500, { message: expect.stringContaining("can reissue a platform's key") }]);
    world.faults.clear();
    expect(await statusOf(old)).toBe(401);
  });

  test('that the database did not take changes nothing, and a retry works', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'reset' });
    expect((await regenerate(old)).status).toBe(500);
    world.faults.clear();
    expect(await statusOf(old)).toBe(200);
    expect((await regenerate(old)).status).toBe(200);
  });
});

test('a replaced key is one row of the audit log, however often the batch was sent', async () => {
  const platform = await freshPlatform();
  world.faults.add({ ...COMMIT, mode: 'after', times: 1 });
  expect((await platform.api.send('POST', '/v1/platform/regenerate-key')).status).toBe(200);
  expect(await auditOf('platform_id', platform.id)).toEqual(['key.replaced by key']);
  const [row] = await world.neon.query('select actor, network, details from audit_log where platform_id = $1', [
    platform.id,
  ]);
  expect(row).toMatchObject({
    actor: expect.stringMatching(/^sk_live_….{4}$/),
    network: expect.stringMatching(/^[0-9a-f:]+::\/64$/),
    details: { key: expect.stringMatching(/^sk_live_….{4}$/) },
  });
});
