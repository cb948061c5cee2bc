import type { SlotFacts } from '../engine/rank/slot-facts.ts';
import { DAY, daysFromCivil, formatDate, HOUR, sayDate } from '../engine/time/dates.ts';
import { localDate, localDay, offsetAt } from '../engine/time/zone.ts';
import { holidayName } from './holiday-name.ts';
import { say } from './patterns.ts';
import { listed, type Names, placeOf } from './people.ts';

/**
 * Returns for each offered time what its sentence adds about the whole answer: the first one the public holidays among
 * the dates but for those in `told`, which its sentence names already, and the first one between two clock changes how far apart the clocks are then.
 */
export function notesAbout(offered: readonly SlotFacts[], names: Names, told: ReadonlySet<string>): string[][] {
  const holidays = holidayNotes(offered, names, told);
  const clocks = offered.map(clockNote);
  const unusual = clocks.findIndex((note) => note !== undefined);
  return offered.map((_, i) => [...(i === 0 ? holidays : []), ...(i === unusual ? [clocks[i] ?? ''] : [])]);
}

/**
 * Says which public holidays took a working day out of the answer: those on the dates searched, from the day before the
 * first date offered to the day after the last one.
 */
function holidayNotes(offered: readonly SlotFacts[], names: Names, told: ReadonlySet<string>): string[] {
  const [facts] = offered;
  if (facts === undefined) return [];
  const offeredDays = offered.map(({ start, people: [{ timeZone }] }) => localDay(timeZone, start));
  const [from, to] = [formatDate(Math.min(...offeredDays) - 1), formatDate(Math.max(...offeredDays) + 1)];
  const all = facts.people
    .flatMap(({ email, holidays }) => holidays.map((holiday) => ({ ...holiday, email })))
    .filter(({ date }) => date >= from && date <= to && !told.has(date));
  const days = [...Map.groupBy(all, ({ date }) => date)].sort(([one], [other]) => (one < other ? -1 : 1));
  const notes = days.map(([date, own]) => {
    const [{ name, email } = { name: '', email: '' }, ...others] = own;
    const isOneName = others.every((other) => other.name === name);
    return {
      day: sayDate(date),
      holiday: isOneName ? holidayName(name) : say('holiday.unnamed'),
      who: others.length > 0 ? 'both' : names.short(email),
    };
  });
  return [...Map.groupBy(notes, ({ who }) => who)].map(([who, own]) => {
    const [only, ...others] = own;
    return only !== undefined && others.length === 0
      ? say('not.holiday', only)
      : say('note.days_off', { holidays: listed(own.map((one) => say('note.holiday', one))), who });
  });
}

/**
 * Says how far apart two clocks are, if they are as far apart in winter as in summer, and the change of one of them has
 * come between: "New York is then 5 hours behind Berlin, not 6".
 */
function clockNote({ start, people: [one, two] }: SlotFacts): string | undefined {
  if (two.isClockUnknown) return undefined;
  const apart = (at: number) => (offsetAt(two.timeZone, at) - offsetAt(one.timeZone, at)) / HOUR;
  const year = Number(localDate('UTC', start).slice(0, 4));
  const [winter = 0, summer = 0] = [1, 7].map((month) => apart(daysFromCivil(year, month, 15) * DAY));
  const now = apart(start);
  if (winter !== summer || now === winter || now * winter <= 0) return undefined;
  return say('note.clocks', {
    city: placeOf(two.timeZone),
    hours: Math.abs(now) === 1 ? '1 hour' : `${hoursOf(now)} hours`,
    side: now < 0 ? 'behind' : 'ahead of',
    otherCity: placeOf(one.timeZone),
    usual: hoursOf(winter),
  });
}

/** Formats a number of hours without its sign: "5", "2½". */
const hoursOf = (hours: number) =>
  String(Math.abs(hours))
    .replace(/^0?\.5$/, '½')
    .replace('.5', '½');
