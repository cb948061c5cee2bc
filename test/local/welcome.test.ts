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
  cases: [{ email: 'slow@demo.test', timezone: 'Europe/Madrid', what: 'Is slow.' }],
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
    'slow@demo.test',
    'Is slow.',
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

test('keys that were replaced are not shown as valid', () => {
  const [ann, ben] = stack.users;
  if (ann === undefined || ben === undefined) throw new Error('two people are missing');
  const platform = { ...stack.platform, secret_key: null, webhook_secret: 'whsec_2' };
  const text = welcome({ ...stack, platform, users: [{ ...ann, api_key: null }, ben] });
  expect(text).toContain('secret key       replaced since, so only you have it');
  expect(text).toMatch(/ann@demo.test +Europe\/Lisbon +replaced since/);
  expect(text).toContain('sk_user_2');
  expect(curlsIn(text)[0]).toContain("'Authorization: Bearer <your secret key>'");
});

test('when no time was found, it says what belongs there', () => {
  expect(curlsIn(welcome(stack))[1]).toContain('"start_time":"<start_time of a slot in that answer>"');
});

function curlsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trim().startsWith('curl'));
}
