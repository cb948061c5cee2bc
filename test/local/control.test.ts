import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { USAGE } from '../../lib/client/cli/usage.ts';
import { EVENT_TYPES } from '../../schema/api/webhook-events.ts';
import { migratedDatabase } from '../support/worlds/prepared.ts';
import { CALLS, createControl, triggerRoutes } from './control.ts';
import { finderOf } from './llm.ts';
import { HOSTS } from './targets.ts';
import { startWorld, type World } from './world.ts';

const RELAY = fileURLToPath(new URL('fixtures/worker.ts', import.meta.url));

let world: World;
beforeAll(async () => {
  world = await startWorld({ entry: RELAY, snapshot: await migratedDatabase(), report: () => undefined });
  await control('POST', '/google/users', { email: 'ann@people.test', timezone: 'UTC' });
});
afterAll(() => world.close());

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(world.worldUrl + path, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function relay(to: string, method = 'GET', body?: string) {
  const response = await fetch(`${world.baseUrl}/?to=${encodeURIComponent(to)}`, { method, body: body ?? null });
  return response.json();
}

describe('failures', () => {
  test('a fault is armed, met, counted and cleared', async () => {
    const fault = {
      target: 'google',
      match: 'GET /calendar/v3',
      mode: 'status',
      status: 500,
      body: 'broken',
      times: 2,
    };
    expect(await control('POST', '/faults', fault)).toEqual({ status: 201, body: { faults: [{ ...fault, hits: 0 }] } });
    expect(await relay(`https://${HOSTS.googleApis}/calendar/v3/x`)).toEqual({ status: 500, body: 'broken' });
    expect(await control('GET', '/faults')).toEqual({ status: 200, body: { faults: [{ ...fault, hits: 1 }] } });
    expect(await control('DELETE', '/faults')).toEqual({ status: 204, body: undefined });
    expect(await relay(`https://${HOSTS.googleApis}/calendar/v3/x`)).toMatchObject({ status: 401 });
  });
});

describe('people in the calendar', () => {
  const email = 'ann@people.test';
  const [start, end] = ['2030-01-07T10:00:00Z', '2030-01-07T11:00:00Z'];

  test('an unknown person or event is 404 and named', async () => {
    const busy = await control('POST', '/google/busy', { email: 'nobody@people.test', start, end });
    expect(busy).toMatchObject({ status: 404, body: { message: expect.stringContaining('nobody@people.test') } });
    const change = await control('PATCH', '/google/events', { email, event_id: 'nothing', deleted: true });
    expect(change).toMatchObject({ status: 404, body: { message: expect.stringContaining('nothing') } });
  });
});

test('the world’s page lists every call that the server takes', () => {
  const taken = createControl({} as never).routes.map(({ method, path }) => `${method} ${path}`);
  const listed = CALLS.map(([, call]) => call.split('?')[0]);
  expect(new Set(listed)).toEqual(new Set(taken.filter((call) => !/^ALL |\/(?:dashboard|sleep)?$/.test(call))));
});

describe('bad input is a 400 that says what is wrong', () => {
  test.each([
    ['POST', '/faults', { target: 'google', mode: 'status' }, 'status'],
    ['POST', '/faults', { target: 'google', mode: 'reset', match: 'calendar' }, 'match'],
    ['POST', '/faults', { target: 'google', mode: 'reset', often: 1 }, 'often'],
    ['POST', '/google/busy', { email: 'a@b.co', start: '2030-01-01T10:00:00Z', end: '2030-01-01T09:00:00Z' }, 'end'],
    ['GET', '/google/events', undefined, 'email'],
    [
      'POST',
      '/google/events',
      { email: 'ann@people.test', start: '2030-01-01', end: '2030-01-02', recurrence: ['X'] },
      'recurrence',
    ],
  ])('%s %s %j', async (method, path, body, named) => {
    const answer = await control(method, path, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining(named) },
    });
  });

  test('a body that is not JSON', async () => {
    const response = await fetch(`${world.worldUrl}/faults`, { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'invalid_request', message: 'The body is not JSON.' });
  });

  test('an unknown path is 404', async () => {
    expect(await control('GET', '/fault')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});

test('the command line lists every event of the product, each of which can be triggered', () => {
  for (const event of EVENT_TYPES) expect(USAGE).toContain(event);
});

test('the name under which a webhook subscribes to moves triggers a move', async () => {
  const app = triggerRoutes({ trigger: async (_key, event) => `did ${event}`, firstKey: async () => 'sk_live_any' });
  const post = (event: string) =>
    app.request('/trigger', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ event }),
    });
  const answer = await post('meeting.rescheduled');
  expect(await answer.json()).toEqual({ event: 'meeting.updated', did: 'did meeting.updated' });
  const unknown = await post('meeting.moved');
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('meeting.scheduled')]);
});

test('the question after a contradiction has an answer of its own, or else the first', () => {
  const find = finderOf([
    { text: 'one', answer: 'first' },
    { text: 'one', turn: 2, answer: 'second' },
    { text: 'two', answer: 'only' },
  ]);
  const found = [find('one', 1), find('one', 2), find('two', 2), find('three', 1)];
  expect(found).toEqual(['first', 'second', 'only', undefined]);
});
