import { fromZonedTime } from 'date-fns-tz';
import { formatDate, parseDate, WEEKDAYS, weekdayIndex } from '../../lib/engine/time/dates.ts';
import type { Weekday } from '../../lib/engine/types.ts';
import { cityOf } from '../../lib/words/people.ts';
import type { Who } from './story.ts';

/** The year in which the stories play. The table of public holidays must have it. */
export const YEAR = 2029;

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const SHORT = WEEKDAYS.map((day) => day.charAt(0).toUpperCase() + day.slice(1, 3));
const DATE = '([A-Z][a-z]{2}) (\\d+) ([A-Z][a-z]{2})';
const CLOCK = '(\\d+:\\d\\d)';

/** Converts a date such as "Tue 9 Jan" to YYYY-MM-DD. Throws if the weekday is another. */
export function dateOf(text: string): string {
  const [, weekday = '', day = '', month = ''] = new RegExp(`^${DATE}$`).exec(text) ?? [];
  const date = `${YEAR}-${two(MONTHS.indexOf(month) + 1)}-${two(Number(day))}`;
  const known = parseDate(date);
  if (known === undefined || SHORT[weekdayIndex(known)] !== weekday) throw new Error(`There is no ${text} in ${YEAR}.`);
  return date;
}

/** Converts a time such as "Tue 9 Jan 10:00" on a zone's clock to an instant. */
export function instantOf(text: string, zone: string): number {
  const at = text.lastIndexOf(' ');
  return fromZonedTime(`${dateOf(text.slice(0, at))}T${clockOf(text.slice(at + 1))}:00`, zone).getTime();
}

/** Returns the spans of a person's busy time as instants in ISO 8601. */
export function busyOf({ zone, busy = [] }: Who): [start: string, end: string][] {
  return busy.flatMap((text) => {
    const [, first = '', last = ''] = /^(.*\d) to (.*)$/.exec(text) ?? [];
    if (first !== '') return [[iso(instantOf(first, zone)), iso(instantOf(last, zone))] as [string, string]];
    const [, from = '', , , , to = from, start = '', end = ''] =
      new RegExp(`^(${DATE})(?: - (${DATE.replaceAll('(', '(?:')}))? ${CLOCK}-${CLOCK}$`).exec(text) ?? [];
    return workdays(dateOf(from), dateOf(to)).map((date): [string, string] => [
      iso(fromZonedTime(`${date}T${clockOf(start)}:00`, zone).getTime()),
      iso(fromZonedTime(`${date}T${clockOf(end)}:00`, zone).getTime()),
    ]);
  });
}

/** Returns a person's preferences as `PUT /v1/user/preferences` takes them. Undefined if they have set none. */
export function preferencesOf({ hours, focus = [], says, energy, mostMeetingsADay }: Who) {
  const set = {
    ...(hours && { work_hours: Object.fromEntries(WEEKDAYS.map((day) => [day, hoursOn(day, hours)])) }),
    ...(focus.length > 0 && { focus_blocks: focus.flatMap(blocksOf) }),
    ...(says && { scheduling_context: says }),
    ...(energy && { energy_pattern: energy }),
    ...(mostMeetingsADay && { max_meetings_per_day: mostMeetingsADay }),
  };
  return Object.keys(set).length === 0 ? undefined : set;
}

/** Describes a person's calendar and rules in one line: "Ada Adams, Berlin 8:00-18:00; busy Tue 9 Jan 9:00-10:00". */
export function lineOf({ name, zone, hours = '8:00-18:00', ...rules }: Who): string {
  const { busy = [], focus = [], says, energy, mostMeetingsADay, isAbsent = false } = rules;
  return [
    isAbsent ? `${name}, ${cityOf(zone)}; no calendar connected` : `${name}, ${cityOf(zone)} ${hours}`,
    ...(busy.length > 0 ? [`busy ${busy.join(', ')}`] : []),
    ...(focus.length > 0 ? [`focus time ${focus.join(', ')}`] : []),
    ...(says ? [`says “${says}”`] : []),
    ...(energy ? [energy.replace('_', ' ')] : []),
    ...(mostMeetingsADay ? [`takes ${mostMeetingsADay} a day`] : []),
  ].join('; ');
}

function hoursOn(day: Weekday, hours: string) {
  const span = hours
    .split(', ')
    .map(spanOf)
    .find(({ days }) => days.includes(day));
  return span === undefined ? { enabled: false } : { enabled: true, start: span.start, end: span.end };
}

const blocksOf = (text: string) => {
  const { days, start, end } = spanOf(text);
  return days.map((day) => ({ day: day.charAt(0).toUpperCase() + day.slice(1), start, end }));
};

/** Reads "Mon-Fri 9:00-17:00", "Sun-Thu 9:00-17:00", "Wed 9:00-17:00" and "9:00-17:00". */
function spanOf(text: string) {
  const [, first = 'Mon', last, start = '', end = ''] =
    new RegExp(`^(?:([A-Z][a-z]{2})(?:-([A-Z][a-z]{2}))? )?${CLOCK}-${CLOCK}$`).exec(text) ?? [];
  const from = SHORT.indexOf(first);
  const to = last === undefined ? (text.startsWith(first) ? from : SHORT.indexOf('Fri')) : SHORT.indexOf(last);
  const isIn = (day: number) => (from <= to ? from <= day && day <= to : day >= from || day <= to);
  return { days: WEEKDAYS.filter((_, day) => isIn(day)), start: clockOf(start), end: clockOf(end) };
}

function workdays(first: string, last: string): string[] {
  const [from = 0, to = 0] = [parseDate(first), parseDate(last)];
  const days = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return days.filter((day) => from === to || weekdayIndex(day) < 5).map(formatDate);
}

const iso = (instant: number) => new Date(instant).toISOString();
const clockOf = (clock: string) => clock.padStart(5, '0');
const two = (value: number) => String(value).padStart(2, '0');
