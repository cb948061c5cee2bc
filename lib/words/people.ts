import { sayDate, twoDigits, WEEKDAYS, weekdayIndex } from '../engine/time/dates.ts';
import { formatInZone, localDate, localDay, offsetAt } from '../engine/time/zone.ts';
import type { Interval } from '../engine/types.ts';
import { say } from './patterns.ts';
import { nameOf, PARTICLE } from './title.ts';

export interface Party {
  email: string;
  timeZone: string;
  /** True for a guest whose zone is unknown, so that only the other person's clock is told, with its place. */
  isClockUnknown?: boolean | undefined;
}

/** `full` is for the first mention. `short` is the shortest name that still tells the two apart. */
export interface Names {
  full(email: string): string;
  short(email: string): string;
}

/** A given name ends before these too, as before a particle. */
const BETWEEN = /^(?:ben|st|.)$/i;

/**
 * Returns the given name, "Ada" of ada.adams@example.com, "Jan" of jan.de.vries@example.com. Of three names in a row, such as
 * tan.wei.ling or hui.min.tan, nobody can tell which are given, so all are returned.
 */
function givenName(email: string): string {
  const whole = nameOf(email);
  const words = whole.split(' ').filter((word) => !/\d/.test(word));
  const end = words.findIndex((word, i) => i > 0 && (PARTICLE.test(word) || BETWEEN.test(word)));
  if (end > 0) return words.slice(0, end).join(' ');
  return words.length > 2 ? whole : (words[0] ?? whole);
}

/** The short name is the given name if the two differ, else the whole name, else the address. */
export function namesOf([a, b]: readonly [Pick<Party, 'email'>, Pick<Party, 'email'>]): Names {
  const differ = (name: (email: string) => string) => name(a.email).toLowerCase() !== name(b.email).toLowerCase();
  const asIs = (email: string) => email;
  const full = differ(nameOf) ? nameOf : asIs;
  const short = differ(givenName) ? givenName : full;
  // A sentence asks for the two short names many times.
  const known = new Map([a, b].map(({ email }) => [email, short(email)]));
  return { full, short: (email) => known.get(email) ?? short(email) };
}

/** Formats an instant's date in a time zone: "Tuesday, 8 December". */
export const dateIn = (instant: number, timeZone: string) => sayDate(localDate(timeZone, instant));
/** Formats an instant's clock time in a time zone: "9:30". */
export const clockIn = (instant: number, timeZone: string) => clockOf(formatInZone(timeZone, instant).slice(11, 16));
/** Formats an instant's weekday in a time zone: "Tuesday". */
export const weekdayIn = (instant: number, timeZone: string) =>
  capitalized(WEEKDAYS[weekdayIndex(localDay(timeZone, instant))] ?? '');
export const clockOf = (time: string) => time.replace(/^0(?=\d)/, '');

/** Formats minutes since midnight as sentences write a clock time: "9:30". */
export const clockOfMinutes = (minutes: number) => `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}`;

/** Returns the city or place in a time zone's name: "New York". */
export const cityOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

/** Returns the name of a time zone without a city: "UTC" for its aliases, "UTC+2" for Etc/GMT-2. */
function offsetName(timeZone: string): string | undefined {
  const name = cityOf(timeZone);
  const [, sign, hours] = /^GMT([+-])?(\d+)$/.exec(name) ?? [];
  // The tz database counts hours west of Greenwich as positive in these names.
  if (timeZone.startsWith('Etc/') && sign !== undefined && hours !== '0')
    return `UTC${sign === '-' ? '+' : '-'}${hours}`;
  if (/^(?:UTC|GMT|UCT|Zulu|Universal|Greenwich|GMT[+-]?0)$/.test(name)) return 'UTC';
  return /^[A-Z]{3,4}$|\d/.test(name) ? name : undefined;
}

/** Formats an instant's clock time with the place where clocks show it: "9:30 in New York", "9:30 UTC". */
export const clockAndPlace = (instant: number, timeZone: string): string =>
  withPlace(clockIn(instant, timeZone), timeZone);

export function withPlace(clock: string, timeZone: string): string {
  const zone = offsetName(timeZone);
  return zone === undefined
    ? say('time.clock_in', { clock, city: cityOf(timeZone) })
    : say('time.clock_utc', { clock, zone });
}

