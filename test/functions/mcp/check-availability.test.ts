import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { connectAgent, GENERATIONS, onClocks } from '../../support/people/agents.ts';
import { connectedPerson, freshPerson } from '../../support/people/factories.ts';
import { booked, freshPair, inHours, iso } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test.each(GENERATIONS)('the slots are those of the API, each on both clocks, for clients of %s', async (generation) => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key, { generation });
  const attendees = [ada.email, bob.email];
  const { data, text, isError } = await agent.call('check_availability', { attendees, duration_minutes: 45 });
  const { body } = await platform.api.availability({ attendees, duration_minutes: 45 });
  const { slots, search_window } = body as {
    slots: { start_time: string; score: number; reason: string }[];
    search_window: object;
  };
  expect(isError).toBe(false);
  expect(slots.length).toBeGreaterThan(0);
  expect(data).toEqual({
    search_window,
    slots: slots.map(({ start_time, score, reason }) => {
      const start = Date.parse(start_time);
      return { ...onClocks(start, start + 45 * MINUTE, [ada, bob]), score, reason };
    }),
  });
  for (const { start_utc, local } of data.slots) {
    expect(text).toContain(start_utc);
    for (const { email, weekday, timezone } of local) {
      expect(text).toContain(`for ${email} (${timezone}, `);
      expect(text).toContain(`${weekday} `);
    }
  }
});

test('dates and a context affect the search', async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  const day = new Date(world.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const { data } = await agent.call('check_availability', {
    attendees: [ada.email, bob.email],
    date_range: { start_date: day, end_date: day },
    context: 'Coffee about the launch',
  });
  expect(data).toMatchObject({ search_window: { start: day, end: day }, suggested_title: expect.any(String) });
});

test('without a common time the answer has the reason, and changes that would open times', async () => {
  const { platform, ada } = await freshPair();
  const day = 86_400_000;
  const all: [string, string] = [
    new Date(world.clock.now() - day).toISOString(),
    new Date(world.clock.now() + 15 * day).toISOString(),
  ];
  const busy = await connectedPerson(platform, { name: 'cyd', busy: [all] });
  const agent = await connectAgent(platform.secret_key);
  const { data, text, isError } = await agent.call('check_availability', { attendees: [ada.email, busy.email] });
  expect(isError).toBe(false);
  expect(data).toMatchObject({ slots: [], message: expect.any(String) });
  expect(text).toContain(data.message);
  for (const suggestion of data.suggestions) expect(text).toContain(suggestion);
});

test('a stranger is named, with what to do', async () => {
  const { platform, ada } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  const stranger = freshPerson();
  const unknown = await agent.call('check_availability', { attendees: [ada.email, stranger.email] });
  expect(unknown).toEqual({
    isError: true,
    data: undefined,
    text: `user_not_found: ${stranger.email} has no calendar connected to this platform. The platform can send them a link for this.`,
  });
});

test('a person sees their own free time, around the meetings of every platform, and nobody else', async () => {
  const { platform, ada, start, end } = await booked({ start: inHours(48) });
  const { api_key } = await world.connect(platform, ada.email);
  const agent = await connectAgent(api_key);
  const date = iso(start).slice(0, 10);
  const everyDay = { enabled: true, start: '00:00', end: '24:00' };
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', {
    timezone: 'UTC',
    work_hours: Object.fromEntries(days.map((day) => [day, everyDay])),
  });
  const { data, text, isError } = await agent.call('check_availability', {
    date_range: { start_date: date, end_date: date },
  });
  expect(isError).toBe(false);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const free = [
    [midnight, start],
    [end, midnight + 24 * HOUR],
  ].filter(([from = 0, to = 0]) => to > from);
  const zoned = [{ email: ada.email, timezone: 'UTC' }];
  expect(data).toEqual({
    intervals: free.map(([from = 0, to = 0]) => onClocks(from, to, zoned)),
    search_window: { start: date, end: date, days: 1 },
  });
  expect(text).toContain('You are free');
  const long = { start_date: date, end_date: iso(start + 100 * 24 * HOUR).slice(0, 10) };
  expect((await agent.call('check_availability', { date_range: long })).text).toMatch(/^invalid_date_range: /);
});
