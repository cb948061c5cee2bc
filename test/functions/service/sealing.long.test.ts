import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { createSealer } from '../../../lib/adapters/sealed-tokens.ts';
import {
  accessTokenPlace,
  answerPlace,
  proposalTokenPlace,
  refreshTokenPlace,
  resealAll,
  webhookSecretPlace,
} from '../../../lib/kit/reseal.ts';
import type { Db } from '../../../schema/db.ts';
import { openDb } from '../../local/open-db.ts';
import { createSecrets } from '../../local/platforms.ts';
import { startWorld } from '../../local/world.ts';
import { times } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { migratedDatabase, preparedScript } from '../../support/worlds/prepared.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('a sealed text', () => {
  const sealer = createSealer(newKey('k1'));
  test.each([
    ['another person’s row', refreshTokenPlace('usr_b')],
    ['another column', accessTokenPlace('usr_a')],
    ['another table', webhookSecretPlace('usr_a')],
  ])('is not opened in %s', async (_name, place) => {
    const sealed = await sealer.seal('1//refresh', refreshTokenPlace('usr_a'));
    await expect(sealer.open(sealed, place)).rejects.toThrow();
  });

  test('of one person is of no use in another’s row: no calendar is read with it', async () => {
    const platform = await freshPlatform();
    const [ada, bob] = [
      await connectedPerson(platform, { name: 'ada' }),
      await connectedPerson(platform, { name: 'bob' }),
    ];
    await world.neon.query(
      `update calendar_accounts set access_token = (select b.access_token from calendar_accounts b join users v on v.id = b.user_id where v.email = $2)
       where user_id = (select id from users where email = $1)`,
      [ada.email, bob.email],
    );
    world.traffic.clear();
    const answer = await platform.api.send('GET', `/v1/users/${ada.email}/availability`);
    expect(answer.status).toBe(500);
    expect(world.traffic.list().filter(({ target }) => target === 'google')).toEqual([]);
  });
});

