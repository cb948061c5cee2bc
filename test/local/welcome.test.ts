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
  const text = welcome(stack, Date.parse('2030-01-04T12:00:00Z'));
  for (const shown of [
    'http://localhost:8787',
    'http://127.0.0.1:8788',
    'sk_live_1',
    'pk_live_1',
    'whsec_1',
    'sk_user_2',
  ]) {
    expect(text).toContain(shown);
  }
  const curls = text.split('\n').filter((line) => line.trim().startsWith('curl'));
  expect(curls).toHaveLength(3);
  expect(curls[1]).toContain('"start_time":"2030-01-07T14:00:00Z"');
});
