import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { wednesdayAhead } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });
const wednesday = wednesdayAhead();
const dayAfter = (days: number) => new Date(Date.parse(wednesday) + days * DAY).toISOString().slice(0, 10);
const [thursday, friday] = [dayAfter(1), dayAfter(2)];
/** Says a date as people write it: "10 December". */
const said = (date: string) =>
  new Date(date).toLocaleString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const afternoon = `${said(thursday)} in the afternoon`;
const week = { date_range: { start_date: wednesday, end_date: friday } };
const at = (date: string, time: string) => `${date}T${time}:00Z`;

const ada = await connectedPerson(platform, { name: 'ada' });
const bob = await connectedPerson(platform, { name: 'bob' });

interface Found {
  slots: { start_time: string; end_time: string }[];
  search_window: { start: string; end: string };
  message?: string;
  understood?: { quote: string; kind: string }[];
  not_understood?: string[];
  warnings?: string[];
}
const search = (more: object, emails = [ada.email, bob.email]) =>
  platform.api.availability({ attendees: emails, ...week, ...more });
const found = async (more: object, emails?: string[]) => (await search(more, emails)).body as Found;
const explained = async (start_time: string, more: object) =>
  (
    await platform.api.send('POST', '/v1/availability/explain', {
      attendees: [ada.email, bob.email],
      start_time,
      ...week,
      ...more,
    })
  ).body as { free: boolean; against: { email: string | null; rule: string; detail: string }[]; understood?: object[] };

describe('a search by wish', () => {
  test('offers only the times that the words ask for, and says how it read them', async () => {
    const { slots, understood, not_understood, ...rest } = await found({
      when: `${afternoon} or ${said(friday)} before 11`,
    });
    expect(slots).toHaveLength(5);
    for (const { start_time, end_time } of slots) {
      const isThursday = start_time >= `${thursday}T12:00` && end_time <= `${thursday}T17:00:00+00:00`;
      expect(isThursday || (start_time >= friday && end_time <= `${friday}T11:00:00+00:00`)).toBe(true);
    }
    expect(understood?.map(({ quote, kind }) => [quote, kind])).toEqual([
      [`${afternoon} or ${said(friday)} before 11`, 'wanted'],
      [`${afternoon} or ${said(friday)} before 11`, 'wanted'],
    ]);
    expect(not_understood).toEqual([]);
    expect(rest).not.toHaveProperty('warnings');
  });

  test.each(['an hour later', 'same time next week', 'a week later', 'postpone it', 'kid is sick', 'Please cancel'])(
    '"%s" needs a meeting or names no time, so it has no effect',
    async (when) => {
      const [with_, without] = [await found({ when }), await found({})];
      expect(with_).toMatchObject({ understood: [], not_understood: [when] });
      expect(with_.warnings).toEqual([expect.stringContaining(when)]);
      expect(with_.slots).toEqual(without.slots);
    },
  );

  test('words open no busy time, and the empty answer names the words and whose time it is', async () => {
    const eve = await connectedPerson(platform, {
      name: 'eve',
      busy: [[at(thursday, '12:00'), at(thursday, '18:00')]],
    });
    const answer = await found({ when: afternoon }, [eve.email, bob.email]);
    expect(answer).toMatchObject({ slots: [], total_found: 0 });
    expect(answer.message).toMatch(
      /^Eve's busy times leave no half hour free .* asked for \(“.* in the afternoon”\)\.$/,
    );
  });

  test('explaining a time says that it was not asked for', async () => {
    const { free, against, understood } = await explained(at(thursday, '09:00'), { when: afternoon });
    expect(free).toBe(false);
    expect(against).toEqual([
      { email: null, rule: 'window', detail: `It is not at the times asked for: “${afternoon}”.` },
    ]);
    expect(understood).toHaveLength(1);
    expect(await explained(at(thursday, '13:00'), { when: afternoon })).toMatchObject({ free: true });
  });

  test('a day beyond the usual ones is searched, if the request has no dates', async () => {
    const far = new Date(world.clock.now() + 30 * DAY);
    const date = far.toISOString().slice(0, 10);
    const when = `on ${far.toLocaleString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' })}`;
    const { search_window } = (await platform.api.availability({ attendees: [ada.email, bob.email], when }))
      .body as Found;
    expect(search_window.end).toBe(date);
  });
});

describe('a search in ranges', () => {
  const range = (date: string, from: string, to: string) => ({ start: at(date, from), end: at(date, to) });

  test('offers only times within one of them', async () => {
    const { slots, ...rest } = await found({
      time_ranges: [range(thursday, '09:00', '10:00'), range(friday, '14:00', '14:30')],
    });
    expect(slots.map(({ start_time }) => start_time.slice(0, 16)).sort()).toEqual([
      `${thursday}T09:00`,
      `${thursday}T09:30`,
      `${friday}T14:00`,
    ]);
    expect(rest).not.toHaveProperty('understood');
  });

  test('both narrow together', async () => {
    const { slots } = await found({
      when: afternoon,
      time_ranges: [range(thursday, '11:30', '12:30'), range(friday, '09:00', '12:00')],
    });
    expect(slots.map(({ start_time }) => start_time.slice(0, 16))).toEqual([`${thursday}T12:00`]);
  });

  test('an empty answer and an explanation name the ranges', async () => {
    const time_ranges = [range(thursday, '20:00', '21:00')];
    expect((await found({ time_ranges })).message).toContain('in the time ranges asked for');
    expect((await explained(at(thursday, '09:00'), { time_ranges })).against).toEqual([
      { email: null, rule: 'window', detail: 'It is in none of the time ranges asked for.' },
    ]);
  });
});

describe('what cannot be asked for', () => {
  const hours = (from: number, to: number) => ({
    start: new Date(world.clock.now() + from * HOUR).toISOString(),
    end: new Date(world.clock.now() + to * HOUR).toISOString(),
  });

  test.each<[string, () => object, field: string, message: RegExp]>([
    ['an empty text', () => ({ when: '  ' }), 'when', /must not be empty/],
    ['a text that is too long', () => ({ when: 'x'.repeat(301) }), 'when', /at most 300 characters/],
    ['an empty list', () => ({ time_ranges: [] }), 'time_ranges', /1 to 10 entries/],
    ['eleven ranges', () => ({ time_ranges: Array(11).fill(hours(1, 2)) }), 'time_ranges', /1 to 10 entries/],
    ['a range that ends first', () => ({ time_ranges: [hours(3, 2)] }), 'time_ranges.0.end', /later than the `start`/],
    ['a range beyond the horizon', () => ({ time_ranges: [hours(1, 401 * 24)] }), 'time_ranges', /at most 400 days/],
    ['past ranges', () => ({ time_ranges: [hours(-3, -2)] }), 'time_ranges', /in the past/],
  ])('%s', async (_, more, field, message) => {
    const { status, body } = await search(more());
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { field } } });
    expect((body as { error: { message: string } }).error.message).toMatch(message);
  });

  test('ranges farther apart than a search reaches', async () => {
    const time_ranges = [hours(24, 30), hours(200 * 24, 200 * 24 + 5)];
    const { status, body } = await platform.api.availability({ attendees: [ada.email, bob.email], time_ranges });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { field: 'time_ranges' } } });
  });
});
