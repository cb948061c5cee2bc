import { describe, expect, test } from 'vitest';
import { listed } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { authorizeUrl, consent, land } from '../../support/people/signing-in.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Connects Ada, and gives her address to an account that Google does not vouch for. */
async function held() {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada' });
  const { api_key } = await world.connect(platform, email);
  world.google.passOn(email, { isUnhosted: true });
  return { platform, email, holder: createClient(world.baseUrl, api_key) };
}

describe('another account under an address that somebody holds', () => {
  test('is refused where Google does not vouch for the address, and told what to do', async () => {
    const { platform, email, holder } = await held();
    const { callback, cookie } = await consent(authorizeUrl(platform, email), { action: 'allow', email });
    const answer = await land(callback, cookie);
    expect(answer.status).toBe(400);
    const html = (await answer.text()).replaceAll(/\s+/g, ' ');
    expect(html).toContain('This address belongs to another account');
    expect(html).toContain('to disconnect that address');
    expect((await holder.send('GET', '/v1/user/info')).status).toBe(200);
    expect((await listed(platform)).connections.map((one) => one.user_email)).toEqual([email]);
  });

  test('gets the address once its holder has no access left', async () => {
    const { platform, email, holder } = await held();
    expect((await platform.api.disconnect(email)).status).toBe(200);
    await world.connectCalendar(platform, email);
    expect((await listed(platform)).connections.map((one) => one.user_email)).toEqual([email]);
    expect((await holder.send('GET', '/v1/user/info')).status).toBe(401);
  });
});

test.each([
  [4_096, 200],
  [4_097, 400],
])('a link with a state of %i characters is %i', async (length, status) => {
  const platform = await freshPlatform();
  const state = 'x'.repeat(length);
  const page = await fetch(authorizeUrl(platform, 'ada@people.test', { state }));
  expect(page.status).toBe(status);
  if (status === 400) expect(await page.text()).toContain('`state` must have at most 4,096 characters.');
  const link = await platform.api.send('GET', `/v1/platform/oauth-url?user_email=ada@people.test&state=${state}`);
  expect(link.status).toBe(status);
  if (status === 400) expect(link.body).toMatchObject({ field: 'state' });
});
