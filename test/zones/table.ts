import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import moment from 'moment-timezone';
import { MINUTE } from '../../lib/engine/time/dates.ts';

/** Years of the table: from last year on, so that it always reaches a year back and six years ahead. */
const YEARS = 8;
/** Most zones that an abbreviation stands for in the table, those with the largest cities first. */
const MOST_MEANT = 4;

/** Abbreviations that people write, with zones that the tz database calls otherwise or by no abbreviation at all. */
const ALSO_MEANT: Record<string, string[]> = {
  ART: ['America/Argentina/Buenos_Aires'],
  AST: ['Asia/Riyadh'],
  BRT: ['America/Sao_Paulo'],
  BST: ['Asia/Dhaka', 'Pacific/Bougainville'],
  ET: ['America/New_York'],
  CT: ['America/Chicago'],
  MT: ['America/Denver'],
  PT: ['America/Los_Angeles'],
  GST: ['Asia/Dubai'],
  ICT: ['Asia/Bangkok'],
  MYT: ['Asia/Kuala_Lumpur'],
  NPT: ['Asia/Kathmandu'],
  SGT: ['Asia/Singapore'],
  TRT: ['Europe/Istanbul'],
};

const require = createRequire(import.meta.url);
const packed = require('moment-timezone/data/packed/latest.json') as { links: string[] };
const LINKS = new Set(packed.links.map((link) => link.split('|')[1]));
const CITIES = new Set(moment.tz.countries().flatMap((country) => moment.tz.zonesForCountry(country)));

export const KEPT = new URL('../../lib/engine/time/zone-table.json', import.meta.url);

export const keptTable = () => JSON.parse(readFileSync(KEPT, 'utf8')) as ReturnType<typeof makeTable>;

/** The package's zone, with its largest city's people. The package's types leave it out. */
type Zone = NonNullable<ReturnType<typeof moment.tz.zone>> & { population?: number };

/**
 * Makes the table of time zones from last year on. `lib/engine/time/zone-table.ts` reads it and says how it is written.
 */
export function makeTable(firstYear: number) {
  const [first, end] = [Date.UTC(firstYear, 0), Date.UTC(firstYear + YEARS, 0)];
  const zones = moment.tz.names().map((name) => moment.tz.zone(name) as Zone);
  const alike = Map.groupBy(zones, (zone) => writeOffsets(zone, first, end));
  return {
    release: moment.tz.dataVersion,
    released: releaseDate(moment.tz.dataVersion),
    first: `${firstYear}-01-01`,
    last: `${firstYear + YEARS - 1}-12-31`,
    zones: [...alike].map(([offsets, same]) => ` ${same.map(({ name }) => name).join(' ')} ${offsets}`).join('|'),
    abbreviations: writeAbbreviations([...alike.values()], first, end),
  };
}

/** Returns the changes of a zone's offset after `from` and before `to`, as the package has them. */
export function changesOf({ untils, offsets }: Pick<Zone, 'untils' | 'offsets'>, from: number, to: number) {
  return untils.flatMap((at, i) => {
    const isChange = at !== null && from < at && at < to && offsets[i] !== offsets[i + 1];
    return isChange ? [{ at, before: minutesOf(offsets[i]), after: minutesOf(offsets[i + 1]) }] : [];
  });
}

/** Converts the package's offset, which counts westwards, to minutes after UTC. */
const minutesOf = (offset = Number.NaN) => 0 - offset;

function writeOffsets(zone: Zone, from: number, to: number): string {
  let last = from;
  const changes = changesOf(zone, from, to).map(({ at, after }) => {
    const text = `${quarters(after)}:${quarters((at - last) / MINUTE)}`;
    last = at;
    return text;
  });
  return [quarters(minutesOf(zone.utcOffset(from))), ...changes].join(',');
}

function quarters(minutes: number): string {
  if (!Number.isInteger(minutes / 15)) throw new Error(`${minutes} minutes are not whole quarters of an hour.`);
  return (minutes / 15).toString(36);
}

/** Writes each abbreviation with a zone for every clock that it stands for, the one with the most people. */
function writeAbbreviations(clocks: Zone[][], from: number, to: number): string {
  const meant = new Map<string, Zone[]>();
  for (const clock of clocks) {
    const best = new Map<string, Zone>();
    for (const zone of clock.filter(({ name }) => CITIES.has(name)).sort(byPeople))
      for (const short of shortNames(zone, from, to)) if (!best.has(short)) best.set(short, zone);
    for (const [short, zone] of best) meant.set(short, [...(meant.get(short) ?? []), zone]);
  }
  const names = new Map([...meant].map(([short, own]) => [short, own.sort(byPeople).map(({ name }) => name)]));
  for (const [short, others] of Object.entries(ALSO_MEANT))
    names.set(short, [...(names.get(short) ?? []).slice(0, MOST_MEANT - others.length), ...others]);
  return [...names]
    .sort()
    .filter(([short]) => moment.tz.zone(short) === null)
    .map(([short, own]) => [short, ...own.slice(0, MOST_MEANT)].join(' '))
    .join('|');
}

/** Orders zones by the people of their largest city, and zones with the same clocks as it after it. */
const byPeople = (a: Zone, b: Zone) =>
  (b.population ?? 0) - (a.population ?? 0) || Number(LINKS.has(a.name)) - Number(LINKS.has(b.name));

/** Returns the abbreviations in letters that a zone's clocks have at some time of the table. */
const shortNames = ({ untils, abbrs }: Zone, from: number, to: number) =>
  abbrs.filter((short, i) => {
    const [since, until] = [untils[i - 1] ?? Number.NEGATIVE_INFINITY, untils[i] ?? Number.POSITIVE_INFINITY];
    return since < to && until > from && /^[A-Z]/.test(short);
  });

/** Returns the date on which the package had a release of the tz database first, which its list of changes says. */
function releaseDate(release: string): string {
  const changes = readFileSync(require.resolve(`moment-timezone/${'changelog'}.md`), 'utf8');
  const entry = changes.split('\n### ').findLast((text) => text.includes(`TZDB \`${release}\``));
  const date = /_(\d{4}-\d\d-\d\d)_/.exec(entry ?? '')?.[1];
  if (date === undefined) throw new Error(`The package's list of changes has no date for ${release}.`);
  return date;
}
