import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import moment from 'moment-timezone';
import { expect, test } from 'vitest';
import { formatInZone, knownZone } from '../../../../lib/engine/time/zone.ts';
import { areZonesOld, ZONES_KNOWN, ZONES_RELEASE, zoneNames } from '../../../../lib/engine/time/zone-table.ts';
import { bundleWorker } from '../../../local/bundle.ts';
import { changesOf, keptTable, makeTable } from '../../../zones/table.ts';
import { inRuntime } from './fixtures/clocks.ts';

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
