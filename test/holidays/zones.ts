import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Folder of the time zone database. Debian's package tzdata has the two files read here. */
const TZDATA = '/usr/share/zoneinfo';

const linesOf = (file: string): string[] => readFileSync(`${TZDATA}/${file}`, 'utf8').split('\n');

/** Returns the release of the time zone database, such as 2025b. */
export const tzdataVersion = (): string => linesOf('tzdata.zi')[0]?.replace('# version ', '') ?? '';

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
export function placesOfZones(countries: readonly string[]): Map<string, string> {
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

/** Returns the regions that the package places in each zone. */
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
