import { expect, test } from 'vitest';
import { HOUR, MINUTE, WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { connectAgent, GENERATIONS, onClocks, withAgent } from '../../support/people/agents.ts';
import { connectedPerson } from '../../support/people/factories.ts';
import { booked, freshPair, inHours, iso, liveEvents, toMonday } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test.each(GENERATIONS)('the slots are those of the API, each on both clocks, for clients of %s', async (generation) => {
  const { agent, platform, ada, bob } = await withAgent(freshPair(), { generation });
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
  const { agent, ada, bob } = await withAgent(freshPair());
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
  const busy = await connectedPerson(platform, { name: 'cyd', busy: [[iso(inHours(-24)), iso(inHours(15 * 24))]] });
  const agent = await connectAgent(platform.secret_key);
  const { data, text, isError } = await agent.call('check_availability', { attendees: [ada.email, busy.email] });
  expect(isError).toBe(false);
  expect(data).toMatchObject({ slots: [], message: expect.any(String) });
  expect(text).toContain(data.message);
  for (const suggestion of data.suggestions) expect(text).toContain(suggestion);
});

test('a person sees their own free time, around the meetings of every platform, and nobody else', async () => {
  const { platform, ada, start, end } = await booked({ start: inHours(48) });
  const { api_key } = await world.connect(platform, ada.email);
  const agent = await connectAgent(api_key);
  const date = iso(start).slice(0, 10);
  const everyDay = { enabled: true, start: '00:00', end: '24:00' };
  await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', {
    timezone: 'UTC',
    work_hours: Object.fromEntries(WEEKDAYS.map((day) => [day, everyDay])),
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

async function scene() {
  const { agent, ada, bob } = await withAgent(freshPair());
  return { agent, ada, args: { attendees: [ada.email, bob.email] } };
}

test('check_availability says how it read the words, and what to ask again', async () => {
  const { agent, args } = await scene();
  const { data, text } = await agent.call('check_availability', { ...args, when: 'after 3pm, an hour later' });
  expect(data).toMatchObject({ understood: [{ quote: 'after 3pm' }], not_understood: ['an hour later'] });
  expect(text).toContain('“an hour later” was not understood. Ask the person what it means.');
});

test.each(['schedule_auto', 'propose_times'])('%s does nothing by words of which none was understood', async (tool) => {
  const { agent, ada, args } = await scene();
  const more = tool === 'propose_times' ? { duration_minutes: 30, title: 'Talk' } : {};
  for (const preview of [true, false]) {
    const { text } = await agent.call(tool, { ...args, ...more, when: 'an hour later', preview });
    expect(text).toMatch(/^reason_unclear: .*“an hour later”/);
  }
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a confirmed preview books the previewed time that the words ask for', async () => {
  const { agent, ada, args } = await scene();
  const request = { ...args, when: 'after 3pm' };
  const { data } = await agent.call('schedule_auto', { ...request, preview: true });
  expect(data).toMatchObject({ status: 'preview', understood: [{ quote: 'after 3pm' }] });
  const booked = await agent.call('schedule_auto', { ...request, confirm_token: data.confirm_token });
  expect(booked.data).toMatchObject({ status: 'scheduled', start_utc: data.start_utc });
  expect(liveEvents(ada.email)).toHaveLength(1);
});

const { platform, ada, bob } = await freshPair();
const attendees = [ada.email, bob.email];

test('a free time has its rank, another the rules of whom stand against it', async () => {
  // At 20:00 UTC it is day for both, so no time ranks high and still comes last for its short notice.
  await toMonday();
  await world.advance(14 * HOUR);
  const agent = await connectAgent(platform.secret_key);
  const found = await agent.call('check_availability', { attendees });
  const start = Date.parse(found.data.slots[0].start_utc);
  const free = await agent.call('explain_time', { attendees, start_time: iso(start) });
  expect(free.data).toEqual({
    ...onClocks(start, start + 30 * MINUTE, [ada, bob]),
    free: true,
    offered: true,
    against: [],
    rank: 1,
    candidates: expect.any(Number),
    reason: found.data.slots[0].reason,
  });
  expect(free.text).toContain('It is the best of the times that suit both.');

  // The night is three days ahead, so that the minimum notice does not rule it out as well.
  const night = `${iso(start + 72 * 60 * MINUTE).slice(0, 10)}T03:00:00+00:00`;
  const refused = await agent.call('explain_time', { attendees, start_time: night });
  expect(refused.data).toMatchObject({ free: false, offered: false });
  expect(refused.data.against.map(({ email, rule }: { email: string; rule: string }) => [email, rule])).toEqual([
    [ada.email, 'work_hours'],
    [bob.email, 'work_hours'],
  ]);
  for (const { detail } of refused.data.against) expect(detail).toMatch(/ is outside the work hours\.$/);
  expect(refused.text).toMatch(
    /Z\. It suits neither: it is outside the work hours of both\. A time that suits both is \w+day, \d+ \w+ at .*\.$/,
  );
});
