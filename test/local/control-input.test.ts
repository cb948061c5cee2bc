import { beforeAll, describe, expect, test } from 'vitest';
import { controlledWorld } from './fixtures/controlled.ts';

const { control, world } = controlledWorld();

beforeAll(async () => {
  await control('POST', '/google/users', { email: 'ann@people.test', timezone: 'UTC' });
});

describe('bad input is a 400 that says what is wrong', () => {
  test.each([
    ['POST', '/faults', { target: 'mars', mode: 'reset' }, 'target'],
    ['POST', '/faults', { target: 'google', mode: 'explode' }, 'mode'],
    ['POST', '/faults', { target: 'google', mode: 'status' }, 'status'],
    ['POST', '/faults', { target: 'google', mode: 'delay' }, 'delay_ms'],
    ['POST', '/faults', { target: 'google', mode: 'reset', match: 'calendar' }, 'match'],
    ['POST', '/faults', { target: 'google', mode: 'reset', body_match: '(' }, 'body_match'],
    ['POST', '/faults', { target: 'google', mode: 'reset', often: 1 }, 'often'],
    ['POST', '/latency', { mars: 5 }, 'mars'],
    ['POST', '/latency', { google: -1 }, 'google'],
    ['POST', '/google/users', { email: 'x', timezone: 'UTC' }, 'email'],
    ['POST', '/google/users', { email: 'a@b.co', timezone: 'Mars/Base' }, 'timezone'],
    ['POST', '/google/busy', { email: 'a@b.co', start: '2030-01-01T10:00', end: '2030-01-01T11:00Z' }, 'start'],
    ['POST', '/google/busy', { email: 'a@b.co', start: '2030-01-01T10:00:00Z', end: '2030-01-01T09:00:00Z' }, 'end'],
    ['GET', '/google/events', undefined, 'email'],
    ['PATCH', '/google/events', { email: 'a@b.co' }, 'event_id'],
    ['POST', '/google/events', { email: 'a@b.co', start: 'soon', end: '2030-01-01' }, 'start'],
    [
      'POST',
      '/google/events',
      { email: 'ann@people.test', start: '2030-01-01', end: '2030-01-02', recurrence: ['X'] },
      'recurrence',
    ],
    ['POST', '/google/calendars', { owner: 'a@b.co' }, 'summary'],
    ['PATCH', '/google/calendars', { id: 'c', timezone: 'Mars/Base' }, 'timezone'],
    ['POST', '/google/shares', { calendar: 'c', reader: 'a@b.co', role: 'king' }, 'role'],
    ['POST', '/google/revoke', {}, 'email'],
    ['POST', '/inbox/answer', { status: 99 }, 'status'],
    ['POST', '/clock', { advance_seconds: -1 }, 'advance_seconds'],
    ['POST', '/platforms', { plan: 'pro' }, 'name'],
    ['POST', '/platforms', { name: 'X', plan: 'gold' }, 'plan'],
    ['POST', '/connect', {}, 'email'],
  ])('%s %s %j', async (method, path, body, named) => {
    const answer = await control(method, path, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining(named) },
    });
  });

  test('a body that is not JSON', async () => {
    const response = await fetch(`${world().worldUrl}/faults`, { method: 'POST', body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'invalid_request', message: 'The body is not JSON.' });
  });

  test('an unknown path is 404', async () => {
    expect(await control('GET', '/fault')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('a platform nobody knows cannot be connected to', async () => {
    expect(await control('POST', '/connect', { email: 'ann@people.test', platform_id: 'plat_no' })).toMatchObject({
      status: 404,
    });
  });
});
