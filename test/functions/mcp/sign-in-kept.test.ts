import { expect, test } from 'vitest';
import { tick } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { exchange, letIn, publishAgent } from '../../support/people/signing-in.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const signIn = async () => (await world.signIn((await connectedPerson(await freshPlatform())).email)).browser;
const worksNow = async (key: string) =>
  (await createClient(world.baseUrl, key).send('POST', '/mcp', {})).status !== 401;

test('a person has at most 20 agents, and one more ends the access of the oldest', async () => {
  const browser = await signIn();
  const keys: string[] = [];
  for (let at = 0; at < 21; at += 1) {
    const agent = publishAgent();
    keys.push((await exchange(agent, await letIn(browser, agent))).body.access_token);
    if (at === 19) expect(await worksNow(keys[0] ?? '')).toBe(true);
    await world.advance(10_000);
  }
  expect(await Promise.all(keys.map(worksNow))).toEqual([false, ...Array(20).fill(true)]);
  const me = await browser.open(`${world.baseUrl}/me`);
  expect(me.html.match(/action="\/me\/agents\/revoke"/g)).toHaveLength(20);
});

test('a code is deleted a day after it expired, used or not, and the token of a used one still works', async () => {
  const browser = await signIn();
  const [agent, unused] = [publishAgent(), publishAgent()];
  const { body } = await exchange(agent, await letIn(browser, agent));
  await letIn(browser, unused);
  const left = async () =>
    (
      await world.neon.query('select redirect_uri from agent_codes where redirect_uri in ($1, $2)', [
        agent.redirectUri,
        unused.redirectUri,
      ])
    ).length;
  await world.advance(86_400_000);
  await tick();
  expect(await left()).toBe(2);
  await world.advance(70_000);
  await tick();
  expect(await left()).toBe(0);
  expect(await worksNow(body.access_token)).toBe(true);
});
