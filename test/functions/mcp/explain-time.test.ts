import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { namesOf } from '../../../lib/words/people.ts';
import { connectAgent, onClocks } from '../../support/people/agents.ts';
import { keepHolidaysOf, nextHoliday } from '../../support/people/holidays.ts';
import { freshPair, iso, toMonday } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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

test('a public holiday is named, with its date and whose it is', async () => {
  const { place, date, written, said } = nextHoliday();
  await keepHolidaysOf(place, bob);
  const agent = await connectAgent(platform.secret_key);
  const date_range = { start_date: date, end_date: date };
  const { data, text } = await agent.call('explain_time', { attendees, start_time: `${date}T10:00:00Z`, date_range });
  const against = { email: bob.email, rule: 'holiday', detail: `${said} is ${written}.` };
  expect(data.against).toContainEqual(against);
  expect(text).toContain(`${said} is ${written}, a day off for ${namesOf([ada, bob]).short(bob.email)}.`);
  const found = await agent.call('check_availability', { attendees, date_range });
  expect(found.data.suggestions).toContainEqual(
    expect.stringMatching(
      `^If \\S+ worked on ${written.replace(/[()]/g, '\\$&')} \\(${said}\\), the (?:best|only) time would be ${said} at .*\\.$`,
    ),
  );
});

test('a duration out of bounds is refused by name', async () => {
  const agent = await connectAgent(platform.secret_key);
  const { text, isError } = await agent.call('explain_time', {
    attendees,
    start_time: '2030-01-01T10:00:00Z',
    duration_minutes: 5,
  });
  expect([isError, text]).toEqual([
    true,
    'invalid_duration: `duration_minutes` must be a whole number from 15 to 120.',
  ]);
});
