import { expect, test } from 'vitest';
import { connectAgent } from '../support/people/agents.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { createClient } from '../support/worlds/client.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

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
