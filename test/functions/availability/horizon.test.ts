import { describe, expect, test } from 'vitest';
import { DAY, formatDate, HOUR } from '../../../lib/engine/time/dates.ts';
import { HORIZON_DAYS } from '../../../lib/engine/time/window.ts';
import { localDay } from '../../../lib/engine/time/zone.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { bookable, freshPair } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const inDays = (days: number) => formatDate(localDay('Europe/London', world.clock.now()) + days);
const latest = () => inDays(HORIZON_DAYS);

/** Every request that searches a range of dates, as a function of that range. */
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
      platform.api.send('POST', '/v1/schedule/batch', {
        meetings: [{ reference: 'a', ...offer }],
        date_range,
      }),
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

test('a start past the horizon is refused alike by explain and by schedule, with dates to search or without', async () => {
  const { platform, attendees } = await searches();
  const ask = (path: string, start_time: string, more = {}) =>
    platform.api.send('POST', path, { attendees, duration_minutes: 30, start_time, ...more });
  const far = new Date(world.clock.now() + HORIZON_DAYS * DAY + HOUR).toISOString();
  const error = {
    code: 'invalid_time',
    message: '`start_time` must be at most 400 days from now.',
    field: 'start_time',
  };
  const refused = { status: 400, body: wholeError({ error }) };
  expect(await ask('/v1/schedule', far, { title: 'Far' })).toMatchObject(refused);
  for (const more of [{}, { date_range: { start_date: inDays(1) } }])
    expect(await ask('/v1/availability/explain', far, more)).toMatchObject(refused);
  const near = new Date(world.clock.now() + HORIZON_DAYS * DAY - HOUR).toISOString();
  expect((await ask('/v1/availability/explain', near)).status).toBe(200);
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

describe('a meeting', () => {
  const far = () => ({
    start: `${inDays(HORIZON_DAYS + 20)}T10:00:00Z`,
    end: `${inDays(HORIZON_DAYS + 21)}T10:00:00Z`,
  });

  test('is not rescheduled into a range past the last date', async () => {
    const { platform, ada, body } = await bookable();
    const { meeting_id } = (await platform.api.schedule(body)).body as { meeting_id: string };
    const { status, body: refused } = await platform.api.send('POST', `/v1/meetings/${meeting_id}/reschedule`, {
      requested_by: ada.email,
      reason: 'later',
      preferred_time_range: far(),
    });
    expect([status, refused]).toMatchObject([
      400,
      { error: { code: 'invalid_date_range', field: 'preferred_time_range' } },
    ]);
  });

  test('on the last day can still be refused with alternatives, and rescheduled', async () => {
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
});
