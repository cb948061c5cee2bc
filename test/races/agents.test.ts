import { expect, test } from 'vitest';
import { connectAgent } from '../support/people/agents.ts';
import { expectToldOrConnected, listed } from '../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
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

const [PEOPLE, ROUNDS] = [6, 6];

async function someone(platform: TestPlatform) {
  const { api_key } = await world.connect(platform, (await connectedPerson(platform)).email);
  return { agent: await connectAgent(api_key), person: createClient(world.baseUrl, api_key) };
}

test.each<[name: string, agents: unknown, own: (round: number) => unknown]>([
  ['buffer_minutes', 15, (round) => (round % 2 === 0 ? 30 : 0)],
  ['scheduling_context', 'No meetings on Fridays, please.', (round) => `Mornings are best, week ${round}.`],
])('a confirmed change of %s never goes over a change that the preview did not show', async (name, agents, own) => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => someone(platform)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const value = own(round);
    await Promise.all(
      people.map(async ({ agent, person }) => {
        const args = { [name]: agents };
        const { data } = await agent.call('update_preferences', { ...args, preview: true });
        const [confirmed, changed] = await Promise.all([
          agent.call('update_preferences', { ...args, confirm_token: data.confirm_token }),
          person.send('PUT', '/v1/user/preferences', { [name]: value }),
        ]);
        expect(changed.status).toBe(200);
        expect(['updated', 'preview']).toContain(confirmed.data.status);
        // Either the person's own change came last, or the confirmation was refused because of it.
        const { body } = await person.send('GET', '/v1/user/preferences');
        expect(body).toMatchObject({ preferences: { [name]: value } });
      }),
    );
    await world.advance(60_000);
  }
});