/** "9:00 to 9:30 in Berlin on Tuesday, 8 December", with UTC offsets if the clocks change meanwhile. */
export function spanIn(timeZone: string, { start, end }: Interval): string {
  const day = dateIn(start, timeZone);
  return say('time.span', { day, ...clocksOf(timeZone, { start, end }) });
}

/** Formats a meeting's time on one clock without its date: "9:00 to 9:30 in Berlin". */
export const clocksIn = (timeZone: string, meeting: Interval): string =>
  say('time.clocks', clocksOf(timeZone, meeting));

function clocksOf(timeZone: string, { start, end }: Interval) {
  const [from, to] = [formatInZone(timeZone, start), formatInZone(timeZone, end)];
  const isChanging = from.slice(19) !== to.slice(19);
  const clock = (instant: number, local: string) => {
    const time = clockIn(instant, timeZone);
    return isChanging ? say('time.clock_offset', { clock: time, offset: local.slice(19) }) : time;
  };
  return { from: clock(start, from), to: withPlace(clock(end, to), timeZone) };
}

/** "Tuesday, 8 December at 10:00 in Berlin, 9:00 in London". One clock is enough if both show the same. */
export function whenForBoth(start: number, [a, b]: readonly [Party, Party]): string {
  const onDay = (timeZone: string, clock: string) => say('time.one_clock', { day: dateIn(start, timeZone), clock });
  if (haveOneClock(start, [a, b]))
    return onDay(a.timeZone, (b.isClockUnknown ? clockAndPlace : clockIn)(start, a.timeZone));
  const isSameDate = localDate(a.timeZone, start) === localDate(b.timeZone, start);
  return say('pair', {
    first: onDay(a.timeZone, clockAndPlace(start, a.timeZone)),
    second: isSameDate ? clockAndPlace(start, b.timeZone) : clockOnItsDay(start, b.timeZone),
  });
}

/** Formats a clock time with its weekday and its place: "7:30 on Tuesday in Singapore", "7:30 UTC on Tuesday". */
function clockOnItsDay(instant: number, timeZone: string): string {
  const onDay = (clock: string) => say('time.other_day', { clock, weekday: weekdayIn(instant, timeZone) });
  return offsetName(timeZone) === undefined
    ? withPlace(onDay(clockIn(instant, timeZone)), timeZone)
    : onDay(clockAndPlace(instant, timeZone));
}

export const haveOneClock = (start: number, [a, b]: readonly [Party, Party]): boolean =>
  offsetAt(a.timeZone, start) === offsetAt(b.timeZone, start);

/** Joins words into a list: "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/** Joins clauses with subjects of their own into one sentence: "a is b, and c is d". */
export const listedClauses = (clauses: readonly string[]): string =>
  clauses.length < 2 ? listed(clauses) : `${clauses.slice(0, -1).join(', ')}, and ${clauses.at(-1)}`;

/** Formats a duration in words: "15 minutes", "an hour", "3 hours", "a day", "2 days". */
export function lasting(minutes: number): string {
  if (minutes < 60 || minutes % 60 !== 0) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const hours = minutes / 60;
  if (hours % 24 === 0) return hours === 24 ? 'a day' : `${hours / 24} days`;
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

/** Formats a distance in days: "a day later", "2 days earlier". */
export const farWords = (days: number): string =>
  `${Math.abs(days) === 1 ? 'a day' : `${Math.abs(days)} days`} ${days < 0 ? 'earlier' : 'later'}`;

/** Formats a duration to stand before "notice": "a day's", "2 hours'". */
export const ofNotice = (minutes: number): string => `${lasting(minutes)}'s`.replace("s's", "s'");

/** "half an hour", "an hour", "an hour and a half", "2½ hours", "2 hours 15 minutes". */
export function stretch(minutes: number): string {
  if (minutes === 30) return 'half an hour';
  if (minutes === 90) return 'an hour and a half';
  if (minutes < 60 || minutes % 60 === 0) return lasting(minutes);
  if (minutes % 60 === 30) return `${Math.floor(minutes / 60)}½ hours`;
  return `${lasting(minutes - (minutes % 60)).replace('an hour', '1 hour')} ${minutes % 60} minutes`;
}

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Quotes words of a person for a sentence: “Thursday afternoon”, “not before 10”. */
export const quotedWords = (...words: readonly string[]): string =>
  words.map((one) => say('quoted', { words: one })).join(', ');
