import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { LAST_PAGE } from '../../support/checks/rows.ts';
import { connectedTwice, instant, providerIdOf } from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { nothingSet } from '../../support/people/person-data.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('GET /v1/platform/users', () => {
  test("lists this platform's people with their preferences whole, as they connected", async () => {
    const { platform, other, ada } = await connectedTwice();
    await world.advance(1_000);
    const { email } = freshPerson({ name: 'bob', timezone: 'Asia/Tokyo' });
    const { api_key } = await world.connect(platform, email);
    await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', { buffer_minutes: 15 });
    const of = (address: string, timezone: string, preferences: object = {}) => ({
      email: address,
      provider_id: providerIdOf(address),
      connected_at: instant,
      preferences: { ...nothingSet(timezone), ...preferences },
    });
    const answer = await platform.api.send('GET', '/v1/platform/users');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      users: [of(ada.email, 'Europe/London'), of(email, 'Asia/Tokyo', { buffer_minutes: 15 })],
      total: 2,
      pagination: LAST_PAGE,
    });
    const page = await platform.api.send('GET', '/v1/platform/users?limit=1');
    expect(page.body).toMatchObject({ users: [{ email: ada.email }], total: 2, pagination: { has_more: true } });
    expect((await other.api.send('GET', '/v1/platform/users')).body).toMatchObject({
      users: [{ email: ada.email }],
      total: 1,
    });
  });

  test('is empty for a platform that nobody is connected with, and after the last one left', async () => {
    const nobody = { users: [], total: 0, pagination: LAST_PAGE };
    const platform = await freshPlatform();
    expect((await platform.api.send('GET', '/v1/platform/users')).body).toEqual(nobody);
    const { email } = await connectedPerson(platform);
    await platform.api.disconnect(email);
    expect((await platform.api.send('GET', '/v1/platform/users')).body).toEqual(nobody);
  });

  test('is complete however many there are', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const { email } = await connectedPerson(platform);
    await world.neon.query(
      `with made as (
         insert into users (id, email, created_at)
         select 'usr_' || $2 || n, n || '.' || $1, now() from generate_series(1, 250) n returning id),
       accounts as (
         insert into calendar_accounts (user_id, provider_id, status, refresh_token, access_token, access_expires_at, scope, updated_at)
         select made.id, made.id, a.status, a.refresh_token, a.access_token, a.access_expires_at, a.scope, a.updated_at
         from made, calendar_accounts a join users u on u.id = a.user_id where u.email = $1 returning user_id)
       insert into connections (platform_id, user_id, connected_at, last_used_at)
       select $3, user_id, now(), now() from accounts`,
      [email, platform.id.slice(-8).replace('-', 'x'), platform.id],
    );
    const { body } = await platform.api.send('GET', '/v1/platform/users');
    const { users, total } = body as { users: { email: string }[]; total: number };
    expect([users.length, total, new Set(users.map((user) => user.email)).size]).toEqual([251, 251, 251]);
    const page = await platform.api.send('GET', '/v1/platform/users?limit=150');
    expect((page.body as { users: unknown[] }).users).toHaveLength(150);
  });
});

describe('GET /v1/platform/users/status', () => {
  const ask = (platform: Awaited<ReturnType<typeof freshPlatform>>, query: string) =>
    platform.api.send('GET', `/v1/platform/users/status${query}`);

  test('of somebody connected says since when, where and what they prefer', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform, { timezone: 'Asia/Kathmandu' });
    const answer = await ask(platform, `?email=${encodeURIComponent(email.toUpperCase())}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      connected: true,
      user_email: email,
      provider_id: providerIdOf(email),
      connected_at: instant,
      timezone: 'Asia/Kathmandu',
      preferences: nothingSet('Asia/Kathmandu'),
      calendar_access: 'read_write',
    });
  });

  test('of a stranger, of somebody of another platform and of one who left says that they are not', async () => {
    const [platform, other] = [await freshPlatform(), await freshPlatform()];
    const elsewhere = await connectedPerson(other);
    const left = await connectedPerson(platform);
    await platform.api.disconnect(left.email);
    for (const email of ['no.one@people.test', elsewhere.email, left.email]) {
      const answer = await ask(platform, `?email=${email}`);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          connected: false,
          user_email: email,
          message: `${email} has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.`,
        },
      ]);
    }
  });

  test('of somebody whose grant has ended says that they must consent again', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform);
    await world.neon.query(
      `update calendar_accounts set status = 'needs_reauthorization'
       where user_id = (select id from users where email = $1)`,
      [email],
    );
    expect((await ask(platform, `?email=${email}`)).body).toEqual({
      connected: false,
      user_email: email,
      message: `${email} must connect their calendar again, because access to it was revoked or has expired. Send them the link from GET /v1/platform/oauth-url.`,
    });
  });

  test.each([
    ['', 'Missing email parameter', '`email` is required. Send it with the request.'],
    ['?email=', 'Invalid email format', '`email` must be an email address, such as ada@example.com.'],
    ['?email=nobody', 'Invalid email format', '`email` must be an email address, such as ada@example.com.'],
    ['?email=a%00@b.test', 'Invalid email format', '`email` must be an email address, such as ada@example.com.'],
  ])('%s is 400 %s', async (query, error, message) => {
    const answer = await ask(await freshPlatform(), query);
    expect([answer.status, answer.body]).toEqual([400, wholeError({ error, message, field: 'email' })]);
  });
});
