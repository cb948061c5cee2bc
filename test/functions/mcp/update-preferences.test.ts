import { expect, test } from 'vitest';
import { connectAgent, GENERATIONS } from '../../support/people/agents.ts';
import { freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOL = 'update_preferences';
const platform = await freshPlatform({ plan: 'enterprise' });

async function someone() {
  const { email } = freshPerson({ timezone: 'Europe/Berlin' });
  const { api_key } = await world.connect(platform, email);
  const read = async () =>
    (await createClient(world.baseUrl, api_key).send('GET', '/v1/user/preferences')).body as { preferences: object };
  return { email, key: api_key, read };
}

test.each(GENERATIONS)('changes what is given and nothing else, for clients of %s', async (generation) => {
  const { email, key, read } = await someone();
  const { preferences: before } = await read();
  const agent = await connectAgent(key, { generation });
  const given = {
    buffer_minutes: 15,
    work_hours: { Friday: { enabled: false } },
    focus_blocks: [{ day: 'Monday', start: '09:00', end: '10:00' }],
  };
  const { data, text } = await agent.call(TOOL, given);
  expect(data).toMatchObject({
    status: 'updated',
    email,
    preferences: {
      ...before,
      ...{ buffer_minutes: 15 },
      work_hours: expect.anything(),
      focus_blocks: [{ day: 'monday' }],
    },
  });
  expect(data.preferences.work_hours.friday.enabled).toBe(false);
  expect(text).toMatch(/^Saved: .*buffer_minutes is 15/);
  expect((await read()).preferences).toEqual(data.preferences);
});

test('a preview says what changes from what, and changes nothing until it is confirmed', async () => {
  const { key, read } = await someone();
  const before = await read();
  const agent = await connectAgent(key);
  const preview = await agent.call(TOOL, { timezone: 'Asia/Tokyo', preview: true });
  expect(preview.text).toContain('This would change timezone from "Europe/Berlin" to "Asia/Tokyo".');
  expect(await read()).toEqual(before);
  const { confirm_token } = preview.data;
  const saved = await agent.call(TOOL, { timezone: 'Asia/Tokyo', confirm_token });
  expect(saved.data).toMatchObject({ status: 'updated', preferences: { timezone: 'Asia/Tokyo' } });
  await agent.call(TOOL, { timezone: 'Europe/Paris' });
  expect(await agent.refusal(TOOL, { timezone: 'Asia/Tokyo', confirm_token })).toBe(
    'invalid_request: `confirm_token` was already used in an earlier call. Check what the earlier call changed. For a further change, request a new preview.',
  );
  expect(await read()).toMatchObject({ preferences: { timezone: 'Europe/Paris' } });
});

test.each([
  [
    'an abbreviation in a preview',
    { timezone: 'PST', scheduling_context: 'No meetings after 3pm Eastern', preview: true },
    /^invalid_request: `timezone` must be an IANA time zone\. Did you mean .*America\/Los_Angeles/,
  ],
  ['a misspelt field', { buffer: 15 }, /did you mean `buffer_minutes`\?$/],
])('refuses %s and saves nothing', async (_what, args, message) => {
  const { key, read } = await someone();
  const before = await read();
  const agent = await connectAgent(key);
  expect(await agent.refusal(TOOL, args)).toMatch(message);
  expect(await read()).toEqual(before);
});
