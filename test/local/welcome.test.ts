import { expect, test } from 'vitest';
import { welcome } from './welcome.ts';

const stack = {
  base_url: 'http://localhost:8787',
  world_url: 'http://127.0.0.1:8788',
  platform: { id: 'plat_1', secret_key: 'sk_live_1', publishable_key: 'pk_live_1', webhook_secret: 'whsec_1' },
  users: [
    { email: 'ann@demo.test', timezone: 'Europe/Lisbon', api_key: 'sk_user_1' },
    { email: 'ben@demo.test', timezone: 'America/New_York', api_key: 'sk_user_2' },
  ],
};

test('it shows addresses, keys and three calls to paste', () => {
  const text = welcome(stack, '2030-01-07T14:00:00Z');
  for (const shown of [
    'http://localhost:8787',
    'http://127.0.0.1:8788',
    'http://127.0.0.1:8788/dashboard',
    'sk_live_1',
    'pk_live_1',
    'whsec_1',
    'sk_user_2',
  ]) {
    expect(text).toContain(shown);
  }
  expect(curlsIn(text)).toHaveLength(3);
});

test('the second call books the time that was found, if it is still free', () => {
  const [, booking = ''] = curlsIn(welcome(stack, '2030-01-07T14:00:00Z'));
  const [, body = ''] = /-d '(.*)'$/.exec(booking) ?? [];
  expect(JSON.parse(body)).toEqual({
    attendees: ['ann@demo.test', 'ben@demo.test'],
    duration_minutes: 30,
    start_time: '2030-01-07T14:00:00Z',
    require_free: true,
    title: 'Coffee',
  });
});

test('when no time was found, it says what belongs there', () => {
  expect(curlsIn(welcome(stack))[1]).toContain('"start_time":"<a start_time of that answer>"');
});

function curlsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trim().startsWith('curl'));
}
