import { describe, expect, test } from 'vitest';
import { atDashboard, headingOf, visit, wordsOf } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { drain } from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Entry {
  id: string;
  action: string;
  by: { kind: string; id: string };
  network: string | null;
  request_id: string;
  details: Record<string, string>;
}

const readLog = async ({ api }: Pick<TestPlatform, 'api'>, query = '') =>
  (await api.send('GET', `/v1/platform/audit-log${query}`)).body as {
    entries: Entry[];
    pagination: { next_cursor: string | null; has_more: boolean };
  };
const actionsOf = async (platform: Pick<TestPlatform, 'api'>) =>
  (await readLog(platform)).entries.map(({ action, by }) => `${action} by ${by.kind}`).toReversed();

describe('GET /v1/platform/audit-log', () => {
  test('tells who changed the webhook, the redirect URIs and the settings, once for each change', async () => {
    const platform = await freshPlatform();
    const put = (path: string, body: unknown) => platform.api.send('PUT', `/v1/platform/${path}`, body);
    for (let times = 0; times < 2; times += 1) {
      await put('settings', { on_decline: 'cancel', redirect_uris: ['https://a.example/x'] });
      await put('webhook', { max_retries: 2 });
      await put('webhook', { url: `${platform.webhookUrl}/next` });
    }
    await platform.api.send('POST', '/v1/platform/webhook/rotate-secret');
    expect((await actionsOf(platform)).toSorted()).toEqual(
      ['redirect_uris.changed', 'settings.changed', 'endpoint.settings_changed', 'endpoint.changed', 'secret.rotated']
        .map((action) => `${action} by key`)
        .toSorted(),
    );
    const { entries } = await readLog(platform);
    expect(entries.find(({ action }) => action === 'settings.changed')).toMatchObject({
      id: expect.stringMatching(/^audit_\w+$/),
      by: { kind: 'key', id: expect.stringMatching(/^sk_live_….{4}$/) },
      network: expect.stringMatching(/\/(24|64)$/),
      details: { on_decline: 'cancel' },
    });
    expect(JSON.stringify(entries)).not.toContain(platform.webhookUrl.split('/').at(-1));
    expect(JSON.stringify(entries)).not.toContain(platform.secret_key);
  });

  test('tells a platform the same of each access that it did not end itself, and nothing of who did', async () => {
    const [platform, other] = [await freshPlatform(), await freshPlatform()];
    const search = (email: string) => other.api.send('GET', `/v1/users/${email}/availability?fresh=true`);
    const onPage = async (email: string, path: string, query = '') => {
      const { browser } = await world.signIn(email);
      await browser.submit(await browser.open(`${world.baseUrl}${path}${query}`), path);
    };
    const ends: [reason: string, end: (email: string, key: string) => Promise<unknown>][] = [
      ['user_requested', (email) => other.api.disconnect(email)],
      ['user_requested', (email) => onPage(email, '/me/disconnect', `?platform_id=${platform.id}`)],
      ['user_requested', (email) => onPage(email, '/me/delete')],
      ['user_requested', (_, key) => createClient(world.baseUrl, key).send('DELETE', '/v1/user')],
      ['revoked', async (email) => [world.google.revoke(email), await search(email)]],
    ];
    for (const [reason, end] of ends) {
      const { email } = await connectedPerson(platform);
      const { api_key } = await world.connect(other, email);
      await end(email, api_key);
      const [{ id = '', ...told } = {}, ...former] = (await readLog(platform)).entries;
      expect(former).toHaveLength(ends.findIndex((one) => one[1] === end));
      const by = reason === 'revoked' ? { kind: 'google', id: 'google' } : { kind: 'service', id: 'tandem' };
      expect(id).toHaveLength('audit_'.length + 28);
      expect(told).toEqual({
        ...{ at: expect.any(String), action: 'person.disconnected', by, details: { reason } },
        ...{ network: null, request_id: id.slice(0, -8) },
      });
    }
    expect((await actionsOf(other)).filter((action) => action.includes('key'))).toEqual(['person.disconnected by key']);
  });

  test('marks a request ID that the caller chose, so that none passes for ours', async () => {
    const platform = await freshPlatform();
    const headers = { 'X-Request-Id': crypto.randomUUID() };
    await platform.api.send('POST', '/v1/platform/webhook/rotate-secret', undefined, { headers });
    expect((await readLog(platform)).entries[0]?.request_id).toBe(`caller:${headers['X-Request-Id']}`);
  });

  test('comes in pages, newest first, and shows no other platform’s changes', async () => {
    const [platform, other] = [await freshPlatform(), await freshPlatform()];
    for (const on_decline of ['cancel', 'notify', 'reschedule'])
      await platform.api.send('PUT', '/v1/platform/settings', { on_decline });
    await other.api.send('POST', '/v1/platform/webhook/rotate-secret');
    const first = await readLog(platform, '?limit=2');
    const next = await readLog(platform, `?limit=2&cursor=${first.pagination.next_cursor}`);
    expect([...first.entries, ...next.entries].map(({ details }) => details.on_decline)).toEqual([
      'reschedule',
      'notify',
      'cancel',
    ]);
    expect([first.pagination.has_more, next.pagination.has_more]).toEqual([true, false]);
    const foreign = await other.api.send('GET', `/v1/platform/audit-log?cursor=${first.pagination.next_cursor}`);
    expect(JSON.stringify(foreign.body)).not.toContain('on_decline');
    expect((await other.api.send('GET', '/v1/platform/audit-log?cursor=x')).status).toBe(400);
    expect((await other.api.send('GET', '/v1/platform/audit-log?limit=0')).status).toBe(400);
  });

  test('is a page of the dashboard, also for a session that only looks', async () => {
    const platform = await freshPlatform();
    const { browser } = await atDashboard(platform);
    const page = await visit(browser, '/dashboard/audit-log');
    expect(headingOf(page)).toBe('Audit log');
    expect(wordsOf(page)).toMatch(/The dashboard was opened .*Dashboard session/);
    expect(wordsOf(page)).toMatch(/A link to the dashboard was made .*API key/);
    expect((await visit(browser, '/dashboard/audit-log?cursor=x')).status).toBe(400);
  });
});

