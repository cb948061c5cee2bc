import { expect, test } from 'vitest';
import { createTandem } from '../../../lib/client/tandem.ts';
import { DAY, sayDate } from '../../../lib/engine/time/dates.ts';
import { namesOf } from '../../../lib/words/people.ts';
import { accepted, acceptedBatch, batchIs, ended } from '../../support/people/batches.ts';
import { atDashboard, visit } from '../../support/people/dashboard.ts';
import {
  connectedPerson,
  freshPlatform,
  personWithKey,
  type TestPlatform,
  webhooksOf,
} from '../../support/people/factories.ts';
import { toMonday } from '../../support/people/meetings.ts';
import { placesOf } from '../../support/people/person-data.ts';
import { subscribe } from '../../support/people/proposing.ts';
import { ask, wordsOf } from '../../support/people/why.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Saved {
  rules: { id: string; quote: string; meaning: string }[];
  understood?: object[];
  not_understood?: string[];
}

const CONTEXT = 'Nothing before 10. I would rather not meet on Fridays.';

/** Ada and Bob in a place without summer time, and what Bob's words do. Everything is read by rules. */
async function pair(context = '') {
  await toMonday();
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Africa/Abidjan' });
  const { own, ...bob } = await personWithKey(platform, { name: 'bob', timezone: 'Africa/Abidjan' });
  const write = (text: string) => own.send('PUT', '/v1/user/preferences', { scheduling_context: text });
  const say = async (text: string) => (await write(text)).body as Saved;
  const { headers } = await write(context);
  const tandem = createTandem({ apiKey: platform.secret_key, baseUrl: world.baseUrl });
  const attendees: [string, string] = [ada.email, bob.email];
  const hours = async () =>
    (await tandem.findAvailability({ attendees, duration_minutes: 30 })).slots.map(({ attendees: both }) =>
      Number(both.find(({ email }) => email === bob.email)?.start_time.slice(11, 13)),
    );
  /** The date of a weekday of next week, 1 for Monday. */
  const next = (weekday: number) => new Date(world.clock.now() + (6 + weekday) * DAY).toISOString().slice(0, 10);
  return { platform, ada, bob, own, say, hours, tandem, attendees, next, headers };
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

async function coffee({ api }: TestPlatform, attendees: [string, string], date: string): Promise<string> {
  const times = { start_time: `${date}T11:00:00Z`, duration_minutes: 30 };
  const { body } = await api.schedule({ attendees, ...times, title: 'Coffee' });
  return (body as { meeting_id: string }).meeting_id;
}

const linesWith = (message: string, requestId: string | null) =>
  world
    .logs()
    .filter((line) => line.startsWith('{'))
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter((line) => line.message === message && line.request_id === requestId);

test('explain names the rule that rules a time out, and the rule that puts a free time behind others', async () => {
  const { tandem, attendees, bob, next } = await pair(CONTEXT);
  const explain = (start_time: string) => tandem.explainAvailability({ attendees, start_time });
  expect((await explain(`${next(2)}T09:00:00Z`)).against).toEqual([
    {
      email: bob.email,
      rule: 'standing_rule',
      words: 'Nothing before 10',
      detail: expect.stringMatching(/^9:00 to 9:30 in Abidjan on \w+, \d+ \w+ is ruled out: “Nothing before 10”\.$/),
    },
  ]);
  expect(await explain(`${next(5)}T10:00:00Z`)).toMatchObject({
    free: true,
    offered: false,
    own_rules: [{ email: bob.email, verdict: 'rather_not', words: 'I would rather not meet on Fridays' }],
  });
  expect(await explain(`${next(2)}T10:00:00Z`)).toMatchObject({ free: true, own_rules: [] });
});

/** Around the turn of the year, quiet days come after all others, so tests look three weeks ahead then. */
const daysToCalm = (next: (weekday: number) => string) =>
  [1, 2, 3, 4, 5].some((day) => /-12-(?:2[4-9]|3\d)|-01-0[1-6]/.test(next(day))) ? 21 : 0;

test('nothing that Tandem stores or sends quotes a rule', async () => {
  const words = ['I have hemodialysis on Tuesdays', 'I love mornings'];
  const { platform, attendees, bob, next } = await pair(words.join('. '));
  await subscribe(platform);
  const post = async (path: string, body: object) =>
    platform.api.send('POST', `/v1/${path}`, { attendees, ...body }, { headers: { 'Idempotency-Key': path } });
  const date = (day: number) => next(day + daysToCalm(next));
  const on = (day: number) => ({ start: `${date(day)}T10:00:00Z`, end: `${date(day)}T18:00:00Z` });
  const title = 'Talk';

  const booked = await ended(platform, await accepted(platform, { attendees, title, time_ranges: [on(2), on(3)] }));
  expect(booked.result.agent_reasoning).toMatch(/ It keeps to what Bob.* asked for \(never on Tuesdays\)\./);
  const failed = await ended(platform, await accepted(platform, { attendees, title, time_ranges: [on(2)] }));
  expect(failed.result.error_message).toMatch(/^Bob\S*'s rule \(never on Tuesdays\) leaves no half hour free/);
  expect(String(failed.result.suggestions)).not.toMatch(/rule/);
  const date_range = { start_date: date(2), end_date: date(2) };
  const meetings = [{ reference: 'one', attendees }];
  const batch = await batchIs(
    platform,
    await acceptedBatch(platform, { meetings, date_range, dry_run: true }),
    'planned',
  );
  expect(batch.meetings[0]?.reason?.relaxations).toContainEqual({
    change: 'without_rule',
    email: bob.email,
    opens: expect.any(Number),
  });
  const proposal = await post('proposals', { title, duration_minutes: 30, count: 1 });
  expect(proposal.text).toMatch(/: a time Bob\S* likes\./);
  const kept = { start_time: on(2).start, duration_minutes: 30, title, require_free: true };
  expect(await post('schedule', kept)).toMatchObject({
    body: { warnings: [expect.stringMatching(/ goes against Bob\S*'s rule \(never on Tuesdays\): 10:00 to 10:30/)] },
  });
  const { meeting_id } = booked.result;
  const moved = await post(`meetings/${meeting_id}/reschedule`, { requested_by: bob.email, reason: 'Ill.' });
  expect(moved.status).toBe(200);

  await world.connectCalendar(platform, bob.email);

  for (const rule of words) {
    expect(await placesOf(rule)).toEqual(['standing_rules.quote', 'users.preferences']);
    expect(JSON.stringify(await webhooksOf(platform))).not.toContain(rule);
  }
});

test('a search offers no Friday while equal times are left, though five dates are', async () => {
  const { tandem, attendees, next, own } = await pair(CONTEXT);
  const ahead = daysToCalm(next);
  const days = async () => {
    const date_range = { start_date: next(1 + ahead), end_date: next(5 + ahead) };
    const { slots } = await tandem.findAvailability({ attendees, date_range });
    return slots.map(({ start_time }) => new Date(start_time).getUTCDay());
  };
  expect(await days()).not.toContain(5);
  await own.send('DELETE', '/v1/user/learning');
  expect((await days()).sort()).toEqual([1, 2, 3, 4, 5]);
});

test('the page on a time draws the rules and quotes their words, and the person sees them in their own week', async () => {
  const { platform, ada, bob, next } = await pair(CONTEXT);
  const { browser } = await atDashboard(platform);
  const typed = { first: ada.email, second: bob.email, date: next(2), time: '09:15', clock: 'first', minutes: 30 };
  const page = await ask(browser, typed);
  expect(wordsOf(page)).toContain('is ruled out: “Nothing before 10”.');
  expect(page.html).toMatch(/class="band never"/);
  expect(page.html).toMatch(/class="band rather_not"/);
  expect(page.html).not.toContain('class="band focus"');
  expect(wordsOf(page)).toMatch(/Ruled out \(Bob[^)]*: “Nothing before 10”\)/);
  const free = await ask(browser, { ...typed, date: next(5), time: '10:00' });
  expect(wordsOf(free)).toContain(
    `${namesOf([ada, bob]).short(bob.email)} would rather not: “I would rather not meet on Fridays”.`,
  );
  const me = await world.signIn(bob.email);
  const week = await me.browser.open(new URL('/me/preferences', me.page.url).href);
  expect(wordsOf(week)).toContain('Ruled out (You: “Nothing before 10”)');
});

test('an empty search says whose rule it is, and how many times it would open: as many as there are without it', async () => {
  const { tandem, attendees, bob, next, own } = await pair('I only work Saturdays');
  const search = () => tandem.findAvailability({ attendees, date_range: { start_date: next(2), end_date: next(2) } });
  const { slots, message, relaxations = [] } = await search();
  expect(slots).toEqual([]);
  expect(message).toMatch(/^Bob[^ ]*'s rule \(only on Saturdays\) leaves/);
  const without = relaxations.find(({ change }) => change === 'without_rule');
  expect(without).toEqual({ change: 'without_rule', email: bob.email, words: 'I only work Saturdays', opens: 39 });
  await own.send('PUT', '/v1/user/preferences', { scheduling_context: '' });
  const [slot] = (await search()).slots;
  const { candidates } = await tandem.explainAvailability({
    attendees,
    start_time: slot?.start_time ?? '',
    date_range: { start_date: next(2), end_date: next(2) },
  });
  expect(candidates).toBe(without?.opens);
});

test('the dashboard tells what was understood of the reason, and no more of it', async () => {
  const { platform, ada, attendees, next } = await pair();
  const id = await coffee(platform, attendees, next(3));
  const reason = 'Thursday would be better. My aunt Gertrud sends her love, maybe sometime fortnightlyish.';
  const moved = await platform.api.send('POST', `/v1/meetings/${id}/reschedule`, { requested_by: ada.email, reason });
  const { new_meeting_id, understood, not_understood } = moved.body as {
    new_meeting_id: string;
    understood: { quote: string; meaning: string }[];
    not_understood: string[];
  };
  expect(understood).not.toEqual([]);
  const { browser } = await atDashboard(platform);
  const life = wordsOf(await visit(browser, `/dashboard/meetings/${new_meeting_id}`));
  for (const { quote, meaning } of understood) expect(life).toContain(`Tandem understood “${quote}” as: ${meaning}.`);
  for (const quote of not_understood) expect(life).toContain(`Tandem did not understand “${quote}”.`);
  const shown = [...understood.map(({ quote }) => quote), ...not_understood].join(' ');
  if (!shown.includes('Gertrud')) expect(life).not.toContain('Gertrud');

  const [line] = linesWith('a reason was read', moved.headers.get('x-request-id'));
  expect(line).toMatchObject({
    read_by: 'rules',
    understood: understood.length,
    not_understood: not_understood.length,
  });
  expect(world.logs().filter((one) => one.includes('Gertrud') || one.includes('would be better'))).toEqual([]);

  const again = await platform.api.send('POST', `/v1/meetings/${new_meeting_id}/reschedule`, {
    requested_by: ada.email,
    reason: 'Something came up',
  });
  const { new_meeting_id: last } = again.body as { new_meeting_id: string };
  const page = wordsOf(await visit(browser, `/dashboard/meetings/${last}`));
  expect(page).toContain('The reason for the reschedule asked for no time.');
  expect(page).not.toContain('Something came up');
});

test('what was read in a reason is gone once one of the two is erased', async () => {
  const { platform, ada, own, attendees, next } = await pair();
  const id = await coffee(platform, attendees, next(3));
  const reason = 'Thursday would be better';
  const moved = await platform.api.send('POST', `/v1/meetings/${id}/reschedule`, { requested_by: ada.email, reason });
  const { new_meeting_id } = moved.body as { new_meeting_id: string };
  const kept = async () => (await world.neon.query('select reading from meetings where id = $1', [new_meeting_id]))[0];
  expect(JSON.stringify(await kept())).toContain('Thursday');
  await own.send('DELETE', '/v1/user');
  expect(await kept()).toEqual({ reading: null });
});

test('the log says who read a context, and how many rules it made, never the words', async () => {
  const { own, headers } = await pair(CONTEXT);
  expect(linesWith('a scheduling context was read', headers.get('x-request-id'))).toMatchObject([
    { level: 'info', read_by: 'rules', rules: 2 },
  ]);
  const text = `No meetings before noon. ${crypto.randomUUID()}`;
  const quote = 'No meetings before noon';
  world.llm.play([{ text, answer: { standing: [{ quote, verdict: 'never', to: '12:00' }] } }]);
  const answer = await own.send('PUT', '/v1/user/preferences', { scheduling_context: text });
  expect(linesWith('a scheduling context was read', answer.headers.get('x-request-id'))).toMatchObject([
    { read_by: 'model', rules: 1 },
  ]);
  expect(world.logs().filter((line) => /Nothing before 10|before noon/.test(line))).toEqual([]);
});

test('a rule with an end holds until then, and is told with it', async () => {
  const { say, attendees, tandem } = await pair();
  const [today, quote] = [world.clock.now(), 'On leave until the day after tomorrow'];
  const dateIn = (days: number) => new Date(today + days * DAY).toISOString().slice(0, 10);
  const text = `${quote}. ${crypto.randomUUID()}`;
  world.llm.play([{ text, answer: { standing: [{ quote, verdict: 'never', until: dateIn(2) }] } }]);
  const saved = await say(text);
  const meaning = `Never up to ${sayDate(dateIn(2))}`;
  expect(saved.rules).toMatchObject([{ quote, meaning }]);
  const { slots } = await tandem.findAvailability({ attendees, duration_minutes: 30 });
  expect(slots.length).toBeGreaterThan(0);
  for (const { start_time } of slots) expect(start_time.slice(0, 10) > dateIn(2)).toBe(true);
  const date_range = { start_date: dateIn(0), end_date: dateIn(2) };
  const within = await tandem.findAvailability({ attendees, duration_minutes: 30, date_range });
  expect([within.slots, within.message]).toEqual([[], expect.stringContaining(`rule (n${meaning.slice(1)})`)]);
});

test('a rule for a kind of meeting counts for that kind alone, and a liking where nobody names a kind', async () => {
  const { platform, say, attendees, tandem } = await pair();
  const quote = "I don't do mornings for creative things";
  const text = `${quote}. ${crypto.randomUUID()}`;
  const liked = `Demos at three. ${text}`;
  world.llm.play([
    { text, answer: { standing: [{ quote, verdict: 'never', to: '12:00', meetings: ['brainstorm'] }] } },
    {
      text: liked,
      answer: {
        standing: [
          { quote: 'Demos at three.', verdict: 'prefer', from: '15:00', to: '16:00', meetings: ['client_demo'] },
        ],
      },
    },
  ]);
  const saved = await say(text);
  expect(saved.rules).toMatchObject([{ quote, meaning: 'Never before 12:00, if it is a brainstorm' }]);
  const hourOf = async (context: string) => {
    const { result } = await ended(platform, await accepted(platform, { attendees, duration_minutes: 30, context }));
    return Number((result as { chosen_slot: { start_time: string } }).chosen_slot.start_time.slice(11, 13));
  };
  expect(await hourOf('brainstorm')).toBeGreaterThanOrEqual(12);
  expect(await hourOf('interview')).toBeLessThan(12);
  const firstHour = async () => {
    const { slots } = await tandem.findAvailability({ attendees, duration_minutes: 30 });
    return slots[0]?.start_time.slice(11, 13);
  };
  expect(await firstHour()).toBe('10');
  await say(liked);
  expect([await firstHour(), await hourOf('client_demo')]).toEqual(['15', 15]);
  expect(await hourOf('interview')).not.toBe(15);
});
