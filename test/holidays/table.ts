import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DAY } from '../../lib/engine/time/dates.ts';
import { daysOff, listCountries, listRegions } from './days.ts';

/** Folder of the time zone database. Debian's package tzdata has the two files read here. */
const TZDATA = '/usr/share/zoneinfo';

const linesOf = (file: string): string[] => readFileSync(`${TZDATA}/${file}`, 'utf8').split('\n');

/** Returns the release of the time zone database, such as 2025b. */
const tzdataVersion = (): string => linesOf('tzdata.zi')[0]?.replace('# version ', '') ?? '';

/**
 * Regions of cities whose zones are shared by several regions. Australia, the United Kingdom and Canada leave holidays
 * that nearly everybody has, such as Canada's Thanksgiving, to their regions. People in such a zone get those of its
 * city.
 */
const BY_CITY = {
  'Australia/Sydney': 'AU-NSW',
  'Europe/London': 'GB-ENG',
  'America/Edmonton': 'CA-AB',
  'America/Fort_Nelson': 'CA-BC',
  'America/Glace_Bay': 'CA-NS',
  'America/Moncton': 'CA-NB',
  'America/Montreal': 'CA-QC',
  'America/Nipigon': 'CA-ON',
  'America/Toronto': 'CA-ON',
  'America/Winnipeg': 'CA-MB',
};

/** Names of clocks that several countries share. The tz database makes each a link to one city. */
const OF_NO_COUNTRY = 'CET CST6CDT EET EST EST5EDT HST MET MST MST7MDT PST8PDT WET'.split(' ');

/** Countries whose regions' own holidays bind few employers, so that a zone stands for the country. */
const NATIONAL = ['US'];

/**
 * Returns the country or region of each zone name, aliases included. A zone stands for a region if it belongs to that
 * region alone. A zone without a country, such as UTC or EST, is left out.
 */
function placesOfZones(countries: readonly string[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const line of linesOf('zone.tab')) {
    const [country = '', , zone = ''] = line.split('\t');
    if (countries.includes(country)) known.set(zone, country);
  }
  for (const [zone, regions] of regionsByZone()) {
    const [region = '', ...others] = regions;
    const country = known.get(zone) ?? region.split('-')[0];
    if (others.length === 0 && region.startsWith(`${country}-`)) known.set(zone, region);
  }
  for (const [zone, region] of Object.entries(BY_CITY)) known.set(zone, region);
  return withAliases(known);
}

/** Adds the aliases of zones, such as Asia/Calcutta. */
function withAliases(known: ReadonlyMap<string, string>): Map<string, string> {
  const canonical = new Map([...known].map(([zone, place]) => [canonicalOf(zone), place]));
  const places = new Map(known);
  for (const line of linesOf('tzdata.zi')) {
    const [kind, first = '', second = ''] = line.split(' ');
    const zone = kind === 'L' ? second : first;
    if ((kind !== 'L' && kind !== 'Z') || OF_NO_COUNTRY.includes(zone)) continue;
    const place = known.get(first) ?? canonical.get(canonicalOf(zone));
    if (!places.has(zone) && place !== undefined) places.set(zone, place);
  }
  return places;
}

interface Country {
  states?: Record<string, { zones?: string[] }>;
}

function regionsByZone(): Map<string, string[]> {
  const regions = new Map<string, string[]>();
  const { data } = createRequire(import.meta.url)('date-holidays/data') as {
    data: { holidays: Record<string, Country> };
  };
  for (const [country, { states = {} }] of Object.entries(data.holidays)) {
    if (NATIONAL.includes(country)) continue;
    for (const [region, { zones = [] }] of Object.entries(states))
      for (const zone of zones) regions.set(zone, [...(regions.get(zone) ?? []), `${country}-${region}`]);
  }
  return regions;
}

