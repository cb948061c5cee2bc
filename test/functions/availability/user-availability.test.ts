import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { wednesdayAhead } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });
const wednesday = wednesdayAhead();
const at = (time: string) => `${wednesday}T${time}:00+00:00`;

const ada = await connectedPerson(platform, {
  name: 'ada',
  busy: [
    [at('10:00'), at('11:00')],
    [at('11:20'), at('12:00')],
  ],
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
    ['14 minutes', '?duration_minutes=14', 'duration_minutes'],
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