describe('platform.security_changed', () => {
  const subscribe = ({ api }: TestPlatform) =>
    api.send('PUT', '/v1/platform/webhook', { events: ['platform.security_changed'] });
  const told = async (platform: TestPlatform) => {
    await drain(platform);
    return (await webhooksOf(platform))
      .filter(({ body }) => body.event_type === 'platform.security_changed')
      .map(({ body, url }) => [url, body.data] as const);
  };

  test('is sent for a key, a secret, the endpoint and redirect URIs to who subscribed by name', async () => {
    const platform = await freshPlatform();
    await subscribe(platform);
    await platform.api.send('PUT', '/v1/platform/settings', { redirect_uris: ['https://a.example/x'] });
    await platform.api.send('POST', '/v1/platform/webhook/rotate-secret');
    await platform.api.send('PUT', '/v1/platform/settings', { on_decline: 'cancel' });
    const { body } = await platform.api.send('POST', '/v1/platform/regenerate-key');
    const { api_key: key } = body as { api_key: string };
    const now = { ...platform, api: createClient(world.baseUrl, key) };
    const changes = await told(now);
    expect(changes.map(([, data]) => data.change).sort()).toEqual([
      'key.replaced',
      'redirect_uris.changed',
      'secret.rotated',
    ]);
    const first = changes.find(([, data]) => data.change === 'redirect_uris.changed')?.[1] ?? {};
    const entry = (await readLog(now)).entries.find(({ id }) => id === first.audit_log_id);
    expect(entry?.action).toBe('redirect_uris.changed');
    expect(first).toEqual({
      change: 'redirect_uris.changed',
      changed_at: expect.stringMatching(/Z$/),
      changed_by: 'key',
      audit_log_id: expect.stringMatching(/^audit_/),
    });
  });

  test('about another address goes to the address before', async () => {
    const platform = await freshPlatform();
    await subscribe(platform);
    await platform.api.send('PUT', '/v1/platform/webhook', { url: `${platform.webhookUrl}/thief` });
    expect((await told(platform)).map(([url, data]) => [url, data.change])).toEqual([
      [platform.webhookUrl, 'endpoint.changed'],
    ]);
  });

  test.each([
    [{ events: ['meeting.scheduled'] }, 'endpoint.settings_changed'],
    [{ enabled: false }, 'endpoint.settings_changed'],
    [{ enabled: false, url: 'https://inbox.platform.test/other' }, 'endpoint.changed'],
  ])('tells of %j too, which would keep it from telling of anything else', async (change, action) => {
    const platform = await freshPlatform();
    await subscribe(platform);
    await platform.api.send('PUT', '/v1/platform/webhook', change);
    const [[url, data] = []] = await told(platform);
    expect([url, data?.change]).toEqual([platform.webhookUrl, 'endpoint.changed']);
    const { entries } = await readLog(platform);
    expect(entries.map((one) => one.action)).toContain(action);
  });
});
