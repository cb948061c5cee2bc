import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busy, calendarId, fridays as fridaysOf, hour, listed } from './fridays.ts';
import { type GoogleWorld, openGoogleWorld } from './world.ts';

let world: GoogleWorld;
const fridays = (more: object = {}) => fridaysOf(world, more);

beforeAll(async () => {
  world = await openGoogleWorld();
});
afterAll(() => world.close());

describe('the whole series', () => {
  test('renamed, renames an instance that was moved and keeps it where it is', async () => {
    const { host, seriesId, second } = await fridays();
    const away = { start: '2026-03-28T12:00:00Z', end: '2026-03-28T13:00:00Z' };
    world.google.patchEvent({ email: host.email, eventId: second, ...away });
    await host.api.events.patch({ calendarId, eventId: seriesId, requestBody: { summary: 'Renamed' } });
    const { data } = await host.api.events.get({ calendarId, eventId: second });
    expect(data).toMatchObject({ summary: 'Renamed', start: { dateTime: '2026-03-28T13:00:00+01:00' } });
    await host.api.events.patch({ calendarId, eventId: second, requestBody: { summary: 'Its own' } });
    await host.api.events.patch({ calendarId, eventId: seriesId, requestBody: { summary: 'Again' } });
    expect((await host.api.events.get({ calendarId, eventId: second })).data.summary).toBe('Its own');
  });

  test('moved to another hour, drops what was changed alone', async () => {
    const { host, seriesId, second } = await fridays();
    world.google.patchEvent({
      email: host.email,
      eventId: second,
      start: '2026-03-28T12:00:00Z',
      end: '2026-03-28T13:00:00Z',
    });
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
    world.google.patchEvent({
      email: host.email,
      eventId: second,
      start: '2026-03-28T12:00:00Z',
      end: '2026-03-28T13:00:00Z',
    });
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
    world.google.patchEvent({
      email: host.email,
      eventId: second,
      start: '2026-03-29T10:00:00Z',
      end: '2026-03-29T11:00:00Z',
    });
    expect((await busy(host))?.[1]).toEqual(hour('03-29', '10'));
  });
});
