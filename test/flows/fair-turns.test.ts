import { expect, test } from 'vitest';
import { HOUR, WEEKDAYS } from '../../lib/engine/time/dates.ts';
import { accepted, type Body, ended, pair } from '../support/people/batches.ts';
import { post } from '../support/people/changing.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { booked, setPreferences, toMonday } from '../support/people/meetings.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const LONG_DAYS = Object.fromEntries(WEEKDAYS.map((day) => [day, { enabled: true, start: '07:00', end: '19:00' }]));

/**
 * Connects two people whose 08:00-18:00 days barely miss each other all year, and who work an hour longer at each end.
 */
async function apart() {
  await toMonday();
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'America/Panama' });
  const bob = await connectedPerson(platform, { name: 'bob', timezone: 'Asia/Tokyo' });
  for (const { email } of [ada, bob]) await setPreferences(email, { work_hours: LONG_DAYS });
  return { platform, ada, bob, body: { attendees: [ada.email, bob.email] } };
}

/** Returns how many minutes of a half hour lie outside 08:00-18:00 on a zone's clock. */
const outside = (start: number, timeZone: string) => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hours = 0, minutes = 0] = clock.format(start).split(':').map(Number);
  const from = hours * 60 + minutes;
  const inside = Math.max(0, Math.min(from + 30, 18 * 60) - Math.max(from, 8 * 60));
  return 30 - inside;
};

interface Result extends Body {
  chosen_slot: { start_time: string };
  agent_reasoning: string;
}

test('over a long history the two take turns outside their days, and the answer says whose turn it is', async () => {
  const { platform, ada, bob, body } = await apart();
  const carried = { [ada.email]: 0, [bob.email]: 0 };
  const turns: string[] = [];
  for (let i = 0; i < 6; i++) {
    const result = (await ended(platform, await accepted(platform, body))).result as unknown as Result;
    expect(result.fairness).toEqual({ carried_minutes: carried });
    const start = Date.parse(result.chosen_slot.start_time);
    for (const { email, timezone } of [ada, bob]) carried[email] = (carried[email] ?? 0) + outside(start, timezone);
    turns.push(outside(start, ada.timezone) > 0 ? 'Ada' : 'Bob');
    if (i % 2 === 1)
      expect(result.agent_reasoning).toMatch(
        new RegExp(`It's (?:early|late) for ${turns[i]} this time, as \\w+ has had more early or late meetings`),
      );
    else expect(result.agent_reasoning).not.toContain('turn');
  }
  // Whenever both have had as many minutes, either may be next, and then the other one.
  for (const first of [0, 2, 4]) expect(turns[first]).not.toBe(turns[first + 1]);
});

test('two people who meet within their days get no fairness figures', async () => {
  const { platform, body } = await pair();
  const { result } = await ended(platform, await accepted(platform, body));
  expect(result).not.toHaveProperty('fairness');
});

test("a moved meeting's own burden does not count, and other platforms' meetings do not", async () => {
  const { platform, ada, bob } = await apart();
  const elsewhere = await freshPlatform({ plan: 'enterprise' });
  for (const { email } of [ada, bob]) await world.connectCalendar(elsewhere, email);
  const seven = Date.UTC(2026, 11, 9, 23);
  const start = seven + Math.ceil(Math.max(0, world.clock.now() - seven) / (24 * HOUR)) * 24 * HOUR;
  await booked({ pair: { platform: elsewhere, ada, bob }, start: start + 48 * HOUR });
  const earlier = await booked({ pair: { platform, ada, bob }, start: start + 24 * HOUR });
  const meeting = await booked({ pair: { platform, ada, bob }, start });
  const answer = await post(meeting, { reason: 'Something came up' });
  expect(answer.body).toMatchObject({
    fairness: {
      carried_minutes: {
        [ada.email]: outside(earlier.start, ada.timezone),
        [bob.email]: outside(earlier.start, bob.timezone),
      },
    },
  });
});
