import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Miniflare } from 'miniflare';
import moment from 'moment-timezone';
import { describe, expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { DEFAULT_WINDOW_DAYS } from '../../../../lib/engine/rules/defaults.ts';
import { freeIntervals } from '../../../../lib/engine/rules/free-time.ts';
import {
  DAY,
  formatDate,
  HOUR,
  mondayOf,
  parseDate,
  parseMinute,
  sayDate,
  weekdayIndex,
} from '../../../../lib/engine/time/dates.ts';
import { parseBusy } from '../../../../lib/engine/time/provider-time.ts';
import { LONGEST_DAYS, searchWindow, windowInterval } from '../../../../lib/engine/time/window.ts';
import {
  formatInZone,
  knownZone,
  lastStartOfDay,
  localDate,
  offsetSpans,
  runtimeSpans,
  startOfDay,
} from '../../../../lib/engine/time/zone.ts';
import { areZonesOld, ZONES_KNOWN, ZONES_RELEASE, zoneNames } from '../../../../lib/engine/time/zone-table.ts';
import { PreferencesRequest } from '../../../../schema/api/preferences.ts';
import { bundleWorker } from '../../../local/bundle.ts';
import { changesOf, keptTable, makeTable } from '../../../zones/table.ts';
import { AROUND_THE_CLOCK, at, dates, person } from '../people.ts';
import { inRuntime } from './fixtures/clocks.ts';

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

test('every day from 1900 to 2200 has its date and weekday', () => {
  const wrong: string[] = [];
  for (let day = -25_567; day < 84_006; day++) {
    const date = new Date(day * 86_400_000);
    const text = date.toISOString().slice(0, 10);
    const isRight =
      formatDate(day) === text && parseDate(text) === day && weekdayIndex(day) === (date.getUTCDay() + 6) % 7;
    if (!isRight) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});

test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '26-04-01', '2026-4-1', ''])(
  '%j is not a date',
  (text) => {
    expect(parseDate(text)).toBeUndefined();
  },
);

test.each([
  ['00:00', 0],
  ['08:05', 485],
  ['23:59', 1439],
  ['24:00', 1440],
])('%s is minute %d', (text, minute) => {
  expect(parseMinute(text)).toBe(minute);
});

test.each([
  ['2030-01-07', 'Monday, 7 January'],
  ['2028-02-29', 'Tuesday, 29 February'],
  ['2026-12-31', 'Thursday, 31 December'],
])('%s is said as %s', (date, words) => {
  expect(sayDate(date)).toBe(words);
});

test.each([
  ['2026-03-02', '2026-03-02'],
  ['2026-03-08', '2026-03-02'],
  ['1970-01-01', '1969-12-29'],
])('the Monday of the week of %s is %s', (date, monday) => {
  expect(mondayOf(parseDate(date) ?? 0)).toBe(parseDate(monday));
});

const parsed = (text: string) => parseBusy([{ start: text, end: text }])[0];

test.each([
  '2026-03-29T10:00:00Z',
  '2026-03-29T10:00:00.000Z',
  '2026-03-29T10:00:00.123Z',
  '2026-03-29T10:00:00+02:00',
  '2026-03-29T10:00:00-03:30',
  '2028-02-29T23:59:59.5+05:45',
  '1999-12-31T23:59:59-11:00',
])('%s is read as Date.parse reads it', (text) => {
  expect(parsed(text)).toBe(Date.parse(text));
});

