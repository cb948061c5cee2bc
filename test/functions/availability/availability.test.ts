import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { DAY, formatDate } from '../../../lib/engine/time/dates.ts';
import { HORIZON_DAYS } from '../../../lib/engine/time/window.ts';
import { localDay } from '../../../lib/engine/time/zone.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { wednesdayAhead } from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform, ownClient } from '../../support/people/factories.ts';
import { bookable, freshPair, toMonday } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });
const wednesday = wednesdayAhead();
const daysLater = (days: number) => new Date(Date.parse(wednesday) + days * DAY).toISOString().slice(0, 10);
const at = (time: string) => `${wednesday}T${time}:00+00:00`;
const onWednesday = { date_range: { start_date: wednesday, end_date: wednesday } };
const bob = await connectedPerson(platform, { name: 'bob' });
const search = (email: string, more: object = {}) =>
  platform.api.availability({ attendees: [email, bob.email], ...onWednesday, ...more });

interface Found {
  slots: { start_time: string; score: number; product: number; merit: number; factors: { multiplier: number }[] }[];
  message?: string;
  relaxations?: object[];
}

describe('POST /v1/availability', () => {
  test('slots come best first by their score and merit, each with what it is made of', async () => {
    const ada = await connectedPerson(platform, { name: 'ada' });
    const { body } = await search(ada.email);
    const { slots, ...rest } = body as Found;
    expect(slots).toHaveLength(5);
    expect(rest).not.toHaveProperty('message');
    expect(rest).not.toHaveProperty('relaxations');
    expect(slots[0]).toEqual({
      start_time: `${wednesday}T10:00:00+00:00`,
      end_time: `${wednesday}T10:30:00+00:00`,
      score: 1,
      product: expect.any(Number),
      comfort: expect.any(Number),
      merit: expect.any(Number),
      timezone: 'UTC',
      reason: expect.stringMatching(/^[A-Z]\w+day.* \d+:\d\d.*[a-z]\.$/),
      factors: expect.arrayContaining([{ name: 'mid_morning', multiplier: 1.2 }]),
      attendees: [ada.email, bob.email].map((email) => ({
        email,
        start_time: `${wednesday}T10:00:00+00:00`,
        timezone: 'UTC',
      })),
    });
    expect(slots).toEqual(slots.toSorted((a, b) => b.score - a.score || b.merit - a.merit));
    for (const { product, score, factors } of slots) {
      expect(product).toBeCloseTo(
        factors.reduce((all, { multiplier }) => all * multiplier, 1),
        4,
      );
      expect(score).toBe(Math.min(1, product));
    }
  });

  test('an empty answer says why, and which single changes would open times', async () => {
    const cleo = await connectedPerson(platform, { name: 'cleo', busy: [[at('00:00'), at('23:59')]] });
    const { status, body } = await search(cleo.email);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      slots: [],
      total_found: 0,
      message: expect.stringMatching(
        `'s busy times leave no half hour free for both on ${formatInTimeZone(wednesday, 'UTC', 'EEEE, d MMMM')}\\.$`,
      ),
      relaxations: [{ change: 'more_days', email: null, opens: expect.any(Number), end_date: daysLater(7) }],
    });
    const wider = await search(cleo.email, { date_range: { start_date: wednesday, end_date: daysLater(7) } });
    expect((wider.body as Found).slots).toHaveLength(5);
  });
});

const ada = await connectedPerson(platform, {
  name: 'ada',
  busy: [
    [at('10:00'), at('11:00')],
    [at('11:20'), at('12:00')],
  ],
});
const attendees = [ada.email, bob.email];
const explain = (body: object) => platform.api.send('POST', '/v1/availability/explain', { attendees, ...body });

