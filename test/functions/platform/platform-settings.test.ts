import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { LAST_PAGE } from '../../support/checks/rows.ts';
import { connectedTwice, instant, noteLostGrant, providerIdOf } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform, personWithKey, type TestPlatform } from '../../support/people/factories.ts';
import { nothingSet } from '../../support/people/person-data.ts';
import { hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const PATH = '/v1/platform/settings';
type Asked = Pick<TestPlatform, 'api'>;
const read = async ({ api }: Asked) => (await api.send('GET', PATH)).body;
const put = ({ api }: Asked, body: unknown) => api.send('PUT', PATH, body);
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

describe('GET /v1/platform/settings', () => {
  test('shows what the platform was made with', async () => {
    const platform = await freshPlatform({ plan: 'growth', redirectUris: ['https://app.test/back'] });
    const answer = await platform.api.send('GET', PATH);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        name: 'Test platform',
        email: 'owner@platform.test',
        redirect_uris: ['https://app.test/back'],
        webhook_url: platform.webhookUrl,
        plan: 'growth',
        on_decline: 'notify',
        logo_url: null,
        default_preferences: null,
      },
    ]);
  });

  test('of a platform that never set a webhook has null for its URL', async () => {
    const platform = await freshPlatform();
    await world.neon.query('delete from webhook_endpoints where platform_id = $1', [platform.id]);
    expect(await read(platform)).toMatchObject({ webhook_url: null, redirect_uris: [] });
  });
});

