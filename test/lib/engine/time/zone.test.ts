import { expect, test } from 'vitest';
import { formatInZone, isTimeZone, lastStartOfDay, localDate, startOfDay } from '../../../../lib/engine/time/zone.ts';
import { at } from '../people.ts';

test.each([
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
  ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T01:30:00-05:00'],
  ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T01:30:00-04:00'],
  ['Asia/Kathmandu', '2026-05-04T00:00:00Z', '2026-05-04T05:45:00+05:45'],
  ['America/St_Johns', '2026-01-04T00:00:00Z', '2026-01-03T20:30:00-03:30'],
  ['UTC', '2026-05-04T00:00:00Z', '2026-05-04T00:00:00+00:00'],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59-10:00'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00+14:00'],
])('in %s %s is %s', (zone, instant, local) => {
  expect(formatInZone(zone, at(instant))).toBe(local);
  expect(localDate(zone, at(instant))).toBe(local.slice(0, 10));
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['Mars/Olympus', false],
  ['+05:30', false],
  ['', false],
])('%j is a zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

test.each([
  ['no change', 'Europe/Berlin', '2026-05-04', '2026-05-03T22:00:00Z', '2026-05-03T22:00:00Z'],
  ['00:00 twice, both of the day', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-01T04:00:00Z'],
  [
    '00:01, then 23:01 of the day before',
    'America/St_Johns',
    '2010-11-07',
    '2010-11-07T02:30:00Z',
    '2010-11-07T03:30:00Z',
  ],
  ['23:00 twice, both of the day before', 'Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-24T22:00:00Z'],
  ['no 00:00', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', '2026-04-23T22:00:00Z'],
  ['no such day', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
])('a day with %s in %s begins at its first instant, and for good at its last', (_what, zone, date, first, last) => {
  const day = Date.parse(date) / 86_400_000;
  expect([startOfDay(zone, day), lastStartOfDay(zone, day)]).toEqual([at(first), at(last)]);
});
