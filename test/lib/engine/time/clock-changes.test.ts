import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import moment from 'moment-timezone';
import { expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { weigh } from '../../../../lib/engine/rank/merit.ts';
import { slotAt } from '../../../../lib/engine/rank/slot.ts';
import { candidateStarts } from '../../../../lib/engine/rules/candidates.ts';
import { freeIntervals } from '../../../../lib/engine/rules/free-time.ts';
import { windowInterval } from '../../../../lib/engine/time/window.ts';
import { formatInZone, knownZone } from '../../../../lib/engine/time/zone.ts';
import { areZonesOld, ZONES_KNOWN, ZONES_RELEASE, zoneNames } from '../../../../lib/engine/time/zone-table.ts';
import { bundleWorker } from '../../../local/bundle.ts';
import { changesOf, keptTable, makeTable } from '../../../zones/table.ts';
import { AROUND_THE_CLOCK, at, dates, everyDay, person } from '../people.ts';
import { inRuntime } from './fixtures/clocks.ts';

const HOUR = 3_600_000;

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

test.each([
  ['a gap: 02:30 does not exist in New York', 'America/New_York', '2026-03-08', ['02:00', '03:00'], []],
  [
    'a gap inside the hours joins its sides',
    'America/New_York',
    '2026-03-08',
    ['01:30', '03:30'],
    [['2026-03-08T01:30:00-05:00', '2026-03-08T03:30:00-04:00']],
  ],
  [
    'a fold: 01:30 comes twice in New York',
    'America/New_York',
    '2026-11-01',
    ['01:30', '02:00'],
    [
      ['2026-11-01T01:30:00-04:00', '2026-11-01T01:00:00-05:00'],
      ['2026-11-01T01:30:00-05:00', '2026-11-01T02:00:00-05:00'],
    ],
  ],
  [
    'a half-hour fold on Lord Howe',
    'Australia/Lord_Howe',
    '2026-04-05',
    ['01:30', '02:00'],
    [['2026-04-05T01:30:00+11:00', '2026-04-05T02:00:00+10:30']],
  ],
  ['a half-hour gap on Lord Howe', 'Australia/Lord_Howe', '2026-10-04', ['02:00', '02:30'], []],
  [
    'a gap at midnight in São Paulo',
    'America/Sao_Paulo',
    '2018-11-04',
    ['00:00', '02:00'],
    [['2018-11-04T01:00:00-02:00', '2018-11-04T02:00:00-02:00']],
  ],
  [
    'a fold at midnight in São Paulo',
    'America/Sao_Paulo',
    '2018-02-17',
    ['23:00', '24:00'],
    [['2018-02-17T23:00:00-02:00', '2018-02-18T00:00:00-03:00']],
  ],
  ['a date that Samoa skipped', 'Pacific/Apia', '2011-12-30', ['00:00', '24:00'], []],
] as const)('%s', (_, timeZone, date, [start, end], expected) => {
  const free = freeIntervals(person({ timeZone, workHours: everyDay(start, end) }), dates(date, date), 15);
  const local = free.map((interval) => [formatInZone(timeZone, interval.start), formatInZone(timeZone, interval.end)]);
  expect(local).toEqual(expected);
});

test.each([
  ['Asia/Kolkata', 'Asia/Kathmandu', '2026-05-04T08:00:00+05:30', '2026-05-04T08:15:00+05:45'],
  ['Pacific/Kiritimati', 'Pacific/Pago_Pago', '2026-05-04T09:00:00+14:00', '2026-05-03T08:00:00-11:00'],
  ['Pacific/Apia', 'Pacific/Pago_Pago', '2026-05-04T08:00:00+13:00', '2026-05-03T08:00:00-11:00'],
  ['Pacific/Chatham', 'Pacific/Auckland', '2026-05-04T08:45:00+12:45', '2026-05-04T08:00:00+12:00'],
])('the first common time of %s and %s is given in both', (zone, otherZone, startTime, otherStartTime) => {
  const search = {
    requester: person({ timeZone: zone, workHours: everyDay('08:00', '18:00') }),
    other: person({ email: 'bob@example.com', timeZone: otherZone, workHours: everyDay('08:00', '18:00') }),
    durationMinutes: 30,
    window: dates('2026-05-04', '2026-05-04'),
    now: at('2026-04-01T00:00Z'),
  };
  const [start = 0] = candidateStarts(search);
  expect(slotAt(search, weigh(search, [start]), 0).attendees).toEqual([
    { email: 'ada@example.com', startTime, timezone: zone },
    { email: 'bob@example.com', startTime: otherStartTime, timezone: otherZone },
  ]);
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

const DAY = 86_400_000;

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

/** Returns the zones for which the given offsets, one text a zone, are not those of the table. */
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
