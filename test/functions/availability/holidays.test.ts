import { describe, expect, test } from 'vitest';
import { formatDate } from '../../../lib/engine/time/dates.ts';
import { namesOf } from '../../../lib/words/people.ts';
import { atDashboard } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, ownClient } from '../../support/people/factories.ts';
import { keepHolidaysOf, nextHoliday, placeWithout } from '../../support/people/person-data.ts';
import { ask, wordsOf } from '../../support/people/why.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

const platform = await freshPlatform({ plan: 'enterprise' });
const holiday = nextHoliday();
const onlyThen = { start_date: holiday.date, end_date: holiday.date };

/** Ana in Lisbon keeps no holidays. Ben in New York keeps those of the place with the next one. */
async function anaAndBen() {
  const ana = await connectedPerson(platform, { name: 'ana', timezone: 'Europe/Lisbon' });
  const ben = await connectedPerson(platform, { name: 'ben', timezone: 'America/New_York' });
  await keepHolidaysOf(holiday.place, ben);
  return { ana, ben, attendees: [ana.email, ben.email] };
}

interface Found {
  slots: { start_time: string }[];
  message: string;
  relaxations: { change: string; email: string; opens: number; holiday?: { date: string; name: string } }[];
}

describe('a search', () => {
  test('offers no time on a holiday of either, says whose it is, and what working on it would open', async () => {
    const { ben, attendees } = await anaAndBen();
    for (const order of [attendees, attendees.toReversed()]) {
      const { status, body } = await platform.api.availability({ attendees: order, date_range: onlyThen });
      const { slots, message, relaxations } = body as Found;
      expect([status, slots]).toEqual([200, []]);
      expect(message).toBe(`${holiday.said} is ${holiday.written}, a day off for Ben, so no time suits both.`);
      expect(relaxations).toContainEqual({
        change: 'work_on_holiday',
        email: ben.email,
        opens: expect.any(Number),
        holiday: { date: holiday.date, name: holiday.name },
      });
    }
  });

  test('offers it once the person sets another country, or keeps no holidays', async () => {
    const { ben, attendees } = await anaAndBen();
    const own = await ownClient(platform, ben.email);
    const search = async () => {
      const { body } = await platform.api.availability({ attendees, date_range: onlyThen });
      return (body as Found).slots.length;
    };
    expect(await search()).toBe(0);
    for (const holidays of ['off', placeWithout(holiday.day)]) {
      await own.send('PUT', '/v1/user/preferences', { holidays });
      expect(await search()).toBe(5);
    }
    await own.send('PUT', '/v1/user/preferences', { holidays: holiday.place.toLowerCase() });
    expect(await search()).toBe(0);
  });
});

test('explain names the holiday and the person', async () => {
  const { ben, attendees } = await anaAndBen();
  const { body } = await platform.api.send('POST', '/v1/availability/explain', {
    attendees,
    start_time: `${holiday.date}T15:00:00Z`,
    date_range: onlyThen,
  });
  expect(body).toMatchObject({
    free: false,
    against: [
      {
        email: ben.email,
        rule: 'holiday',
        detail: `${holiday.said} is ${holiday.written}.`,
        holiday: { date: holiday.date, name: holiday.name },
      },
    ],
  });
});

test('one person’s free times leave the holiday out', async () => {
  const { ana, ben } = await anaAndBen();
  const freeOf = async (email: string) => {
    const { body } = await platform.api.send(
      'GET',
      `/v1/users/${email}/availability?start_date=${holiday.date}&end_date=${holiday.date}`,
    );
    return (body as { intervals: unknown[] }).intervals.length;
  };
  expect([await freeOf(ana.email), await freeOf(ben.email)]).toEqual([1, 0]);
});

describe('a booking at the caller’s time', () => {
  const body = { duration_minutes: 30, title: 'Coffee', start_time: `${holiday.date}T15:00:00Z` };
  const warning = (who: string) => `${holiday.said} is ${holiday.written}, a day off for ${who}.`;

  test('that must be free is made on a holiday, with a warning that a retry repeats', async () => {
    const { ana, ben, attendees } = await anaAndBen();
    const booking = { ...body, attendees, require_free: true, colour: 'red' };
    const options = { headers: { 'Idempotency-Key': `holiday-${ben.email}` } };
    const first = await platform.api.send('POST', '/v1/schedule', booking, options);
    expect(first.status).toBe(200);
    expect((first.body as { warnings: string[] }).warnings).toEqual([
      expect.stringContaining('`colour`'),
      warning(namesOf([ana, ben]).short(ben.email)),
    ]);
    const again = await platform.api.send('POST', '/v1/schedule', booking, options);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('has no warning on another day, or without require_free', async () => {
    const { attendees } = await anaAndBen();
    const nextDay = `${formatDate(holiday.day + 1)}T15:00:00Z`;
    const other = await platform.api.schedule({ ...body, attendees, require_free: true, start_time: nextDay });
    const plain = await platform.api.schedule({ ...body, attendees });
    for (const { status, body } of [other, plain]) {
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('warnings');
    }
  });
});

test('the week’s drawing names the holiday and draws it over the work hours', async () => {
  const { ana, ben } = await anaAndBen();
  const { browser } = await atDashboard(platform);
  const page = await ask(browser, {
    first: ana.email,
    second: ben.email,
    date: holiday.date,
    time: '15:00',
    clock: 'first',
    minutes: 30,
  });
  expect(wordsOf(page)).toContain(`${holiday.name.replaceAll("'", '’')} for Ben`);
  expect(wordsOf(page)).toContain(`${holiday.said} is ${holiday.written.replaceAll("'", '’')}.`);
  expect(page.html).toContain('class="band holiday"');
  expect(wordsOf(page)).toContain('Public holiday');
});