describe('sealing everything under a new key', async () => {
  const [oldKey, currentKey] = [newKey('k1'), newKey('k2')];
  const own = await startWorld({
    patience: 20,
    script: await preparedScript(),
    snapshot: await migratedDatabase(),
    secrets: { ...createSecrets(), TOKEN_KEYS: `${currentKey},${oldKey}` },
  });
  afterAll(() => own.close());
  const db = openDb(own.neon);
  const to = { old: createSealer(`${oldKey},${currentKey}`), current: createSealer(`${currentKey},${oldKey}`) };
  const sealedTexts = async () => {
    const rows = await own.neon.query(`
      select refresh_token as sealed from calendar_accounts where refresh_token is not null
      union all select access_token from calendar_accounts where access_token is not null
      union all select calendars from calendar_accounts where calendars is not null
      union all select answer from delivery_attempts where answer is not null
      union all select token from revocations union all select token from proposals where token is not null union all select secret from webhook_endpoints
      union all select s ->> 'secret' from webhook_endpoints, jsonb_array_elements(previous_secrets) s`);
    return rows.map(({ sealed }) => String(sealed));
  };
  const keyIds = async () => [...new Set((await sealedTexts()).map((text) => text.split('.')[0]))].sort();

  /**
   * Creates a platform that rotated its secret, two people, and a person whose grant waits to be revoked. All their
   * secrets are sealed under the old key.
   */
  async function sealedUnderOldKey() {
    const platform = await own.platforms.create({ name: 'Acme', plan: 'enterprise' });
    const api = createClient(own.baseUrl, platform.secret_key);
    const emails = ['ada', 'bob', 'cyd'].map((name) => `${name}.${randomBytes(3).toString('hex')}@people.test`);
    for (const email of emails) {
      own.google.addUser({ email, timezone: 'UTC' });
      await own.connectCalendar(platform, email);
    }
    await api.send('POST', '/v1/platform/webhook/rotate-secret');
    for (const body of ['first answer', 'second answer']) {
      own.inbox.answer({ body, times: 1 });
      expect((await api.send('POST', '/v1/platform/webhook/test', {})).status).toBe(200);
    }
    const { status } = await api.send('POST', '/v1/proposals', {
      attendees: emails.slice(0, 2),
      duration_minutes: 30,
      title: 'Sealed',
      count: 1,
    });
    expect(status).toBe(201);
    own.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
    await api.disconnect(emails[2] ?? '');
    own.faults.clear();
    await resealAll({ db, sealer: to.old });
    expect(await keyIds()).toEqual(['k1']);
    return { api, platform, attendees: emails.slice(0, 2) };
  }

  test('leaves nothing under the old one, and everything opens without it', async () => {
    const { api, attendees } = await sealedUnderOldKey();
    const before = (await sealedTexts()).length;
    expect(await resealAll({ db, sealer: to.current })).toMatchObject({ changed: 0, unreadable: 0 });
    expect([await keyIds(), (await sealedTexts()).length]).toEqual([['k2'], before]);
    const alone = createSealer(currentKey);
    for (const { user_id, refresh_token } of await own.neon.query(
      "select user_id, refresh_token from calendar_accounts where status = 'connected'",
    ))
      expect(await alone.open(String(refresh_token), refreshTokenPlace(String(user_id)))).toMatch(/./);
    for (const { user_id, token } of await own.neon.query('select user_id, token from revocations'))
      expect(await alone.open(String(token), refreshTokenPlace(String(user_id)))).toMatch(/./);
    for (const { id, token } of await own.neon.query('select id, token from proposals'))
      expect(await alone.open(String(token), proposalTokenPlace(String(id)))).toMatch(/^[\w-]{43}$/);
    const answers = await own.neon.query('select delivery_id, number, answer from delivery_attempts');
    expect(answers.length).toBeGreaterThan(1);
    for (const { delivery_id, number, answer } of answers)
      expect(await alone.open(String(answer), answerPlace(`${delivery_id}.${number}`))).toMatch(/^(?:ok|\w+ answer)$/);
    expect(await resealAll({ db, sealer: to.current })).toEqual({ resealed: 0, changed: 0, unreadable: 0 });
    expect((await api.availability({ attendees })).status).toBe(200);
    expect((await api.send('POST', '/v1/platform/webhook/test', {})).body).toMatchObject({ status: 'success' });
  });

  test('is safe while the Worker searches, refreshes and rotates', async () => {
    const { api, attendees } = await sealedUnderOldKey();
    await own.advance(2 * 3_600_000);
    const working = Promise.all([
      ...(await times(4, async () => api.availability({ attendees }))),
      api.send('POST', '/v1/platform/webhook/rotate-secret'),
    ]);
    const done = await resealAll({ db, sealer: to.current });
    const statuses = (await working).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(done).toMatchObject({ changed: 0, unreadable: 0 });
    await resealAll({ db, sealer: to.current });
    expect(await keyIds()).toEqual(['k2']);
    expect((await api.availability({ attendees })).status).toBe(200);
  });

  test('does not take a refused token for a new one because it was sealed anew', async () => {
    const { api, attendees } = await sealedUnderOldKey();
    for (const email of attendees) own.google.expireAccessTokens(email);
    own.faults.add({ target: 'neon', body_match: 'refresh_owner', mode: 'delay', delay_ms: 500, times: 2 });
    const searching = api.availability({ attendees });
    await expect.poll(() => own.faults.list()[0]?.hits).toBeGreaterThan(0);
    await resealAll({ db, sealer: to.current });
    expect((await searching).status).toBe(200);
  });

  test('stopped anywhere, it is run again', async () => {
    await sealedUnderOldKey();
    let changes = 0;
    const dying = new Proxy(db, {
      get(target, name) {
        if (name === 'update') changes += 1;
        if (changes > 2) throw new Error('killed');
        return Reflect.get(target, name);
      },
    }) as Db;
    await expect(resealAll({ db: dying, sealer: to.current })).rejects.toThrow('killed');
    expect(await keyIds()).toEqual(['k1', 'k2']);
    expect(await resealAll({ db, sealer: to.current })).toMatchObject({ changed: 0, unreadable: 0 });
    expect(await keyIds()).toEqual(['k2']);
  });

  test('tells what no key opens, and leaves it as it is', async () => {
    await sealedUnderOldKey();
    const without = createSealer(newKey('k3'));
    const before = await sealedTexts();
    expect(await resealAll({ db, sealer: without })).toEqual({
      resealed: 0,
      changed: 0,
      unreadable: expect.any(Number),
    });
    expect(await sealedTexts()).toEqual(before);
    expect((await resealAll({ db, sealer: without })).unreadable).toBeGreaterThan(0);
  });
});
