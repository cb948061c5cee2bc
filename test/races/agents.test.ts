import { expect, test } from 'vitest';
import { expectToldOrConnected, listed } from '../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../support/people/factories.ts';
import { agentUrl, decide, exchange, letIn, pkce, publishAgent } from '../support/people/signing-in.ts';
import { createClient } from '../support/worlds/client.ts';
import { hold, met } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

async function ada() {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  return (await world.signIn(email)).browser;
}

const keysOf = async ({ host }: { host: string }) =>
  (await world.neon.query('select count(*)::int as n from api_keys where agent_host = $1', [host]))[0];

test('of many exchanges of one code, one makes a token, and the others end it', async () => {
  const browser = await ada();
  for (let round = 0; round < 5; round += 1) {
    const agent = publishAgent();
    const given = await letIn(browser, agent);
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(agent, given)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(await keysOf(agent)).toEqual({ n: 1 });
    const [won] = answers.filter(({ status }) => status === 200);
    const used = await createClient(world.baseUrl, won?.body.access_token).send('POST', '/mcp', {});
    expect(used.status).toBe(401);
  }
});

test('a consent that is sent many times at once makes one code', async () => {
  const browser = await ada();
  const agent = publishAgent();
  const { verifier, challenge } = pkce();
  const page = await browser.open(agentUrl(agent, challenge));
  const decided = await Promise.all(Array.from({ length: 8 }, () => decide(browser, page, 'allow')));
  expect(new Set(decided.map(({ url }) => url)).size).toBe(1);
  const code = decided[0]?.params.get('code') ?? '';
  expect((await exchange(agent, { code, verifier })).status).toBe(200);
});

test('an account that is deleted during an exchange leaves no key', async () => {
  for (let round = 0; round < 5; round += 1) {
    const browser = await ada();
    const agent = publishAgent();
    const given = await letIn(browser, agent);
    const page = await browser.open(`${world.baseUrl}/me/delete`);
    await Promise.all([exchange(agent, given), browser.submit(page, '/me/delete')]);
    expect(await keysOf(agent)).toEqual({ n: 0 });
  }
});

test.each([
  ['was connected before, is not revoked with it', true],
  ['connects for the first time, is refused once it was revoked with it', false],
])(
  'a consent that is still under way when another is kept and ended, of a person who %s',
  async (_who, wasConnected) => {
    const [platform, late] = [await freshPlatform({ plan: 'enterprise' }), await freshPlatform({ plan: 'enterprise' })];
    const ada = freshPerson();
    if (wasConnected) await world.connectCalendar(platform, ada.email);
    const held = hold({ target: 'neon', body_match: 'insert into \\\\"connections', times: 1 });
    const connecting = world.connectCalendar(late, ada.email).catch((error: Error) => error);
    await met(held);
    await world.connectCalendar(platform, ada.email);
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    held.release();
    await connecting;
    expect((await listed(late)).count).toBe(wasConnected ? 1 : 0);
    await expectToldOrConnected(platform, late, ada.email);
  },
);