describe('POST /v1/availability/explain', () => {
  test('every slot of the search is offered, as the search shows it', async () => {
    const { slots } = (await platform.api.availability({ attendees })).body as Found;
    expect(slots).toHaveLength(5);
    for (const slot of slots) {
      const answer = await explain({ start_time: slot.start_time });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ offered: true, free: true, against: [], slot });
    }
  });

  test('a free time has its rank and its factors', async () => {
    const date_range = { start_date: wednesday, end_date: wednesday };
    const answer = await explain({ start_time: at('12:00'), date_range });
    expect(answer.body).toMatchObject({
      free: true,
      offered: false,
      passed_over: 'better_slots_first',
      rank: expect.any(Number),
      candidates: expect.any(Number),
      slot: { factors: expect.arrayContaining([{ name: 'lunch_hour', multiplier: 0.8 }]) },
      search_window: { start: wednesday, end: wednesday, days: 1 },
      calendars: attendees.map((email) => ({ email, read_at: expect.any(String), source: 'google' })),
    });
  });

  test('buffers, focus blocks and the window stand against times too, without the text of a block', async () => {
    const { email } = freshPerson({ name: 'eve' });
    world.google.addBusy({ email, start: at('10:00'), end: at('11:00') });
    const own = await ownClient(platform, email);
    const focus_blocks = [{ day: 'wednesday', start: '14:00', end: '15:00', reason: 'a secret' }];
    await own.send('PUT', '/v1/user/preferences', { buffer_minutes: 30, focus_blocks });
    const pair = { attendees: [bob.email, email] };
    const rulesAt = async (start_time: string) => {
      const { body, text } = await explain({ ...pair, start_time });
      expect(text).not.toContain('secret');
      return (body as { against: { rule: string }[] }).against.map(({ rule }) => rule);
    };
    expect(await rulesAt(at('11:15'))).toEqual(['buffer']);
    expect(await rulesAt(at('14:30'))).toEqual(['focus_block']);
    expect(await rulesAt(new Date(Date.parse(at('10:00')) + 350 * DAY).toISOString())).toContain('window');
    expect(await rulesAt('2020-01-01T10:00:00Z')).toEqual(expect.arrayContaining(['notice', 'window']));
  });

  test.each<[name: string, body: object, status: number, error: object]>([
    ['no start_time', {}, 400, { code: 'invalid_time', field: 'start_time' }],
    ['a start without a zone', { start_time: '2099-03-02T15:00:00' }, 400, { code: 'invalid_time' }],
    ['a start past the horizon', { start_time: '2990-01-01T10:00:00Z' }, 400, { code: 'invalid_time' }],
    [
      'a stranger',
      { attendees: [ada.email, 'a@x.test'], start_time: at('10:00') },
      404,
      { code: 'user_not_found', email: 'a@x.test' },
    ],
  ])('refuses %s', async (_name, body, status, error) => {
    const answer = await explain(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error });
  });
});

const ask = (query: string, email = ada.email) =>
  platform.api.send('GET', `/v1/users/${encodeURIComponent(email)}/availability${query}`);
const oneDay = `start_date=${wednesday}&end_date=${wednesday}`;

