import { expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { compileClosed, documented } from '../../support/checks/openapi.ts';
import { bookable, hoursLater, pass } from '../../support/people/meetings.ts';
import { emitOne } from '../../support/people/webhooks.ts';
import { type Answer, type Client, createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Returns a client that checks each answer of a documented operation against the schema for its status. */
function witness() {
  const seen = new Set<string>();
  async function call<T = Record<string, unknown>>(
    client: Client,
    name: string,
    { at = {}, query = '', body }: { at?: Record<string, string>; query?: string; body?: unknown } = {},
  ): Promise<T> {
    const [method = '', template = ''] = name.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(at[part] ?? ''));
    const answer = await client.send(method, path + query, body);
    expectDocumented(name, answer);
    if (answer.status < 400) seen.add(name);
    return answer.body as T;
  }
  return { call, seen };
}

function expectDocumented(name: string, { status, headers, body }: Answer): void {
  const operation = documented().find((one) => one.name === name)?.operation;
  const response = operation?.responses[status];
  expect(response, `${name} answered ${status}: ${JSON.stringify(body)}`).toBeDefined();
  const schema = response?.content?.['application/json']?.schema;
  expect(schema !== undefined).toBe(headers.get('content-type')?.startsWith('application/json') ?? false);
  expect(compileClosed(schema ?? {}).parse(body)).toEqual(body);
  if (status >= 400 && schema !== undefined)
    expect(response?.content?.['application/json']?.examples).toHaveProperty(codeOf(body));
  expect(headers.has('x-request-id')).toBe(true);
  const described = Object.keys(response?.headers ?? {});
  const counted = status < 400 && headers.has('x-ratelimit-limit');
  expect(described).toEqual(expect.arrayContaining(counted ? ['X-Request-Id', 'X-RateLimit-Limit'] : ['X-Request-Id']));
  if (headers.has('retry-after')) expect(described).toContain('Retry-After');
}

/** Returns the code of an error in either format. */
function codeOf(body: unknown): string {
  const { error, code } = body as { error: string | { code: string }; code?: string };
  return typeof error === 'string' ? String(code) : error.code;
}

test('every operation answers what the document says, field by field', async () => {
  const { platform, ada, bob, body, start } = await bookable({ plan: 'pro' });
  const { api } = platform;
  const anybody = createClient(world.baseUrl);
  const { api_key } = await world.connect(platform, ada.email);
  const own = createClient(world.baseUrl, api_key);
  const { call, seen } = witness();
  const { attendees } = body;
  const at = { email: ada.email };

  await call(anybody, 'GET /health');
  await call(anybody, 'GET /openapi.json');
  const query = `?platform_key=${platform.publishable_key}&user_email=${ada.email}`;
  await call(anybody, 'GET /v1/auth/calendar/authorize', { query });
  await call(api, 'GET /v1/platform/oauth-url', { query: `?user_email=${ada.email}` });

  await call(api, 'POST /v1/availability', { body: { attendees, context: 'Intro' } });
  const { slots } = await call<{ slots: { start_time: string }[] }>(api, 'POST /v1/availability', {
    body: { attendees },
  });
  await call(api, 'POST /v1/availability/explain', { body: { attendees, start_time: slots[0]?.start_time } });
  await call(api, 'POST /v1/availability/explain', {
    body: { attendees, start_time: new Date(world.clock.now() + 350 * DAY).toISOString() },
  });
  const booked = await call<{ meeting_id: string }>(api, 'POST /v1/schedule', { body });
  const { job_id } = await call<{ job_id: string }>(api, 'POST /v1/schedule/auto', { body: { attendees } });
  await call(api, 'GET /v1/jobs/{job_id}', { at: { job_id } });
  await pass(70);
  await call(api, 'GET /v1/jobs/{job_id}', { at: { job_id } });
  const called = await call<{ job_id: string }>(api, 'POST /v1/schedule/auto', { body: { attendees } });
  await call(api, 'DELETE /v1/jobs/{job_id}', { at: { job_id: called.job_id } });
  await call(api, 'GET /v1/jobs/{job_id}', { at: { job_id: called.job_id } });

  const round = { meetings: [{ reference: 'one', attendees }], dry_run: true };
  const { batch_id } = await call<{ batch_id: string }>(api, 'POST /v1/schedule/batch', { body: round });
  await call(api, 'GET /v1/batches/{batch_id}', { at: { batch_id } });
  await pass(70);
  await call(api, 'GET /v1/batches/{batch_id}', { at: { batch_id } });
  await call(api, 'POST /v1/batches/{batch_id}/commit', { at: { batch_id } });
  await call(api, 'DELETE /v1/batches/{batch_id}', { at: { batch_id } });

  const { proposal_id } = await call<{ proposal_id: string }>(api, 'POST /v1/proposals', {
    body: { ...body, start_time: undefined, times: [hoursLater(start, 24)] },
  });
  await call(api, 'GET /v1/proposals/{proposal_id}', { at: { proposal_id } });
  await call(api, 'DELETE /v1/proposals/{proposal_id}', { at: { proposal_id } });
  await call(api, 'GET /v1/proposals');
  type Made = { proposal_id: string; times: { id: string }[] };
  const offer = (hours: number) =>
    call<Made>(api, 'POST /v1/proposals', {
      body: { ...body, start_time: undefined, times: [hoursLater(start, hours)] },
    });
  const [chosen, refused] = [await offer(25), await offer(26)];
  await call(api, 'POST /v1/proposals/{proposal_id}/accept', {
    at: { proposal_id: chosen.proposal_id },
    body: { time_id: chosen.times[0]?.id },
  });
  const invited = await call<Made>(api, 'POST /v1/proposals', {
    body: {
      ...body,
      attendees: [ada.email, 'guest@people.test'],
      start_time: undefined,
      times: [hoursLater(start, 27)],
    },
  });
  const { meeting_id: withGuest } = await call<{ meeting_id: string }>(api, 'POST /v1/proposals/{proposal_id}/accept', {
    at: { proposal_id: invited.proposal_id },
    body: { time_id: invited.times[0]?.id, guest_name: 'Grace', guest_time_zone: 'Europe/Paris' },
  });
  await call(api, 'GET /v1/meetings/{meeting_id}', { at: { meeting_id: withGuest } });
  await call(api, 'DELETE /v1/users/{email}', { at: { email: 'guest@people.test' } });
  await call(api, 'POST /v1/proposals/{proposal_id}/decline', {
    at: { proposal_id: refused.proposal_id },
    body: { reason: 'No' },
  });

  const told = { meeting_id: booked.meeting_id, requested_by: ada.email, reason: 'Mornings are too early for me.' };
  const path = 'POST /v1/meetings/{meeting_id}/reschedule';
  const replaced = await call<{ new_meeting_id: string }>(api, path, { at: told, body: told });
  await call(api, 'GET /v1/meetings/{meeting_id}', { at: told });
  const meeting_id = replaced.new_meeting_id;
  const moved = { start_time: hoursLater(start, 3), end_time: hoursLater(start, 4) };
  await call(api, 'PUT /v1/meetings/{meeting_id}', { at: { meeting_id }, body: moved });
  await call(api, 'DELETE /v1/meetings/{meeting_id}', { at: { meeting_id } });
  await call(api, 'GET /v1/meetings/{meeting_id}', { at: { meeting_id } });
  await call(api, 'GET /v1/meetings', { query: '?limit=1' });
  await call(api, 'GET /v1/users/{email}/meetings', { at });
  await call(api, 'GET /v1/users/{email}/status', { at });
  await call(api, 'GET /v1/users/{email}/availability', { at });
  await call(api, 'GET /v1/calendars');
  await call(api, 'GET /v1/calendars', { query: '?limit=1' });
  await call(api, 'GET /v1/platform/dashboard');
  await call(api, 'POST /v1/platform/dashboard-link');
  await call(api, 'GET /v1/platform/users', { query: '?limit=1' });
  await call(api, 'GET /v1/platform/users/status', { query: `?email=${ada.email}` });
  await call(api, 'GET /v1/platform/users/status', { query: '?email=no.one@people.test' });
  await call(api, 'GET /v1/platform/settings');
  await call(api, 'PUT /v1/platform/settings', { body: { on_decline: 'reschedule' } });

  await call(own, 'GET /v1/user/info');
  await call(own, 'GET /v1/user/preferences');
  const focus_blocks = [{ day: 'monday', start: '09:00', end: '10:00', reason: 'Deep work' }];
  const scheduling_context = 'Mornings are too early for me.';
  await call(own, 'PUT /v1/user/preferences', { body: { focus_blocks, scheduling_context } });
  const { entries } = await call<{ entries: { id: string }[] }>(own, 'GET /v1/user/learning');
  await call(own, 'POST /v1/user/learning/{id}/undo', { at: { id: entries[0]?.id ?? '' } });
  await call(own, 'DELETE /v1/user/learning');
  await call(own, 'GET /v1/user/export');

  await emitOne(platform);
  await pass(70);
  await call(api, 'GET /v1/platform/webhook');
  await call(api, 'PUT /v1/platform/webhook', { body: { max_retries: 2 } });
  await call(api, 'PUT /v1/platform/webhook', {
    body: { url: `${platform.webhookUrl}-new`, events: ['meeting.updated'] },
  });
  await call(api, 'POST /v1/platform/webhook/rotate-secret');
  await call(api, 'GET /v1/platform/webhook');
  const tested = await call<{ id: string }>(api, 'POST /v1/platform/webhook/test', { body: {} });
  world.inbox.answer({ status: 500 });
  await call(api, 'POST /v1/platform/webhook/test', { body: { event_type: 'meeting.updated' } });
  world.inbox.answer({ status: 200 });
  const replayed = await call<{ delivery_id: string }>(api, 'POST /v1/platform/webhook/logs/{id}/replay', {
    at: tested,
  });
  await call(api, 'GET /v1/platform/webhook/logs/{id}', { at: { id: replayed.delivery_id } });
  await call(api, 'GET /v1/platform/webhook/logs', { query: '?limit=2' });
  await call(api, 'POST /v1/platform/webhook/replay', { body: { since: '2026-01-01T00:00:00Z' } });

  await call(api, 'PUT /v1/platform/settings', { body: { webhook_url: `${platform.webhookUrl}-newest` } });
  await call(api, 'DELETE /v1/calendars/{email}', { at: { email: bob.email } });
  await call(api, 'GET /v1/platform/audit-log', { query: '?limit=2' });
  await call(api, 'POST /v1/platform/regenerate-key');
  const { api_key: next } = await call<{ api_key: string }>(own, 'POST /v1/user/api-key/regenerate');
  await call(createClient(world.baseUrl, next), 'DELETE /v1/user');
  expect([...seen].toSorted()).toEqual(
    documented()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('every refusal is one that the document lists', async () => {
  const { platform, ada, body, start } = await bookable({ plan: 'developer' });
  const { api } = platform;
  const { call } = witness();
  const missing = {
    id: 'wh_del_none',
    job_id: 'sched_none',
    batch_id: 'batch_none',
    proposal_id: 'prop_none',
    meeting_id: 'meet_none',
    email: 'no.one@people.test',
  };
  world.google.addBusy({ email: ada.email, start: body.start_time, end: hoursLater(start, 1) });

  await call(api, 'POST /v1/schedule', { body: { ...body, require_free: true } });
  await call(api, 'POST /v1/schedule', { body: { ...body, attendees: ['no.one@people.test', ada.email] } });
  await call(api, 'POST /v1/schedule', { body: '{' });
  await call(createClient(world.baseUrl), 'POST /v1/schedule', { body });
  await call(createClient(world.baseUrl, platform.publishable_key), 'GET /v1/calendars');
  for (const { name } of documented().filter((one) => /^(?:GET|DELETE|POST) \/v1\/(?!user\/).*\{/.test(one.name)))
    await call(api, name, { at: missing });
  await call(api, 'POST /v1/availability', { body: { attendees: 'both' } });
  await call(api, 'PUT /v1/platform/webhook', { body: { url: 'http://localhost' } });
  for (const redirect_uris of [['http://app.test'], Array(6).fill('https://app.test')])
    await call(api, 'PUT /v1/platform/settings', { body: { redirect_uris } });
  await call(api, 'PUT /v1/platform/settings', { body: { webhook_url: 'http://localhost' } });
  for (const query of ['', '?email=nobody']) await call(api, 'GET /v1/platform/users/status', { query });
  await call(createClient(world.baseUrl), 'GET /v1/auth/calendar/authorize');
  for (let i = 0; i < 60; i += 1) await call(api, 'GET /v1/calendars');
});
