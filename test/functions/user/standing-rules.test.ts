import { expect, test } from 'vitest';
import { createTandem } from '../../../lib/client/tandem.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { toMonday } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Saved {
  rules: { id: string; quote: string; meaning: string }[];
  understood?: object[];
  not_understood?: string[];
}

/** Two connected people, and what Bob does with his own key. */
async function pair() {
  await toMonday();
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  const { api_key } = await world.connect(platform, bob.email);
  const own = createClient(world.baseUrl, api_key);
  const say = async (text: string) =>
    (await own.send('PUT', '/v1/user/preferences', { scheduling_context: text })).body as Saved;
  const tandem = createTandem({ apiKey: platform.secret_key, baseUrl: world.baseUrl });
  const search = (more = {}) =>
    tandem.findAvailability({ attendees: [ada.email, bob.email], duration_minutes: 30, ...more });
  const hours = async () =>
    (await search()).slots.map(({ attendees }) =>
      Number(attendees.find(({ email }) => email === bob.email)?.start_time.slice(11, 13)),
    );
  return { own, say, search, hours, bob };
}

test('what a context rules out bounds the search, until the context changes', async () => {
  const { say, hours } = await pair();
  expect(Math.min(...(await hours()))).toBeLessThan(13);
  const saved = await say('Nothing before 1pm please. I like my coffee on Thursdays from Peru.');
  expect(saved.rules).toEqual([
    {
      id: expect.stringMatching(/^rule_/),
      quote: 'Nothing before 1pm',
      meaning: 'Never before 13:00',
      source: 'scheduling_context',
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(saved.understood).toEqual([{ quote: 'Nothing before 1pm', meaning: 'Never before 13:00', kind: 'standing' }]);
  expect(saved.not_understood).toHaveLength(1);
  expect(Math.min(...(await hours()))).toBeGreaterThanOrEqual(13);
  expect((await say('')).rules).toEqual([]);
  expect(Math.min(...(await hours()))).toBeLessThan(13);
});

test("a clock time of another zone becomes one on the person's own clock, also in a zone that the request sets", async () => {
  const { say, own } = await pair();
  const told = await own.send('PUT', '/v1/user/preferences', {
    timezone: 'Asia/Kolkata',
    scheduling_context: 'Nothing after 4pm Dubai time',
  });
  expect((told.body as Saved).rules).toMatchObject([{ meaning: 'Never after 17:30' }]);
  expect((await say('Nothing after 5pm Dubai time')).rules).toMatchObject([{ meaning: 'Never after 18:30' }]);
});

test('a search that a rule leaves empty says in whose words, and how many times it would open', async () => {
  const { say, search, bob } = await pair();
  await say('I only work Saturdays');
  const { slots, relaxations } = await search();
  expect(slots).toEqual([]);
  expect(relaxations).toContainEqual({
    change: 'without_rule',
    email: bob.email,
    opens: expect.any(Number),
    words: 'I only work Saturdays',
  });
});

test('a rule is listed with its words, and gone once it is removed, exported or not', async () => {
  const { own, say, hours, bob } = await pair();
  const { rules } = await say('Nothing before 1pm. Never on Fridays.');
  expect(rules.map(({ meaning }) => meaning)).toEqual(['Never before 13:00', 'Never on Fridays']);
  expect((await own.send('GET', '/v1/user/preferences')).body).toMatchObject({ rules });
  expect((await own.send('GET', '/v1/user/export')).body).toMatchObject({ rules });
  const { page, browser } = await world.signIn(bob.email);
  const learned = await browser.open(new URL('/me/learning', page.url).href);
  expect(learned.html).toContain('You wrote “Nothing before 1pm”.');
  expect(Math.min(...(await hours()))).toBeGreaterThanOrEqual(13);
  await own.send('DELETE', '/v1/user/learning');
  expect((await own.send('GET', '/v1/user/preferences')).body).toMatchObject({ rules: [] });
  expect(Math.min(...(await hours()))).toBeLessThan(13);
});

test('the button on the page removes one rule and keeps the others, and nobody removes the rules of another', async () => {
  const { own, say, hours, bob } = await pair();
  const eve = await pair();
  const [first, second] = (await say('Nothing before 1pm. Never on Fridays.')).rules;
  const rules = async () => ((await own.send('GET', '/v1/user/preferences')).body as Saved).rules;
  const stranger = await world.signIn(eve.bob.email);
  await eve.say('Never on Mondays');
  const theirs = await stranger.browser.open(new URL('/me/learning', stranger.page.url).href);
  for (const id of [first?.id ?? '', 'a\0b'])
    expect((await stranger.browser.submit(theirs, '/me/rules/remove', { id })).status).toBe(200);
  expect(await rules()).toEqual([first, second]);

  const { page, browser } = await world.signIn(bob.email);
  const learned = await browser.open(new URL('/me/learning', page.url).href);
  const after = await browser.submit(learned, '/me/rules/remove', { id: first?.id ?? '' });
  expect(after.html).not.toContain('Nothing before 1pm');
  expect(after.html).toContain('You wrote “Never on Fridays”');
  expect(await rules()).toEqual([second]);
  expect(Math.min(...(await hours()))).toBeLessThan(13);
  await browser.submit(learned, '/me/rules/remove', { id: first?.id ?? '' });
  expect(await rules()).toEqual([second]);
});

test('a context that says the same again keeps the rules as they are, removed ones too', async () => {
  const { own, say } = await pair();
  const [first] = (await say('Never on Fridays')).rules;
  expect((await say('Never on Fridays')).rules).toEqual([first]);
  await own.send('DELETE', '/v1/user/learning');
  expect((await say('Never on Fridays')).rules).toEqual([]);
  expect((await say('Never on Fridays, please')).rules).toMatchObject([{ meaning: 'Never on Fridays' }]);
});

test('a pause and a daily limit in a context hold like the settings, the stricter of the two', async () => {
  const { own, say } = await pair();
  const { rules } = await say('max 3 meetings a day, and half an hour between meetings');
  expect(rules.map(({ meaning }) => meaning).sort()).toEqual([
    'A pause of 30 minutes between meetings',
    'At most 3 meetings a day',
  ]);
  const { preferences } = (await own.send('GET', '/v1/user/preferences')).body as { preferences: object };
  expect(preferences).toMatchObject({ buffer_minutes: 0, max_meetings_per_day: 10 });
});
