import { afterAll, describe, expect, test } from 'vitest';
import { type Joined, openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const calendarId = 'primary';
const timeMin = '2026-03-01T00:00:00Z';
const timeMax = '2026-04-11T00:00:00Z';

/**
 * Creates a person with an event on Fridays from 09:00 to 10:00 in Berlin from 20 March. The clocks change on the 29th.
 */
async function fridays(more: object = {}) {
  const host = await world.join('Europe/Berlin');
  const seriesId = world.google.addEvent({
    email: host.email,
    summary: 'Weekly',
    start: '2026-03-20T09:00:00',
    end: '2026-03-20T10:00:00',
    recurrence: ['RRULE:FREQ=WEEKLY'],
    ...more,
  });
  return { host, seriesId, second: `${seriesId}_20260327T080000Z`, third: `${seriesId}_20260403T070000Z` };
}

/** Returns the free/busy of those weeks. */
async function busy({ api }: Joined) {
  const { data } = await api.freebusy.query({ requestBody: { timeMin, timeMax, items: [{ id: 'primary' }] } });
  return data.calendars?.primary?.busy?.map(({ start, end }) => [start, end]);
}

async function listed({ api }: Joined, more: object = {}) {
  const { data } = await api.events.list({ calendarId, timeMin, timeMax, ...more });
  return (data.items ?? []).map(({ id, status, start }) => [id, status, start?.dateTime]);
}

const read = async ({ api }: Joined, eventId: string) => (await api.events.get({ calendarId, eventId })).data;
const patch = async ({ api }: Joined, eventId: string, requestBody: object) =>
  (await api.events.patch({ calendarId, eventId, requestBody })).data;
const inBerlin = (start: string, end: string) => ({
  start: { dateTime: start, timeZone: 'Europe/Berlin' },
  end: { dateTime: end, timeZone: 'Europe/Berlin' },
});

/** Returns one hour of 2026 in UTC. */
function hour(day: string, from: string) {
  const until = String(Number(from) + 1).padStart(2, '0');
  return [`2026-${day}T${from}:00:00Z`, `2026-${day}T${until}:00:00Z`];
}

const move = ({ email }: { email: string }, eventId: string, [start, end]: ReturnType<typeof hour>) =>
  world.google.patchEvent({ email, eventId, start, end });

describe('an untouched series', () => {
  test('is one event that recurs, or each of its instances', async () => {
    const { host, seriesId, second, third } = await fridays();
    expect(await listed(host)).toEqual([[seriesId, 'confirmed', '2026-03-20T09:00:00+01:00']]);
    expect(await listed(host, { singleEvents: true })).toEqual([
      [`${seriesId}_20260320T080000Z`, 'confirmed', '2026-03-20T09:00:00+01:00'],
      [second, 'confirmed', '2026-03-27T09:00:00+01:00'],
      [third, 'confirmed', '2026-04-03T09:00:00+02:00'],
      [`${seriesId}_20260410T070000Z`, 'confirmed', '2026-04-10T09:00:00+02:00'],
    ]);
  });

  test('keeps its hour on the wall in free/busy, over the change of the clocks and for years', async () => {
    const { host } = await fridays();
    const march = [hour('03-20', '08'), hour('03-27', '08'), hour('04-03', '07'), hour('04-10', '07')];
    expect(await busy(host)).toEqual(march);
    const window = { start: '2036-07-01T00:00:00Z', end: '2036-07-08T00:00:00Z' };
    expect(world.google.busy({ calendar: host.email, ...window })).toEqual([
      { start: '2036-07-04T07:00:00.000Z', end: '2036-07-04T08:00:00.000Z' },
    ]);
  });

  test('has instances that name it, with their own times and the one thing in common', async () => {
    const { host, seriesId, second } = await fridays();
    const data = await read(host, second);
    expect(data).toMatchObject({
      id: second,
      summary: 'Weekly',
      recurringEventId: seriesId,
      originalStartTime: { dateTime: '2026-03-27T09:00:00+01:00', timeZone: 'Europe/Berlin' },
      start: { dateTime: '2026-03-27T09:00:00+01:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-03-27T10:00:00+01:00' },
      iCalUID: `${seriesId}@google.com`,
    });
    expect(data.recurrence).toBeUndefined();
    const lost = { status: 404, reason: 'notFound' };
    expect(await refusal(host.api.events.get({ calendarId, eventId: `${seriesId}_20260328T080000Z` }))).toMatchObject(
      lost,
    );
    expect(await refusal(host.api.events.get({ calendarId, eventId: `${seriesId}_20260327` }))).toMatchObject(lost);
  });
});

test('an instance under way at the edge of a window counts as far as it lies within', async () => {
  const { host } = await fridays({ start: '2026-03-20T22:00:00', end: '2026-03-21T02:00:00' });
  const window = { start: '2026-03-27T23:00:00Z', end: '2026-04-03T21:00:00Z' };
  expect(world.google.busy({ calendar: host.email, ...window })).toEqual([
    { start: '2026-03-27T23:00:00.000Z', end: '2026-03-28T01:00:00.000Z' },
    { start: '2026-04-03T20:00:00.000Z', end: '2026-04-03T21:00:00.000Z' },
  ]);
});

describe('one instance', () => {
  test('moved over midnight is busy where it went and free where it was', async () => {
    const { host, seriesId, second } = await fridays();
    expect(await patch(host, second, inBerlin('2026-03-27T23:30:00', '2026-03-28T00:30:00'))).toMatchObject({
      id: second,
      recurringEventId: seriesId,
      originalStartTime: { dateTime: '2026-03-27T09:00:00+01:00' },
      start: { dateTime: '2026-03-27T23:30:00+01:00' },
      sequence: 1,
    });
    const moved = ['2026-03-27T22:30:00Z', '2026-03-27T23:30:00Z'];
    expect(await busy(host)).toEqual([hour('03-20', '08'), moved, hour('04-03', '07'), hour('04-10', '07')]);
    expect(await listed(host)).toEqual([
      [seriesId, 'confirmed', '2026-03-20T09:00:00+01:00'],
      [second, 'confirmed', '2026-03-27T23:30:00+01:00'],
    ]);
  });

  test('cancelled is gone from instances and free/busy, and stays as a tombstone beside its series', async () => {
    const { host, seriesId, second, third } = await fridays();
    await host.api.events.delete({ calendarId, eventId: second });
    await patch(host, third, { status: 'cancelled' });
    expect(await busy(host)).toEqual([hour('03-20', '08'), hour('04-10', '07')]);
    expect((await listed(host)).map(([id, status]) => [id, status])).toEqual([
      [seriesId, 'confirmed'],
      [second, 'cancelled'],
      [third, 'cancelled'],
    ]);
    expect(await listed(host, { singleEvents: true })).toHaveLength(2);
    const deleted = { status: 410, reason: 'deleted' };
    expect(await refusal(host.api.events.delete({ calendarId, eventId: second }))).toMatchObject(deleted);
  });
});

describe('the whole series', () => {
  test('renamed, renames an instance that was moved and keeps it where it is', async () => {
    const { host, seriesId, second } = await fridays();
    move(host, second, hour('03-28', '12'));
    await patch(host, seriesId, { summary: 'Renamed' });
    const data = await read(host, second);
    expect(data).toMatchObject({ summary: 'Renamed', start: { dateTime: '2026-03-28T13:00:00+01:00' } });
    await patch(host, second, { summary: 'Its own' });
    await patch(host, seriesId, { summary: 'Again' });
    expect((await read(host, second)).summary).toBe('Its own');
  });

  test('moved to another hour, drops what was changed alone', async () => {
    const { host, seriesId, second } = await fridays();
    move(host, second, hour('03-28', '12'));
    const moved = await patch(host, seriesId, inBerlin('2026-03-20T14:00:00', '2026-03-20T15:00:00'));
    expect(moved.sequence).toBe(1);
    expect(await busy(host)).toEqual([
      hour('03-20', '13'),
      hour('03-27', '13'),
      hour('04-03', '12'),
      hour('04-10', '12'),
    ]);
    expect((await read(host, second)).status).toBe('cancelled');
  });

  test('changed from one instance on, ends there and goes on as another series', async () => {
    const { host, seriesId, third } = await fridays();
    const next = world.google.patchEvent({
      email: host.email,
      eventId: third,
      following: true,
      start: '2026-04-03T13:00:00Z',
      end: '2026-04-03T14:00:00Z',
    });
    expect(next.id).not.toBe(seriesId);
    expect(await busy(host)).toEqual([
      hour('03-20', '08'),
      hour('03-27', '08'),
      hour('04-03', '13'),
      hour('04-10', '13'),
    ]);
    const data = await read(host, seriesId);
    expect(data.recurrence).toEqual(['RRULE:FREQ=WEEKLY;UNTIL=20260403T065959Z']);
  });
});

describe('days', () => {
  test('all-day instances are named by date and last a day of the calendar, 23 hours or 25', async () => {
    const host = await world.join('Europe/Berlin');
    const seriesId = world.google.addEvent({
      email: host.email,
      start: '2026-03-22',
      end: '2026-03-23',
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
    });
    expect(await busy(host)).toEqual([
      ['2026-03-21T23:00:00Z', '2026-03-22T23:00:00Z'],
      ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
      ['2026-04-04T22:00:00Z', '2026-04-05T22:00:00Z'],
    ]);
    const data = await read(host, `${seriesId}_20260329`);
    expect(data).toMatchObject({
      start: { date: '2026-03-29' },
      end: { date: '2026-03-30' },
      originalStartTime: { date: '2026-03-29' },
    });
  });
});

/** Creates a series of three days at 10:00Z and invites a guest. */
async function invited() {
  const [host, guest] = [await world.join(), await world.join()];
  const seriesId = world.google.addEvent({
    email: host.email,
    start: '2026-03-10T10:00:00Z',
    end: '2026-03-10T11:00:00Z',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    attendees: [host.email, guest.email],
  });
  return { host, guest, seriesId, second: `${seriesId}_20260311T100000Z` };
}

function busyDays(email: string) {
  const window = { start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z' };
  return world.google.busy({ calendar: email, ...window }).map(({ start }) => start.slice(8, 10));
}

const answers = async (person: Joined, eventId: string) =>
  (await read(person, eventId)).attendees?.map(({ responseStatus }) => responseStatus);

test('an answer to one instance is to that one alone, and outlives an answer to all', async () => {
  const { host, guest, seriesId, second } = await invited();
  world.google.patchEvent({ email: guest.email, eventId: second, responseStatus: 'declined' });
  expect(busyDays(guest.email)).toEqual(['10', '12']);
  expect(busyDays(host.email)).toEqual(['10', '11', '12']);
  expect(await answers(host, second)).toEqual(['needsAction', 'declined']);
  expect(await answers(host, seriesId)).toEqual(['needsAction', 'needsAction']);
  world.google.patchEvent({ email: guest.email, eventId: seriesId, responseStatus: 'accepted' });
  expect(await answers(host, second)).toEqual(['needsAction', 'declined']);
  expect(await answers(host, `${seriesId}_20260312T100000Z`)).toEqual(['needsAction', 'accepted']);
  world.google.patchEvent({ email: guest.email, eventId: second, responseStatus: 'accepted' });
  expect(busyDays(guest.email)).toEqual(['10', '11', '12']);
});

test('somebody who is added to the series comes to the instances that were changed alone, who leaves it goes from them', async () => {
  const { host, guest, seriesId, second } = await invited();
  const third = await world.join();
  const noon = { start: '2026-03-11T12:00:00Z', end: '2026-03-11T13:00:00Z' };
  world.google.patchEvent({ email: host.email, eventId: second, ...noon });
  const attendees = [host, third].map(({ email }) => ({ email }));
  await patch(host, seriesId, { attendees });
  expect(busyDays(third.email)).toEqual(['10', '11', '12']);
  expect(busyDays(guest.email)).toEqual([]);
});
