import type { TimeFacts } from '../engine/rank/time-facts.ts';
import { DAY, daysFromCivil, HOUR, parseDate, sayDate, weekdayIndex } from '../engine/time/dates.ts';
import { localDay, offsetAt } from '../engine/time/zone.ts';
import { holidayOn } from './holiday-name.ts';
import { say } from './patterns.ts';
import { type Names, placeOf } from './people.ts';

const FRIDAY = 4;

/**
 * Returns for each offered time at most one note about the whole answer, which the first sentence that it suits has: how
 * far apart the clocks are between their changes, or which public holiday took a working day out of the dates.
 */
export function notesAbout(offered: readonly TimeFacts[], names: Names): (string | undefined)[] {
  const notes = offered.map((): string | undefined => undefined);
  const clocks = offered.map(clockNote);
  const unusual = clocks.findIndex((note) => note !== undefined);
  if (unusual >= 0) notes[unusual] = clocks[unusual];
  if (offered[0]?.people.some(({ holidays }) => holidays.length > 0))
    for (const { place, note } of holidayNotes(offered, names)) notes[place] ??= note;
  return notes;
}

/** Notes stand beside the later date, or the only one. A bridge day names the holiday already. */
function holidayNotes(offered: readonly TimeFacts[], names: Names): { place: number; note: string }[] {
  const people = offered[0]?.people ?? [];
  const days = offered.map(({ start, people: [{ timeZone }] }) => localDay(timeZone, start));
  const isBridged = (date: string) =>
    offered.some((one) => one.people.some(({ bridge, season }) => season === 'eve' || bridge?.holiday.date === date));
  const all = people.flatMap(({ email, holidays }) =>
    holidays.map((holiday) => ({ ...holiday, day: parseDate(holiday.date) ?? 0, email })),
  );
  const isWeekend = (day: number) => weekdayIndex(day) > FRIDAY;
  return [...Map.groupBy(all, ({ day }) => day)].flatMap(([day, [own, other]]) => {
    let [last, next] = [day - 1, day + 1];
    while (isWeekend(last)) last--;
    while (isWeekend(next)) next++;
    const place = days.includes(next) ? days.indexOf(next) : days.indexOf(last);
    if (own === undefined || place < 0 || isBridged(own.date)) return [];
    const isOneName = other === undefined || other.name === own.name;
    return {
      place,
      note: say('not.holiday', {
        day: sayDate(own.date),
        holiday: isOneName ? holidayOn(own.name) : say('holiday.unnamed'),
        who: other === undefined ? names.short(own.email) : say('both'),
      }),
    };
  });
}

/** "New York is then 5 hours behind Berlin, not 6", if they are as far apart in winter as in summer. */
function clockNote({ start, people: [one, two] }: TimeFacts): string | undefined {
  if (two.isClockUnknown) return undefined;
  const apart = (at: number) => (offsetAt(two.timeZone, at) - offsetAt(one.timeZone, at)) / HOUR;
  const year = new Date(start).getUTCFullYear();
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
