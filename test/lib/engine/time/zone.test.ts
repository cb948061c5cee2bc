import { describe, expect, test } from 'vitest';
import { runtimeSpans } from '../../../../lib/engine/time/runtime-spans.ts';
import {
  formatInZone,
  knownZone,
  lastStartOfDay,
  localDate,
  offsetSpans,
  startOfDay,
} from '../../../../lib/engine/time/zone.ts';
import { ZONES_KNOWN } from '../../../../lib/engine/time/zone-table.ts';
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
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['etc/gmt+5', 'Etc/GMT+5'],
  ['EUROPE/KIEV', 'Europe/Kiev'],
  ['asia/calcutta', 'Asia/Calcutta'],
  ['us/pacific', 'US/Pacific'],
  ['america/port-au-prince', 'America/Port-au-Prince'],
  ['est5edt', 'EST5EDT'],
  ['hst', 'HST'],
  ...['BST', 'PST', 'IST', 'CST', 'EDT', 'ACT', 'Factory', 'SystemV/PST8PDT', 'Mars/Olympus', '+05:30', 'k', ''].map(
    (name) => [name, undefined],
  ),
  ['Europe/Berlin Europe/Busingen', undefined],
  ['Europe/Berlin|', undefined],
])('%j is the zone %j', (given, zone) => {
  expect(knownZone(given ?? '')).toBe(zone);
});

test.each([
  ['America/Vancouver', '2026-12-15T16:00:00Z', '2026-12-15T09:00:00-07:00'],
  ['America/Edmonton', '2026-12-15T16:00:00Z', '2026-12-15T10:00:00-06:00'],
  ['America/Yellowknife', '2026-12-15T16:00:00Z', '2026-12-15T10:00:00-06:00'],
  ['America/Inuvik', '2026-12-15T16:00:00Z', '2026-12-15T10:00:00-06:00'],
  ['America/Winnipeg', '2026-12-15T16:00:00Z', '2026-12-15T11:00:00-05:00'],
  ['Africa/Casablanca', '2026-12-15T16:00:00Z', '2026-12-15T16:00:00+00:00'],
])('the newest rules hold: in %s %s is %s', (zone, instant, local) => {
  expect(formatInZone(zone, at(instant))).toBe(local);
});

describe('beyond the table', () => {
  test.each([
    ['Europe/Berlin', '2035-07-02T10:00:00Z', '2035-07-02T12:00:00+02:00'],
    ['Europe/Berlin', '2035-01-02T10:00:00Z', '2035-01-02T11:00:00+01:00'],
    ['Europe/Berlin', '2019-07-02T10:00:00Z', '2019-07-02T12:00:00+02:00'],
    ['Europe/Kyiv', '9990-01-02T10:00:00Z', '9990-01-02T12:00:00+02:00'],
  ])('the runtime’s rules hold: in %s %s is %s', (zone, instant, local) => {
    expect(formatInZone(zone, at(instant))).toBe(local);
  });

  test('spans follow each other without a gap over both edges of the table', () => {
    for (const edge of [ZONES_KNOWN.start, ZONES_KNOWN.end]) {
      const [from, to] = [edge - 400 * 86_400_000, edge + 400 * 86_400_000];
      const spans = offsetSpans('Europe/Berlin', from, to);
      expect([spans[0]?.start, spans.at(-1)?.end].map(Number)).toEqual([
        expect.toSatisfy((start: number) => start <= from),
        expect.toSatisfy((end: number) => end > to),
      ]);
      for (const [i, span] of spans.entries()) expect(span.start).toBe(i === 0 ? span.start : spans[i - 1]?.end);
    }
  });

  test('a zone that the runtime does not know keeps the offset that it has at the edge of the table', () => {
    const edge = { start: 0, end: 1, offset: -7 * 3_600_000, text: '-07:00' };
    expect(runtimeSpans('America/Atlantis', 1, 9, edge)).toEqual([{ ...edge, start: 1, end: 9 }]);
  });
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