describe('PUT /v1/platform/settings', () => {
  test('changes what is given and no more, and another platform nothing', async () => {
    const [platform, other] = [await freshPlatform(), await freshPlatform()];
    const untouched = await read(other);
    const uris = ['https://app.test/back?a=1', 'http://localhost:3000/back'];
    const first = await put(platform, { redirect_uris: [...uris, ...uris], webhook_url: null });
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        message: 'The settings are saved.',
        redirect_uris: uris,
        webhook_url: platform.webhookUrl,
        on_decline: 'notify',
        logo_url: null,
        default_preferences: null,
      },
    ]);
    expect((await put(platform, { on_decline: 'cancel' })).body).toMatchObject({
      redirect_uris: uris,
      on_decline: 'cancel',
    });
    expect((await put(platform, {})).body).toMatchObject({ redirect_uris: uris, on_decline: 'cancel' });
    expect((await put(platform, { redirect_uris: [] })).body).toMatchObject({
      redirect_uris: [],
      on_decline: 'cancel',
    });
    expect(await read(platform)).toMatchObject({
      redirect_uris: [],
      on_decline: 'cancel',
      webhook_url: platform.webhookUrl,
    });
    expect(await read(other)).toEqual(untouched);
  });

  test('keeps a logo until an empty string removes it, and writes each change into the audit log once, with the host alone', async () => {
    const platform = await freshPlatform();
    const logo_url = 'https://cdn.acme.test:8443/logo.png?v=2';
    for (const given of [{ logo_url }, { logo_url }, { on_decline: 'cancel' }, {}])
      expect((await put(platform, given)).body).toMatchObject({ logo_url });
    expect(await read(platform)).toMatchObject({ logo_url });
    for (const given of [{ logo_url: '' }, { logo_url: '' }])
      expect((await put(platform, given)).body).toMatchObject({ logo_url: null });
    expect(await read(platform)).toMatchObject({ logo_url: null, on_decline: 'cancel' });
    const { body } = await platform.api.send('GET', '/v1/platform/audit-log');
    const { entries } = body as { entries: { action: string; details: Record<string, string> }[] };
    const changes = entries.filter(({ action }) => action === 'settings.changed');
    expect(changes.map(({ details }) => details)).toEqual([
      { logo_url: 'none' },
      { on_decline: 'cancel' },
      { logo_url: 'https://cdn.acme.test:8443' },
    ]);
  });

  test('a new webhook URL gets a secret, shown once', async () => {
    const platform = await freshPlatform();
    const webhookUrl = `${platform.webhookUrl}-moved`;
    const moved = await put(platform, { webhook_url: webhookUrl });
    expect(moved.body).toMatchObject({
      message: 'The settings are saved. Store the webhook secret now, because it is not shown again.',
      webhook_url: webhookUrl,
      webhook_secret: SECRET,
    });
    expect((await put(platform, { webhook_url: webhookUrl })).body).not.toHaveProperty('webhook_secret');
    expect((await hookOf(platform).get()).body).toMatchObject({
      url: webhookUrl,
      previous_secret_valid_until: expect.any(String),
    });
  });

  test('the first webhook URL makes the endpoint, for all events', async () => {
    const platform = await freshPlatform();
    await world.neon.query('delete from webhook_endpoints where platform_id = $1', [platform.id]);
    const { body } = await put(platform, { webhook_url: platform.webhookUrl });
    expect(body).toMatchObject({ webhook_url: platform.webhookUrl, webhook_secret: SECRET });
    expect((await hookOf(platform).get()).body).toMatchObject({ enabled: true, max_retries: 3, timeout_seconds: 30 });
  });

  const NOT_HTTPS = 'must be an HTTPS URL (HTTP only for localhost) without credentials or a fragment.';
  const NO_IMAGE =
    'must be an HTTPS URL of an image on a public host, without credentials or a fragment, or an empty string.';
  const many = (count: number) => Array.from({ length: count }, (_, n) => `https://app.test/${n}`);
  type Row = [given: object, error: string, message: string, field: string];
  const invalid = (name: string, message: string, value: unknown, error = 'Invalid request', field = name): Row => [
    { [name]: value },
    error,
    `\`${field}\` ${message}`,
    field,
  ];
  const uris = (value: unknown, message: string, field?: string) =>
    invalid('redirect_uris', message, value, 'Invalid redirect URI', field);
  test.each<Row>([
    ...[
      'http://app.test',
      'javascript:alert(1)',
      'https://a@b.test',
      'https://b.test/#x',
      '//b.test',
      'http://localhost.evil.test/',
    ].map((uri) => uris([uri], NOT_HTTPS, 'redirect_uris.0')),
    uris([...many(1), 'http://127.0.0.1/'], NOT_HTTPS, 'redirect_uris.1'),
    uris('https://app.test', 'must be an array of URLs, not a string.'),
    uris([7], 'must be a string, not a number.', 'redirect_uris.0'),
    invalid('redirect_uris', 'must have at most 5 entries.', many(6), 'Too many redirect URIs'),
    invalid('webhook_url', 'must not be empty.', ' ', 'Invalid webhook URL'),
    invalid('webhook_url', 'must be a string, not a number.', 7, 'Invalid webhook URL'),
    ...[
      ['http://hooks.test', 'The webhook URL must begin with https://.'],
      ['https://10.0.0.1', 'The webhook URL must have a host name, not an IP address.'],
    ].map(([webhook_url, message = '']): Row => [{ webhook_url }, 'Invalid webhook URL', message, 'webhook_url']),
    invalid('on_decline', 'must be one of notify, cancel, reschedule, propose.', 'ignore'),
    invalid('webhookUrl', 'is not a field of this request; did you mean `webhook_url`?', 'https://hooks.test'),
    ...[
      'http://cdn.acme.test/logo.png',
      '//cdn.acme.test/logo.png',
      'javascript:alert(1)',
      'https://a:b@cdn.acme.test/logo.png',
      'https://cdn.acme.test/logo.png#x',
      "https://a.test;script-src 'unsafe-inline'/logo.png",
      "https://'self'.test/logo.png",
      'https://127.0.0.1/logo.png',
      'https://localhost/logo.png',
    ].map((url) => invalid('logo_url', NO_IMAGE, url)),
    invalid('logo_url', 'must have at most 500 characters.', `https://cdn.acme.test/${'x'.repeat(500)}`),
    invalid('name', 'is not a field of this request. Leave it out.', 'Acme'),
  ])('%j is 400 and changes nothing', async (given, error, message, field) => {
    const platform = await freshPlatform({ redirectUris: ['https://app.test/kept'] });
    const before = await read(platform);
    const answer = await put(platform, { on_decline: 'cancel', ...given });
    expect([answer.status, answer.body]).toEqual([400, wholeError({ error, message, field })]);
    expect(await read(platform)).toEqual(before);
  });

  test('five redirect URIs are taken', async () => {
    const { status, body } = await put(await freshPlatform(), { redirect_uris: many(5) });
    expect([status, body]).toEqual([200, expect.objectContaining({ redirect_uris: many(5) })]);
  });
});

describe('GET /v1/platform/users', () => {
  test("lists this platform's people with their preferences whole, as they connected", async () => {
    const { platform, other, ada } = await connectedTwice();
    await world.advance(1_000);
    const { email, own } = await personWithKey(platform, { name: 'bob', timezone: 'Asia/Tokyo' });
    await own.send('PUT', '/v1/user/preferences', { buffer_minutes: 15 });
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
    await noteLostGrant(email);
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
