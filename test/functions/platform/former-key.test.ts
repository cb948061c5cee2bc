import { describe, expect, test } from 'vitest';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { inHours, iso } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const ROTATION = '0b9f6c1e-52d4-4f0e-9a37-6a1f5f8f2b7d';

const REPLACED = { status: 403, body: { message: expect.stringContaining('This API key was replaced.') } };

/** Replaces a platform's key and keeps the old one, which `platform.api` goes on to use. */
async function replaced() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const again = (body: object = { keep_old_for_hours: 72 }, key = ROTATION) =>
    platform.api.send('POST', '/v1/platform/regenerate-key', body, { headers: { 'Idempotency-Key': key } });
  const made = await again();
  const { api_key } = made.body as { api_key: string };
  return { platform, again, made, next: createClient(world.baseUrl, api_key), api_key };
}

describe('a key that was replaced and is kept', () => {
  test('reads and books', async () => {
    const { platform } = await replaced();
    const people = [await connectedPerson(platform), await connectedPerson(platform)];
    const attendees = people.map(({ email }) => email);
    expect((await platform.api.calendars()).status).toBe(200);
    const body = { attendees, start_time: iso(inHours(48)), duration_minutes: 30, title: 'Booked' };
    expect((await platform.api.schedule(body)).status).toBe(200);
  });

  test.each<[string, string, object?]>([
    ['POST', '/v1/platform/regenerate-key'],
    ['POST', '/v1/platform/dashboard-link'],
    ['PUT', '/v1/platform/settings', { redirect_uris: ['https://a.example/x'] }],
    ['PUT', '/v1/platform/webhook', { url: 'https://a.example/x' }],
    ['POST', '/v1/platform/webhook/rotate-secret'],
    ['POST', '/v1/platform/webhook/test'],
    ['DELETE', '/v1/calendars/somebody@people.test'],
  ])('cannot %s %s', async (method, path, body) => {
    const { platform, next } = await replaced();
    expect(await platform.api.send(method, path, body)).toMatchObject(REPLACED);
    expect((await next.calendars()).status).toBe(200);
  });

  test('gets the new key again for ten minutes, and never for another body', async () => {
    const { made, again, api_key } = await replaced();
    expect((await again()).body).toEqual(made.body);
    for (const body of [{ keep_old_for_hours: 71 }, {}])
      expect(await again(body)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await again({ keep_old_for_hours: 72 }, crypto.randomUUID())).toMatchObject(REPLACED);
    await world.advance(9 * 60_000);
    expect((await again()).body).toMatchObject({ api_key });
    await world.advance(2 * 60_000);
    const late = await again();
    expect([late.status, late.text.includes(api_key)]).toEqual([422, false]);
    await world.advance(2 * 3_600_000);
    expect(await again({ keep_old_for_hours: 72 }, crypto.randomUUID())).toMatchObject(REPLACED);
  });

  test('of a person changes no preference and deletes nothing', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform);
    const { api_key } = await world.connect(platform, email);
    const own = createClient(world.baseUrl, api_key);
    const headers = { 'Idempotency-Key': ROTATION };
    const made = await own.send('POST', '/v1/user/api-key/regenerate', { keep_old_for_hours: 72 }, { headers });
    expect(made.status).toBe(200);
    expect((await own.send('GET', '/v1/user/preferences')).status).toBe(200);
    expect(await own.send('PUT', '/v1/user/preferences', { buffer_minutes: 5 })).toMatchObject(REPLACED);
    expect(await own.send('DELETE', '/v1/user')).toMatchObject(REPLACED);
    const call = { name: 'update_preferences', arguments: { buffer_minutes: 5 } };
    const answer = await own.send(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      {
        headers: { Accept: 'application/json, text/event-stream' },
      },
    );
    expect(answer.text).toContain('This API key was replaced.');
  });
});