test('any instant is read as Date.parse reads it', () => {
  const instant = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(instant, (time) => {
      expect(parsed(new Date(time).toISOString())).toBe(time);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '',
  '2026-03-29',
  '2026-03-29T10:00:00',
  '2026-03-29T1a:00:00Z',
  '2026-13-29T10:00:00Z',
  '2026-03-29T10:00:00+2:00',
  'tomorrow at ten o’clock',
])('%j cannot be read', (text) => {
  expect(() => parsed(text)).toThrow('cannot be read');
});

test('a busy list is read whole or not at all', () => {
  const item = { start: '2026-03-29T10:00:00Z', end: '2026-03-29T11:00:00Z' };
  expect(parseBusy([item])).toEqual(new Float64Array([Date.parse(item.start), Date.parse(item.end)]));
  expect(() => parseBusy([item, { start: '2026-03-29', end: '2026-03-30' }])).toThrow('cannot be read');
});

const now = at('2026-05-05T02:00Z');

test.each([
  ['America/New_York', 14, { start: '2026-05-04', end: '2026-05-17', days: 14 }],
  ['UTC', 7, { start: '2026-05-05', end: '2026-05-11', days: 7 }],
  ['Pacific/Kiritimati', 90, { start: '2026-05-05', end: '2026-08-02', days: 90 }],
])('without a range in %s, today and the days after it, %d in all', (timeZone, windowDays, window) => {
  expect(searchWindow({ now, timeZone, windowDays })).toEqual({ ok: true, window });
});

test.each([
  ['both dates inclusive', '2026-05-06', '2026-05-08', { start: '2026-05-06', end: '2026-05-08', days: 3 }],
  ['one date', '2026-05-06', '2026-05-06', { start: '2026-05-06', end: '2026-05-06', days: 1 }],
  ['past days cut off', '2026-01-01', '2026-05-06', { start: '2026-05-04', end: '2026-05-06', days: 3 }],
  ['today, local', '2026-05-04', '2026-05-04', { start: '2026-05-04', end: '2026-05-04', days: 1 }],
  ['ninety days', '2026-06-01', '2026-08-29', { start: '2026-06-01', end: '2026-08-29', days: 90 }],
  ['a start alone', '2026-06-01', undefined, { start: '2026-06-01', end: '2026-06-14', days: 14 }],
  ['a past start alone', '2026-01-01', undefined, { start: '2026-05-04', end: '2026-05-17', days: 14 }],
  ['an end alone', undefined, '2026-05-06', { start: '2026-05-04', end: '2026-05-06', days: 3 }],
  ['neither', undefined, undefined, { start: '2026-05-04', end: '2026-05-17', days: 14 }],
  ['the last date', '2027-06-08', '2027-06-08', { start: '2027-06-08', end: '2027-06-08', days: 1 }],
  ['a start alone near the last date', '2027-06-06', undefined, { start: '2027-06-06', end: '2027-06-08', days: 3 }],
])('a range: %s', (_, startDate, endDate, window) => {
  const timeZone = 'America/New_York';
  expect(searchWindow({ now, timeZone, windowDays: 14, dateRange: { startDate, endDate } })).toEqual({
    ok: true,
    window,
  });
});

test.each([
  ['end before start', '2026-05-08', '2026-05-06', { problem: 'reversed', bound: 'end' }],
  ['an end past the last date', '2027-06-01', '2027-06-09', { problem: 'too_far', bound: 'end', latest: '2027-06-08' }],
  ['a start past it', '2027-06-09', undefined, { problem: 'too_far', bound: 'start', latest: '2027-06-08' }],
  ['ninety-one days', '2026-06-01', '2026-08-30', { problem: 'too_long', bound: 'end', days: 91 }],
  ['an end alone, ninety-one days on', undefined, '2026-08-02', { problem: 'too_long', bound: 'end', days: 91 }],
  ['an end alone in the past', undefined, '2026-05-03', { problem: 'past', bound: 'end', today: '2026-05-04' }],
  ['all in the past', '2026-05-01', '2026-05-03', { problem: 'past', bound: 'end', today: '2026-05-04' }],
  ['no such date', '2026-02-30', '2026-05-08', { problem: 'not_a_date', bound: 'start' }],
  ['a date-time', '2026-05-06', '2026-05-08T00:00:00Z', { problem: 'not_a_date', bound: 'end' }],
])('a range is refused: %s', (_, startDate, endDate, refused) => {
  const timeZone = 'America/New_York';
  expect(searchWindow({ now, timeZone, windowDays: 14, dateRange: { startDate, endDate } })).toEqual({
    ok: false,
    ...refused,
  });
});

test('preferences take the default of a search and its longest, and no day more', () => {
  const takes = (days: number) => PreferencesRequest.safeParse({ availability_window_days: days }).success;
  expect([DEFAULT_WINDOW_DAYS, LONGEST_DAYS, LONGEST_DAYS + 1].map(takes)).toEqual([true, true, false]);
});

test.each([
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ['Antarctica/Troll', '2026-03-29', 22],
  ['Antarctica/Troll', '2026-10-25', 26],
  ['America/Sao_Paulo', '2018-11-04', 23],
  ['America/Sao_Paulo', '2018-02-17', 25],
  ['Pacific/Apia', '2011-12-30', 0],
  ['Asia/Kolkata', '2026-03-29', 24],
])('in %s the date %s has %d hours', (timeZone, date, hours) => {
  const { start, end } = windowInterval(dates(date, date), timeZone);
  expect((end - start) / HOUR).toBe(hours);
  const free = freeIntervals(person({ timeZone, workHours: AROUND_THE_CLOCK }), dates(date, date), 15);
  expect(free).toEqual(hours === 0 ? [] : [{ start, end }]);
});

test('the zone of the process changes nothing', () => {
  const search = {
    requester: person({ timeZone: 'Pacific/Apia', workHours: AROUND_THE_CLOCK }),
    other: person({ email: 'bob@example.com', timeZone: 'America/Sao_Paulo', workHours: AROUND_THE_CLOCK }),
    durationMinutes: 30,
    window: dates('2026-03-27', '2026-03-30'),
    now: at('2026-03-26T00:00Z'),
  };
  const own = process.env.TZ;
  const answers = ['UTC', 'Pacific/Apia', 'America/Sao_Paulo'].map((zone) => {
    process.env.TZ = zone;
    return JSON.stringify(findSlots(search));
  });
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
  expect(new Set(answers).size).toBe(1);
});

/**
 * Zones whose rules changed in a release of the tz database that a runtime may lack, by release. The newest Node has
 * 2026c.
 */
const CHANGED: Record<string, string[]> = {
  '2026d': ['America/Inuvik'],
  '2026e': ['America/Rainy_River', 'America/Winnipeg', 'Canada/Central'],
  '2026f': ['America/Havana', 'Cuba'],
};

test('the table is what its generator makes of the package', () => {
  expect(makeTable(Number(keptTable().first.slice(0, 4)))).toEqual(keptTable());
});

test('the table has every zone of the newest release and of the runtime, from a year back to six years ahead', () => {
  expect(new Set(zoneNames())).toEqual(new Set(moment.tz.names()));
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => knownZone(zone) !== zone)).toEqual([]);
  const released = Date.parse(ZONES_RELEASE.date);
  expect(released - ZONES_KNOWN.start).toBeGreaterThan(365 * DAY);
  expect(ZONES_KNOWN.end - released).toBeGreaterThan(6 * 365 * DAY);
});

