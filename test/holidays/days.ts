import Holidays from 'date-holidays';
import { DAY, HOUR } from '../../lib/engine/time/dates.ts';
import { ENGLISH_NAMES, WITHOUT_BOXING_DAY } from './english-names.ts';
import { ownDaysOff, withMoon } from './own-days.ts';

/** The hour at which a holiday must be under way to make its date a day off. */
const MORNING = 9 * HOUR;

/**
 * Holidays on which banks and offices of the state are closed and most people work: in the United States, 16 % and 20 % of
 * employers close on the two (SHRM's survey of holiday schedules for 2015).
 */
const WORKED: Record<string, string[]> = {
  AU: ['Bank Holiday'],
  IE: ['Good Friday'],
  US: ['Columbus Day', 'Veterans Day'],
};

/** Countries that write it so in English. */
const LABOUR = ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'ZA'];

const all = new Holidays();

/** Returns the ISO codes of the countries that the package knows. */
export const listCountries = (): string[] => Object.keys(all.getCountries()).sort();

/** Returns the codes of a country's regions, such as DE-BY. */
export const listRegions = (country: string): string[] =>
  Object.keys(all.getStates(country) ?? {})
    .map((region) => `${country}-${region}`)
    .sort();

/**
 * Returns a country's or region's days off in the given years, as names by date YYYY-MM-DD. These are the public
 * holidays, and the bank holidays, on which banks and offices are closed. A holiday that begins at midday or later, such
 * as Christmas Eve in Germany, is no day off. One that begins at sunset counts on the date after. Names are
 * English, and a day off in place of a holiday is called observed.
 */
export function daysOff(place: string, years: readonly number[]): Map<string, string> {
  const [country = '', ...region] = place.split('-');
  const packaged = daysOfPackage(country, region.join('-'), years);
  const own = ownDaysOff(country, years);
  if (own === undefined) return inOrder(packaged);
  const national = region.length === 0 ? packaged : daysOfPackage(country, '', years);
  return inOrder([...own, ...[...packaged].filter(([date]) => !national.has(date) && !own.has(date))]);
}

const inOrder = (days: Iterable<[string, string]>): Map<string, string> =>
  new Map(
    [...days].map(([date, name]): [string, string] => [date, withMoon(name)]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function daysOfPackage(country: string, region: string, years: readonly number[]): Map<string, string> {
  const holidays = new Holidays(country, region);
  const found = new Map<string, string>();
  const [first = 0] = years;
  // The year before can have a holiday that lasts into the first year.
  for (const year of [first - 1, ...years])
    for (const { date, start, end, name, type, rule } of holidays.getHolidays(year, 'en')) {
      if (!/^(?:public|bank)$/.test(type) || WORKED[country]?.some((worked) => name.startsWith(worked))) continue;
      const given = englishName(name, rule, holidays);
      const spelled = LABOUR.includes(country) ? given.replace('Labor Day', 'Labour Day') : given;
      const english = WITHOUT_BOXING_DAY.has(country) ? spelled.replace('Boxing Day', 'Second Christmas Day') : spelled;
      const begins = wallTime(date);
      const ends = begins + (end.getTime() - start.getTime());
      for (let day = Math.floor(begins / DAY) * DAY; day < ends; day += DAY) {
        const text = new Date(day).toISOString().slice(0, 10);
        const isDayOff = begins <= day + MORNING && day + MORNING < ends && years.includes(Number(text.slice(0, 4)));
        if (isDayOff && !found.has(text)) found.set(text, english);
      }
    }
  return found;
}

/** The package's rules with their names by language. Its types leave them out. */
interface Named {
  holidays: Record<string, { name?: string | Record<string, string> }>;
}

/** Returns the name in English, with "(observed)" for a day off in place of a holiday. Throws if no English name is known. */
function englishName(name: string, rule: string, holidays: Holidays): string {
  const [, base = name, substitute = ''] = /^(.*?)( \(substitute(?: day|s)\))?$/.exec(name) ?? [];
  const names = (holidays as unknown as Named).holidays[rule]?.name;
  const isLocal = typeof names === 'object' && names.en === undefined;
  const english = ENGLISH_NAMES[base] ?? (isLocal ? undefined : base);
  if (english === undefined) throw new Error(`${base} needs an English name in english-names.ts.`);
  return substitute === '' ? english : `${english} (observed)`;
}

/**
 * Reads the package's date, whose time is the place's own, as if it were UTC. "2026-03-20 00:00:00 -0600" begins six
 * hours before that date.
 */
function wallTime(date: string): number {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: ([+-]\d\d)00)?$/.exec(date);
  if (!match) throw new Error(`The package writes a date in another way than expected: ${date}`);
  return Date.parse(`${match[1]}T${match[2]}Z`) + Number(match[3] ?? 0) * HOUR;
}
