import { parseDate } from '../time/dates.ts';
import type { Holidays } from '../types.ts';
import table from './holiday-table.json' with { type: 'json' };

// The table is text, so that a Worker starts without parsing it.
// - `names`: the names of holidays, separated by "|".
// - `places`: for each country its holidays. For each region, the holidays that it has besides its country's, and with a
//   minus those that it does not have. Where a holiday stands for the first time, it is written as the index of its name
//   in `names`, ":", and its dates in the form that `datesOf` reads. No index stands before ":" if the name is the next
//   one that no holiday had before. Everywhere else a holiday is a number, which counts these first times from 0.
// - `zones`: for each place the time zones whose people have that place's holidays by default.
// All numbers are in base 36.

const NO_HOLIDAYS: Holidays = new Map();

export const HOLIDAYS_OFF = 'off';

const FIRST_DAY = parseDate(table.first) ?? 0;
const [FIRST_YEAR, LAST_YEAR] = [Number(table.first.slice(0, 4)), Number(table.last.slice(0, 4))];

/** `npm run holidays:generate` extends the table. */
export const HOLIDAYS_KNOWN_UNTIL = table.last;

const read = new Map<string, Holidays>();

/** People in a zone without a country, such as UTC, or whose country has no known holidays, get `off`. */
export const holidayPlaceOf = (timeZone: string): string =>
  lineWith(table.zones, timeZone, ' ')?.split(' ')[0] ?? HOLIDAYS_OFF;

/** Takes any letter case. Returns undefined for a place without known holidays. */
export function spellHolidayPlace(place: string): string | undefined {
  const given = place.toLowerCase();
  return given === HOLIDAYS_OFF ? HOLIDAYS_OFF : lineWith(table.places, given, '|')?.split(' ')[0];
}

export const holidayPlaces = (): string[] => table.places.split('|').flatMap((line) => line.split(' ')[0] ?? []);

/** Returns a country's or region's public holidays. `off` and a place without known holidays have none. */
export function holidaysIn(place: string): Holidays {
  const kept = read.get(place);
  if (kept !== undefined) return kept;
  tables ??= parsed();
  const { written, numbers } = tables;
  const own = numbers.get(place);
  if (own === undefined) return NO_HOLIDAYS;
  const national = place.includes('-') ? (numbers.get(place.split('-')[0] ?? '') ?? []) : [];
  const all = [
    ...national.filter((number) => !own.includes(`-${number}`)),
    ...own.filter((number) => !number.startsWith('-')),
  ];
  const days = all.flatMap((number) => {
    const { name = '', dates = '' } = written[Number.parseInt(number, 36)] ?? {};
    return datesOf(dates).map((day): [number, string] => [day, name]);
  });
  const holidays = new Map(days.sort(([a], [b]) => a - b));
  read.set(place, holidays);
  return holidays;
}

let tables: ReturnType<typeof parsed> | undefined;

/** The table is parsed when a holiday is first looked up. */
function parsed() {
  const names = table.names.split('|');
  const written: { name: string; dates: string }[] = [];
  let named = 0;
  const numberOf = (word: string): string => {
    const colon = word.indexOf(':');
    if (colon < 0) return word;
    const index = colon > 0 ? Number.parseInt(word.slice(0, colon), 36) : named;
    named = Math.max(named, index + 1);
    return (written.push({ name: names[index] ?? '', dates: word.slice(colon + 1) }) - 1).toString(36);
  };
  const numbers = new Map(
    table.places.split('|').map((line) => {
      const [place = '', ...words] = line.split(' ');
      return [place, words.map(numberOf)];
    }),
  );
  return { written, numbers };
}

/** Before ";" stand month and day of every year, and after it days from the table's first, in three digits. */
function datesOf(dates: string): number[] {
  const [yearly = '', others = ''] = dates.split(';');
  const days = (others.match(/.{3}/g) ?? []).map((digits) => FIRST_DAY + Number.parseInt(digits, 36));
  for (const date of yearly === '' ? [] : yearly.split(','))
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year++)
      days.push(parseDate(`${year}-${date.slice(0, 2)}-${date.slice(2)}`) ?? 0);
  return days;
}

/** `before` is the character before the word: "|" if the word must be the first of its line. Case does not matter. */
function lineWith(list: string, word: string, before: ' ' | '|'): string | undefined {
  if (!/^[\w+/-]+$/.test(word)) return undefined;
  const found = new RegExp(`${before === '|' ? '(?:^|\\|)' : ' '}${word.replaceAll('+', '\\+')}(?=[ |]|$)`, 'i').exec(
    list,
  );
  if (found === null) return undefined;
  const start = list.lastIndexOf('|', found.index + found[0].length - word.length - 1) + 1;
  const end = list.indexOf('|', found.index + found[0].length);
  return list.slice(start, end < 0 ? list.length : end);
}