test('a release is old after 180 days', () => {
  const released = Date.parse(ZONES_RELEASE.date);
  expect([released + 180 * DAY, released + 180 * DAY + 1].map(areZonesOld)).toEqual([false, true]);
});

const asked = zoneNames().map((zone): [zone: string, instants: number[]] => [zone, instantsToTry(zone)]);
const kept = asked.map(([zone, instants]) => instants.map((at) => formatInZone(zone, at).slice(19)).join());

const differing = (offsets: string[]) => asked.flatMap(([zone], i) => (offsets[i] === kept[i] ? [] : [zone]));

test('offsets are the package’s at every transition of every zone', () => {
  expect(
    differing(asked.map(([zone, instants]) => instants.map((at) => moment.tz(at, zone).format('Z')).join())),
  ).toEqual([]);
});

test('Node has the same offset at every transition of every zone, but where its release of the database is older', () => {
  const newer = Object.entries(CHANGED).filter(([release]) => release > (process.versions.tz ?? ''));
  expect(new Set(differing(asked.map(inRuntime)))).toEqual(new Set(newer.flatMap(([, zones]) => zones)));
});

test('a Worker has the table’s offsets, whatever its runtime knows', async () => {
  const script = await bundleWorker(fileURLToPath(new URL('fixtures/clocks.ts', import.meta.url)));
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate: '2026-07-01' });
  try {
    const body = JSON.stringify(asked);
    const response = await miniflare.dispatchFetch('http://clocks.test', { method: 'POST', body });
    const { table, runtime } = (await response.json()) as { table: string[]; runtime: string[] };
    expect(differing(table)).toEqual([]);
    console.log(
      `The Worker's runtime differs from ${ZONES_RELEASE.name} in: ${differing(runtime).join(', ') || 'no zone'}.`,
    );
  } finally {
    await miniflare.dispose();
  }
});

/**
 * Returns the instants just before and at each change of a zone's offset, and one in each half month, so that another
 * rule shows too.
 */
function instantsToTry(zone: string): number[] {
  const { start, end } = ZONES_KNOWN;
  const changes = changesOf(moment.tz.zone(zone) ?? { untils: [], offsets: [] }, start, end).map(({ at }) => at);
  const halfMonths = Array.from({ length: (end - start) / (15 * DAY) }, (_, i) => start + i * 15 * DAY);
  return [...changes.flatMap((at) => [at - 1, at]), ...halfMonths, end - 1];
}