/** Returns the name that this runtime uses for a zone and its aliases, or the name itself if it knows no such zone. */
function canonicalOf(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

const YEARS = 4;

export const KEPT = new URL('../../lib/engine/rules/holiday-table.json', import.meta.url);

export const keptTable = () => JSON.parse(readFileSync(KEPT, 'utf8')) as ReturnType<typeof makeTable>;

/**
 * Makes the table of public holidays for four years. `lib/engine/rules/holiday-table.ts` reads it and says how it is
 * written.
 */
export function makeTable(firstYear: number) {
  const years = Array.from({ length: YEARS }, (_, i) => firstYear + i);
  const countries = listCountries();
  const names = new Numbered();
  const holidays = new Numbered();
  /** Returns the holidays of a place: those that no place before it has in full, and the others as numbers. */
  const holidaysOf = (place: string) => {
    const dates = new Map<string, string[]>();
    for (const [date, name] of daysOff(place, years)) dates.set(name, [...(dates.get(name) ?? []), date]);
    return [...dates].map(([name, own]) => {
      const { number: index, isNew } = names.of(name);
      const written = writeDates(own.sort(), years);
      const holiday = holidays.of(`${name}:${written}`);
      return { ...holiday, text: holiday.isNew ? `${isNew ? '' : index}:${written}` : holiday.number };
    });
  };
  const places = countries.flatMap((country) => {
    const national = holidaysOf(country);
    const has = (those: typeof national, number: string) => those.some((one) => one.number === number);
    const regional = listRegions(country).map((region) => {
      const own = holidaysOf(region);
      const added = own.filter(({ number }) => !has(national, number)).map(({ text }) => text);
      const missing = national.filter(({ number }) => !has(own, number)).map(({ number }) => `-${number}`);
      return [region, ...added, ...missing].join(' ');
    });
    return [[country, ...national.map(({ text }) => text)].join(' '), ...regional];
  });
  return {
    source: sourceText(),
    first: `${firstYear}-01-01`,
    last: `${firstYear + YEARS - 1}-12-31`,
    names: names.all.join('|'),
    places: places.join('|'),
    zones: writeZones(placesOfZones(countries)),
  };
}

/** Texts numbered in the order in which they first appear, in base 36. */
class Numbered {
  readonly all: string[] = [];
  #numbers = new Map<string, string>();

  /** Returns a text's number, and whether it appears for the first time. */
  of(text: string): { number: string; isNew: boolean } {
    const known = this.#numbers.get(text);
    if (known !== undefined) return { number: known, isNew: false };
    const number = this.all.length.toString(36);
    this.#numbers.set(text, number);
    this.all.push(text);
    return { number, isNew: true };
  }
}

/**
 * Writes dates: those of every year as month and day, then ";" and every other date as three digits in base 36, which
 * count days from the table's first.
 */
function writeDates(dates: readonly string[], years: readonly number[]): string {
  const isYearly = (date: string) => years.every((year) => dates.includes(`${year}${date.slice(4)}`));
  const yearly = [...new Set(dates.filter(isYearly).map((date) => date.slice(5).replace('-', '')))];
  const others = dates.filter((date) => !isYearly(date)).map((date) => dayText(date, years[0] ?? 0));
  return `${yearly.join(',')}${others.length === 0 ? '' : `;${others.join('')}`}`;
}

const dayText = (date: string, firstYear: number): string =>
  ((Date.parse(date) - Date.UTC(firstYear, 0)) / DAY).toString(36).padStart(3, '0');

function writeZones(places: ReadonlyMap<string, string>): string {
  const zones = new Map<string, string[]>();
  for (const [zone, place] of [...places].sort()) zones.set(place, [...(zones.get(place) ?? []), zone]);
  return [...zones]
    .sort()
    .map(([place, own]) => [place, ...own].join(' '))
    .join('|');
}

/** Returns the notice that the licence of the data asks for: author, title, links, the licence, and what was changed. */
function sourceText(): string {
  const require = createRequire(import.meta.url);
  const { version } = require('date-holidays/package.json') as { version: string };
  return [
    `Adapted from the data of date-holidays ${version} (https://github.com/commenthol/date-holidays) by commenthol and`,
    'contributors, which rests on the Wikipedia articles listed in its LICENSE and is licensed under CC BY-SA 3.0',
    '(https://creativecommons.org/licenses/by-sa/3.0/). Changes: only the public and bank holidays of four years, with the',
    'rules worked out to dates, and the days of thirteen countries from holidays 0.102',
    '(https://github.com/vacanza/holidays, MIT). This table is licensed under CC BY-SA 3.0 too.',
    `Zones from tzdata ${tzdataVersion()}: public domain.`,
  ].join(' ');
}