describe('GET /v1/users/{email}/availability', () => {
  test('gives the free intervals that are long enough', async () => {
    const answer = await ask(`?${oneDay}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      email: ada.email,
      timezone: 'UTC',
      duration_minutes: 30,
      search_window: { start: wednesday, end: wednesday, days: 1 },
      intervals: [
        { start_time: at('08:00'), end_time: at('10:00') },
        { start_time: at('12:00'), end_time: at('18:00') },
      ],
      calendars: [{ email: ada.email, read_at: expect.any(String), source: 'google' }],
    });
    expect((await ask(`?${oneDay}&duration_minutes=15`)).body).toMatchObject({
      intervals: [{}, { start_time: at('11:00'), end_time: at('11:20') }, {}],
    });
  });

  test('without dates it covers the window of the person, from now on', async () => {
    const { body } = await ask('');
    const { intervals, search_window } = body as { intervals: { start_time: string }[]; search_window: object };
    expect(search_window).toMatchObject({ days: 14 });
    expect(intervals.length).toBeGreaterThanOrEqual(9);
    for (const { start_time } of intervals)
      expect(Date.parse(start_time)).toBeGreaterThanOrEqual(world.clock.now() - 60_000);
  });

  test('our own meetings take time too', async () => {
    const cleo = await connectedPerson(platform, { name: 'cleo' });
    const bob = await connectedPerson(platform, { name: 'bob', timezone: 'Asia/Kathmandu' });
    const booking = { start_time: at('15:00'), duration_minutes: 60, title: 'Intro' };
    expect((await platform.api.schedule({ attendees: [bob.email, cleo.email], ...booking })).status).toBe(200);
    expect((await ask(`?${oneDay}`, cleo.email)).body).toMatchObject({
      intervals: [{ end_time: at('15:00') }, { start_time: at('16:00') }],
    });
    const { body } = await ask(`?${oneDay}`, bob.email);
    expect(body).toMatchObject({
      timezone: 'Asia/Kathmandu',
      intervals: [{ start_time: `${wednesday}T08:00:00+05:45` }],
    });
  });

  test.each<[name: string, query: string, field: string]>([
    ['a date that is none', '?start_date=2099-02-30&end_date=2099-03-01', 'start_date'],
    ['a past range', '?start_date=2020-01-01&end_date=2020-02-01', 'end_date'],
    ['minutes that are none', '?duration_minutes=half', 'duration_minutes'],
    ['empty minutes', '?duration_minutes=', 'duration_minutes'],
    ['hexadecimal minutes', '?duration_minutes=0x1e', 'duration_minutes'],
  ])('refuses %s by its field, flat', async (_name, query, field) => {
    const answer = await ask(query);
    expect(answer.status).toBe(400);
    const { error } = answer.body as { error: string };
    expect(answer.body).toEqual(wholeError({ error, message: expect.any(String), field }));
  });

  test('a stranger is not found, and a path that is no address is refused', async () => {
    const answer = await ask('', 'nobody@x.test');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ error: 'User not found', email: 'nobody@x.test', field: 'email' });
    expect((await ask('', 'nobody')).body).toMatchObject({ field: 'email' });
  });
});

healAfterEach();

const inDays = (days: number) => formatDate(localDay('Europe/London', world.clock.now()) + days);
const latest = () => inDays(HORIZON_DAYS);

async function searches() {
  const { platform, ada, bob } = await freshPair();
  const attendees = [ada.email, bob.email];
  const search = { attendees, duration_minutes: 30 };
  const offer = { ...search, title: 'Intro' };
  const query = (range: object) => new URLSearchParams({ ...range });
  const of = encodeURIComponent(ada.email);
  const all: Record<string, (range: object) => ReturnType<typeof platform.api.send>> = {
    search: (date_range) => platform.api.send('POST', '/v1/availability', { ...search, date_range }),
    explain: (date_range) =>
      platform.api.send('POST', '/v1/availability/explain', {
        ...search,
        start_time: `${inDays(2)}T10:00:00Z`,
        date_range,
      }),
    'one person': (range) => platform.api.send('GET', `/v1/users/${of}/availability?${query(range)}`),
    batch: (date_range) =>
      platform.api.send('POST', '/v1/schedule/batch', { meetings: [{ reference: 'a', ...offer }], date_range }),
  };
  return { platform, attendees, all };
}

/** The first date lies a hundred days beyond the horizon, wherever earlier suites moved the clock. */
const FAR = ['in 500 days', '9990-01-01', '9999-12-31'];

test.each(FAR)('no search accepts a range that ends on %s: each names the last date', async (named) => {
  const end_date = named === FAR[0] ? inDays(500) : named;
  const { all } = await searches();
  for (const [name, ask] of Object.entries(all))
    for (const range of [{ end_date }, { start_date: end_date }, { start_date: end_date, end_date }]) {
      const { status, body } = await ask(range);
      expect([name, range, status]).toEqual([name, range, 400]);
      const told = body as { code: string; message: string; error: string | { code: string; message: string } };
      const { code, message } = typeof told.error === 'string' ? told : told.error;
      expect([name, code]).toEqual([name, 'invalid_date_range']);
      expect(message).toMatch(/^The last date that can be searched is \d{4}-\d\d-\d\d, 400 days from now\.$/);
    }
});

test('the last date is searched, and each time it offers can be booked', async () => {
  const { platform, all, attendees } = await searches();
  const { status, body } = await (all.search?.({ start_date: inDays(HORIZON_DAYS - 3), end_date: latest() }) ?? {});
  expect(status).toBe(200);
  const { slots } = body as { slots: { start_time: string }[] };
  expect(slots.length).toBeGreaterThan(0);
  const last = Math.max(...slots.map(({ start_time }) => Date.parse(start_time)));
  expect(last).toBeLessThanOrEqual(world.clock.now() + HORIZON_DAYS * 86_400_000);
  const booking = { attendees, duration_minutes: 30, title: 'Far', require_free: true };
  const booked = await platform.api.schedule({ ...booking, start_time: new Date(last).toISOString() });
  expect(booked.status).toBe(200);
});

test('a meeting on the last day can still be refused with alternatives, and rescheduled', async () => {
  const { platform, ada, bob, body } = await bookable();
  const start_time = `${inDays(HORIZON_DAYS - 1)}T10:00:00Z`;
  const { meeting_id } = (await platform.api.schedule({ ...body, start_time })).body as { meeting_id: string };
  const taken = await platform.api.schedule({ ...body, start_time, require_free: true });
  expect([taken.status, taken.body]).toMatchObject([409, { error: { code: 'slot_unavailable' } }]);
  world.google.addBusy({ email: bob.email, start: start_time, end: `${inDays(HORIZON_DAYS)}T10:00:00Z` });
  const moved = await platform.api.send('POST', `/v1/meetings/${meeting_id}/reschedule`, {
    requested_by: ada.email,
    reason: 'I need an earlier day',
  });
  expect(moved.status, moved.text).toBe(200);
});

test('a date on which the two meet already counts less', async () => {
  await toMonday();
  const { platform, body } = await bookable();
  const tuesday = new Date(world.clock.now() + DAY).toISOString().slice(0, 10);
  const explain = async () => {
    const asked = { attendees: body.attendees, start_time: `${tuesday}T15:00:00Z` };
    const { body: explained } = await platform.api.send('POST', '/v1/availability/explain', asked);
    return (explained as { comfort_factors: object[] }).comfort_factors;
  };
  const met = { name: 'met_that_day', email: null, multiplier: 0.5 };
  expect(await explain()).not.toContainEqual(met);
  await platform.api.schedule({ ...body, start_time: `${tuesday}T16:30:00Z` });
  await world.advance(2_000);
  expect(await explain()).toContainEqual(met);
});
