import { afterAll, expect, test } from 'vitest';
import { type Joined, openGoogleWorld } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());

async function busy(api: Joined['api']) {
  const { data } = await api.freebusy.query({
    requestBody: { timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-03-10T23:59:00Z', items: [{ id: 'primary' }] },
  });
  return data.calendars?.primary;
}

const hours = (start: string, end: string) => ({ start: `2026-03-10T${start}:00Z`, end: `2026-03-10T${end}:00Z` });

test('an all-day event follows its calendar into another zone, without any change of its own', async () => {
  const { api, email } = await world.join('Europe/Berlin');
  const eventId = world.google.addEvent({ email, start: '2026-03-10', end: '2026-03-11' });
  const { etag } = (await api.events.get({ calendarId: 'primary', eventId })).data;
  expect(await busy(api)).toEqual({ busy: [hours('00:00', '23:00')] });
  world.google.setZone({ calendar: email, timezone: 'Pacific/Kiritimati' });
  expect(await busy(api)).toEqual({ busy: [hours('00:00', '10:00')] });
  expect((await api.events.get({ calendarId: 'primary', eventId })).data.etag).toBe(etag);
});

test('days across a change of the clocks begin and end at midnight, or after it where there is none', async () => {
  const email = (await world.join('America/Santiago')).email;
  // On 6 September 2026 Santiago's clocks go from 24:00 to 01:00.
  world.google.addEvent({ email, start: '2026-09-05', end: '2026-09-07', recurrence: ['RRULE:FREQ=MONTHLY;COUNT=2'] });
  const window = { start: '2026-09-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
  expect(world.google.busy({ calendar: email, ...window })).toEqual([
    { start: '2026-09-05T04:00:00.000Z', end: '2026-09-07T03:00:00.000Z' },
    { start: '2026-10-05T03:00:00.000Z', end: '2026-10-07T03:00:00.000Z' },
  ]);
  world.google.addEvent({ email, start: '2027-09-05', end: '2027-09-06' });
  const later = { start: '2027-09-01T00:00:00Z', end: '2027-10-01T00:00:00Z' };
  expect(world.google.busy({ calendar: email, ...later })).toEqual([
    { start: '2027-09-05T04:00:00.000Z', end: '2027-09-06T03:00:00.000Z' },
  ]);
});
