import { formatInTimeZone } from 'date-fns-tz';
import { nameOf } from '../scheduling/title.ts';

/** Somebody a sentence speaks of. */
export interface Party {
  email: string;
  timeZone: string;
}

/** What each of two people is called: in full at first, then as short as still tells them apart. */
export interface Names {
  full(email: string): string;
  short(email: string): string;
}

/** Names from addresses: the first name where the two differ in it, else the whole name, else the address. */
export function namesOf([a, b]: readonly [Party, Party]): Names {
  const firstWord = (email: string) => nameOf(email).split(' ')[0] ?? email;
  const differ = (name: (email: string) => string) => name(a.email).toLowerCase() !== name(b.email).toLowerCase();
  const asIs = (email: string) => email;
  const full = differ(nameOf) ? nameOf : asIs;
  return { full, short: differ(firstWord) ? firstWord : full };
}

/** "Tuesday, 8 December" on the zone's calendar. */
export const dateIn = (instant: number, timeZone: string) => formatInTimeZone(instant, timeZone, 'EEEE, d MMMM');
/** "14:30" on the zone's clocks. */
export const clockIn = (instant: number, timeZone: string) => formatInTimeZone(instant, timeZone, 'HH:mm');

/** "Buenos Aires time" for America/Argentina/Buenos_Aires, "UTC" for UTC and its like. */
export function zoneName(timeZone: string): string {
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  return /^(?:UTC|GMT|UCT|Zulu|Universal|[A-Z]{3,4}|GMT.*)$/.test(city) || timeZone.startsWith('Etc/')
    ? city
    : `${city} time`;
}

/** "Tuesday, 8 December at 10:00 for Ada (Berlin time) and 18:00 for Bob (Tokyo time)"; a date of the other's own is named. */
export function whenForBoth(start: number, [a, b]: readonly [Party, Party], names: Names): string {
  const [date, otherDate] = [dateIn(start, a.timeZone), dateIn(start, b.timeZone)];
  const [clock, otherClock] = [clockIn(start, a.timeZone), clockIn(start, b.timeZone)];
  if (date === otherDate && clock === otherClock) {
    const zone = a.timeZone === b.timeZone ? ` (${zoneName(a.timeZone)})` : '';
    return `${date} at ${clock} for both ${names.full(a.email)} and ${names.full(b.email)}${zone}`;
  }
  const forOther = otherDate === date ? otherClock : `${otherDate} at ${otherClock}`;
  return `${date} at ${clock} for ${names.full(a.email)} (${zoneName(a.timeZone)}) and ${forOther} for ${names.full(b.email)} (${zoneName(b.timeZone)})`;
}

/** "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/** Whole clauses in a row; where one has a comma or an "and" of its own, the last comes after a comma. */
export function listedClauses(clauses: readonly string[]): string {
  const all = listed(clauses);
  const [last = ''] = clauses.slice(-1);
  const isPlain = clauses.length < 2 || clauses.every((clause) => !/,| and /.test(clause));
  return isPlain ? all : `${clauses.slice(0, -1).join(', ')}, and ${last}`;
}

/** "15 minutes", "an hour", "3 hours", "a day", "2 days". */
export function lasting(minutes: number): string {
  if (minutes < 60 || minutes % 60 !== 0) return `${minutes} minutes`;
  const hours = minutes / 60;
  if (hours % 24 === 0) return hours === 24 ? 'a day' : `${hours / 24} days`;
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
