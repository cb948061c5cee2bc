import type { SlotFacts } from '../engine/rank/slot-facts.ts';
import { DAY, daysFromCivil, formatDate, HOUR, parseDate, sayDate } from '../engine/time/dates.ts';
import { localDate, localDay, offsetAt } from '../engine/time/zone.ts';
import { isToldBySeason } from './costs.ts';
import { holidayName } from './holiday-name.ts';
import { say } from './patterns.ts';
import { listed, type Names, placeOf } from './people.ts';

/**
 * Returns for each offered time what its sentence adds about the whole answer. The time nearest to a public holiday
 * among the dates names it, unless the holiday's date is in `told`, because a sentence names it already. The first time
 * between two clock changes says how far apart the clocks are then.
 */
export function notesAbout(offered: readonly SlotFacts[], names: Names, told: ReadonlySet<string>): string[][] {
  const holidays = holidayNotes(offered, names, told);
  const clocks = offered.map(clockNote);
  const unusual = clocks.findIndex((note) => note !== undefined);
  return offered.map((_, i) => [...(holidays[i] ?? []), ...(i === unusual ? [clocks[i] ?? ''] : [])]);
}

/**
 * Says which public holidays took a working day out of the answer: those on the dates searched, from the day before the
 * first date offered to the day after the last one. The sentence of the nearest time names each. Of two times that are
 * equally near, it is the later one, because the gap in the dates comes before it.
 */
function holidayNotes(offered: readonly SlotFacts[], names: Names, told: ReadonlySet<string>): string[][] {
  const [facts] = offered;
  if (facts === undefined) return [];
  const offeredDays = offered.map(({ start, people: [{ timeZone }] }) => localDay(timeZone, start));
  const [from, to] = [formatDate(Math.min(...offeredDays) - 1), formatDate(Math.max(...offeredDays) + 1)];
  const all = facts.people
    .flatMap(({ email, holidays }) => holidays.map((holiday) => ({ ...holiday, email })))
    .filter(({ date }) => date >= from && date <= to && !told.has(date) && !isToldBySeason(date, offered));
  const days = [...Map.groupBy(all, ({ date }) => date)].sort(([one], [other]) => (one < other ? -1 : 1));
  const notes = days.map(([date, own]) => {
    const [{ name, email } = { name: '', email: '' }, ...others] = own;
    const isOneName = others.every((other) => other.name === name);
    return {
      day: sayDate(date),
      holiday: isOneName ? holidayName(name) : say('holiday.unnamed'),
      who: others.length > 0 ? 'both' : names.short(email),
      place: nearestTo(parseDate(date) ?? 0, offeredDays),
    };
  });
  return offered.map((_, i) => noted(notes.filter(({ place }) => place === i)));
}

/** Returns the place of the date nearest to a day, and of two equally near dates the later one's. */
function nearestTo(day: number, dates: readonly number[]): number {
  const away = (date: number) => 2 * Math.abs(date - day) - Number(date > day);
  return dates.indexOf(dates.toSorted((one, other) => away(one) - away(other))[0] ?? day);
}

/** Says holidays in one note for each person who has some, and in one for those of both. */
function noted(notes: readonly { day: string; holiday: string; who: string }[]): string[] {
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
