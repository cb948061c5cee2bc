import { afterAll, describe, expect, test } from 'vitest';
import { busy, calendarId, fridays as fridaysOf, hour, listed, SIX_WEEKS } from './fridays.ts';
import { openGoogleWorld, refusal } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const fridays = (more: object = {}) => fridaysOf(world, more);
const move = ({ email }: { email: string }, eventId: string, [start, end]: ReturnType<typeof hour>) =>
  world.google.patchEvent({ email, eventId, start, end });

describe('an untouched series', () => {
  test('is one event that recurs, or each of its instances', async () => {
    const { host, seriesId, second, third } = await fridays();
    expect(await listed(host)).toEqual([[seriesId, 'confirmed', '2026-03-20T09:00:00+01:00']]);
    expect(await listed(host, { singleEvents: true, orderBy: 'startTime' })).toEqual([
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
    const { data } = await host.api.events.get({ calendarId, eventId: second });
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

  test('lists its instances page by page, or the one that was asked for', async () => {
    const { host, seriesId, third } = await fridays();
    const ask = { calendarId, eventId: seriesId, ...SIX_WEEKS, maxResults: 3 };
    const first = await host.api.events.instances(ask);
    const rest = await host.api.events.instances({ ...ask, pageToken: first.data.nextPageToken ?? '' });
    expect([first.data.items?.length, rest.data.items?.length, rest.data.nextPageToken]).toEqual([3, 1, undefined]);
    const one = await host.api.events.instances({
      calendarId,
      eventId: seriesId,
      originalStart: '2026-04-03T09:00:00+02:00',
    });
    expect(one.data.items?.map(({ id }) => id)).toEqual([third]);
    expect(await refusal(host.api.events.instances({ calendarId, eventId: third }))).toMatchObject({ status: 400 });
  });

  test('is in a window as long as it goes on, and not after its end', async () => {
    const { host, seriesId } = await fridays({ recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20260403T070000Z'] });
    const from = async (min: string) => {
      const { data } = await host.api.events.list({ calendarId, timeMin: min });
      return data.items?.map(({ id }) => id);
    };
    expect(await from('2026-04-03T07:59:59Z')).toEqual([seriesId]);
    expect(await from('2026-04-03T08:00:00Z')).toEqual([]);
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
    const { data } = await host.api.events.patch({
      calendarId,
      eventId: second,
      requestBody: {
        start: { dateTime: '2026-03-27T23:30:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-03-28T00:30:00', timeZone: 'Europe/Berlin' },
      },
    });
    expect(data).toMatchObject({
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
    const instances = await host.api.events.instances({ calendarId, eventId: seriesId, ...SIX_WEEKS });
    expect(instances.data.items?.map(({ id, start }) => [id === second, start?.dateTime])[1]).toEqual([
      true,
      '2026-03-27T23:30:00+01:00',
    ]);
  });

  test('moved out of a window or into it counts where it now is', async () => {
    const { host, second } = await fridays();
    const may = { start: '2026-05-13T10:00:00Z', end: '2026-05-13T11:00:00Z' };
    world.google.patchEvent({ email: host.email, eventId: second, ...may });
    expect(await busy(host)).toEqual([hour('03-20', '08'), hour('04-03', '07'), hour('04-10', '07')]);
    const window = { start: '2026-05-13T00:00:00Z', end: '2026-05-14T00:00:00Z' };
    expect(world.google.busy({ calendar: host.email, ...window })).toHaveLength(1);
    move(host, second, hour('03-27', '08'));
    expect(await busy(host)).toHaveLength(4);
    expect(world.google.busy({ calendar: host.email, ...window })).toEqual([]);
  });

  test('cancelled is gone from instances and free/busy, and stays as a tombstone beside its series', async () => {
    const { host, seriesId, second, third } = await fridays();
    await host.api.events.delete({ calendarId, eventId: second });
    await host.api.events.patch({ calendarId, eventId: third, requestBody: { status: 'cancelled' } });
    expect(await busy(host)).toEqual([hour('03-20', '08'), hour('04-10', '07')]);
    expect((await listed(host)).map(([id, status]) => [id, status])).toEqual([
      [seriesId, 'confirmed'],
      [second, 'cancelled'],
      [third, 'cancelled'],
    ]);
    expect(await listed(host, { singleEvents: true })).toHaveLength(2);
    expect(await listed(host, { singleEvents: true, showDeleted: true })).toHaveLength(4);
    const deleted = { status: 410, reason: 'deleted' };
    expect(await refusal(host.api.events.delete({ calendarId, eventId: second }))).toMatchObject(deleted);
    const instances = (showDeleted: boolean) =>
      host.api.events.instances({ calendarId, eventId: seriesId, ...SIX_WEEKS, showDeleted });
    expect((await instances(false)).data.items).toHaveLength(2);
    expect((await instances(true)).data.items).toHaveLength(4);
  });

  test('has an etag of its own from its first change on', async () => {
    const { host, second } = await fridays();
    const { data } = await host.api.events.get({ calendarId, eventId: second });
    const rename = (summary: string) =>
      host.api.events.patch(
        { calendarId, eventId: second, requestBody: { summary } },
        { headers: { 'If-Match': data.etag ?? '' } },
      );
    expect((await rename('One')).data.etag).not.toBe(data.etag);
    expect(await refusal(rename('Two'))).toMatchObject({ status: 412, reason: 'conditionNotMet' });
  });

  test('cannot recur itself', async () => {
    const { host, second } = await fridays();
    const requestBody = { recurrence: ['RRULE:FREQ=DAILY'] };
    expect(await refusal(host.api.events.patch({ calendarId, eventId: second, requestBody }))).toMatchObject({
      status: 400,
    });
  });
});

describe('the whole series', () => {
  test('renamed, renames an instance that was moved and keeps it where it is', async () => {
    const { host, seriesId, second } = await fridays();
    move(host, second, hour('03-28', '12'));
    await host.api.events.patch({ calendarId, eventId: seriesId, requestBody: { summary: 'Renamed' } });
    const { data } = await host.api.events.get({ calendarId, eventId: second });
    expect(data).toMatchObject({ summary: 'Renamed', start: { dateTime: '2026-03-28T13:00:00+01:00' } });
    await host.api.events.patch({ calendarId, eventId: second, requestBody: { summary: 'Its own' } });
    await host.api.events.patch({ calendarId, eventId: seriesId, requestBody: { summary: 'Again' } });
    expect((await host.api.events.get({ calendarId, eventId: second })).data.summary).toBe('Its own');
  });

  test('moved to another hour, drops what was changed alone', async () => {
    const { host, seriesId, second } = await fridays();
    move(host, second, hour('03-28', '12'));
    const { data } = await host.api.events.patch({
      calendarId,
      eventId: seriesId,
      requestBody: {
        start: { dateTime: '2026-03-20T14:00:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-03-20T15:00:00', timeZone: 'Europe/Berlin' },
      },
    });
    expect(data.sequence).toBe(1);
    expect(await busy(host)).toEqual([
      hour('03-20', '13'),
      hour('03-27', '13'),
      hour('04-03', '12'),
      hour('04-10', '12'),
    ]);
    expect((await host.api.events.get({ calendarId, eventId: second })).data.status).toBe('cancelled');
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
    const { data } = await host.api.events.get({ calendarId, eventId: seriesId });
    expect(data.recurrence).toEqual(['RRULE:FREQ=WEEKLY;UNTIL=20260403T065959Z']);
  });

  test('deleted from one instance on, just ends', async () => {
    const { host, second } = await fridays();
    world.google.patchEvent({ email: host.email, eventId: second, following: true, deleted: true });
    expect(await busy(host)).toEqual([hour('03-20', '08')]);
  });

  test('deleted, takes the instances that were changed alone', async () => {
    const { host, seriesId, second } = await fridays();
    move(host, second, hour('03-28', '12'));
    await host.api.events.delete({ calendarId, eventId: seriesId });
    expect(await busy(host)).toEqual([]);
    expect(await listed(host)).toEqual([]);
    expect(await listed(host, { singleEvents: true })).toEqual([]);
    expect((await host.api.events.get({ calendarId, eventId: second })).data.status).toBe('cancelled');
  });

  test('that loses its rule is one event again', async () => {
    const { host, seriesId } = await fridays();
    await host.api.events.patch({ calendarId, eventId: seriesId, requestBody: { recurrence: null } as object });
    expect(await busy(host)).toEqual([hour('03-20', '08')]);
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
    const { data } = await host.api.events.get({ calendarId, eventId: `${seriesId}_20260329` });
    expect(data).toMatchObject({
      start: { date: '2026-03-29' },
      end: { date: '2026-03-30' },
      originalStartTime: { date: '2026-03-29' },
    });
    const autumn = { email: host.email, start: '2026-10-25', end: '2026-10-26', recurrence: ['RRULE:FREQ=YEARLY'] };
    world.google.addEvent(autumn);
    const window = { start: '2026-10-24T00:00:00Z', end: '2026-10-27T00:00:00Z' };
    expect(world.google.busy({ calendar: host.email, ...window })).toEqual([
      { start: '2026-10-24T22:00:00.000Z', end: '2026-10-25T23:00:00.000Z' },
    ]);
  });

  test('an instance that becomes a day, and a day that becomes an hour', async () => {
    const { host, second } = await fridays();
    world.google.patchEvent({ email: host.email, eventId: second, start: '2026-03-29', end: '2026-03-30' });
    expect((await busy(host))?.[1]).toEqual(['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z']);
    move(host, second, hour('03-29', '10'));
    expect((await busy(host))?.[1]).toEqual(hour('03-29', '10'));
  });
});
