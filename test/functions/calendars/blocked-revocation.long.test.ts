import { expect, test } from 'vitest';
import { revokeCalls, tick } from '../../support/people/calendars.ts';
import { adaWithAHistory, rows } from '../../support/people/person-data.ts';
import { cookieOf, land } from '../../support/people/signing-in.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Sets out to sign in as somebody, and comes back with a code that the provider never gave. */
async function knock(email: string) {
  const left = await fetch(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(email)}`, { redirect: 'manual' });
  const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const callback = `${world.baseUrl}/oauth/callback?${new URLSearchParams({ code: 'garbage', state })}`;
  return (await land(callback, cookieOf(left, 'tandem_flow'))).status;
}

test('a stranger who knows the address does not hold off the revocation of a deleted person’s grant', async () => {
  const { ada, own } = await adaWithAHistory();
  world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect(await knock(ada.email)).toBe(400);
  world.faults.clear();
  world.traffic.clear();
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await world.advance(59_000);
    await tick();
    expect(await knock(ada.email)).toBe(400);
  }
  expect(revokeCalls()).toHaveLength(1);
  expect(await rows('select * from revocations')).toEqual([]);
});

test('nor does one who returns while the person is still there', async () => {
  const { ada, own } = await adaWithAHistory();
  expect(await knock(ada.email)).toBe(400);
  world.traffic.clear();
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect(revokeCalls()).toHaveLength(1);
});
