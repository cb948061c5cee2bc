import { mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import type { Calendar } from './calendar.ts';
import { AMOUNT, amountOf, days, type Found, type Reader, words } from './mentions.ts';
import { daysIn, partOf, UNIT } from './weeks.ts';

/**
 * Returns the meeting's day moved by an amount such as "two weeks", forward for `way` 1 and back for -1. Returns
 * undefined if that day has passed.
 */
function shifted({ today, oldDay }: Calendar, amount: string, unit: string, way: number): Found | undefined {
  const day = oldDay + way * Math.round(amountOf(amount) * daysIn(unit));
  return day < today ? undefined : workDay(day, way);
}

/**
 * Returns a work day as it is. A day on a weekend becomes a span from that day to the next Monday for `way` 1, or from
 * the Friday before to that day for -1, because few people mean to meet on a weekend.
 */
function workDay(day: number, way = 1): Found {
  const weekday = weekdayIndex(day);
  if (weekday < 5) return days(day);
  return way > 0 ? days(day, day + 7 - weekday) : days(day - weekday + 4, day);
}

/** Returns the days between two amounts from a day, such as "two or three days later". */
function spread(day: number, from: string, to: string, unit: string): Found | undefined {
  const [first, last] = [amountOf(from), amountOf(to)].map((amount) => day + amount * daysIn(unit));
  if (first === undefined || last === undefined || first >= last) return undefined;
  const end = workDay(last).mention;
  return days(first, end.kind === 'days' ? end.last : last);
}

/** Returns the day that lies a number of working days after another. */
function workingDays(day: number, count: number): number {
  let at = day;
  for (let left = count; left > 0; left -= weekdayIndex(at) < 5 ? 1 : 0) at++;
  return at;
}

/** The patterns, with their readers, that find days counted from the meeting or from today: "two weeks later". */
export const DAY_AMOUNT_READERS: Reader[] = [
  {
    pattern: words(
      `(?:in |by )?(${AMOUNT}) (?:working|business|work|week) days?(?: is)?( time| from now| later| after| further on| further along)?`,
    ),
    read: ([text, amount = '', when = ''], { today, oldDay }) => {
      if (text.startsWith('in ') || when === ' from now') return days(workingDays(today, amountOf(amount)));
      return /later|after|further/.test(when)
        ? days(workingDays(oldDay, amountOf(amount)))
        : { mention: { kind: 'unclear' } };
    },
  },
  {
    pattern: words(`in (${AMOUNT}) (?:or|to|-|—) (${AMOUNT}) ${UNIT}(?: time)?`),
    read: ([, from = '', to = '', unit = ''], { today }) => spread(today, from, to, unit),
  },
  {
    pattern: words(`(?:by )?(${AMOUNT}) (?:or|to|-|—) (${AMOUNT}) ${UNIT} (?:later|after(?: that)?)`),
    read: ([, from = '', to = '', unit = ''], { oldDay }) => spread(oldDay, from, to, unit),
  },
  {
    pattern: words(
      '(?<!(?:same|that|the|this|any|every|each|my|of|a) )(day|week|fortnight|month) (later|earlier|sooner)',
    ),
    read: ([, unit = '', way], calendar) => shifted(calendar, 'one', unit, way === 'later' ? 1 : -1),
  },
  {
    pattern: words(`in (${AMOUNT}) ${UNIT}(?: time)?|(${AMOUNT}) ${UNIT} hence`),
    read: ([, a, one, b, other], { today }) => {
      const [amount, unit] = [a ?? b ?? '', one ?? other ?? ''];
      const day = today + Math.round(amountOf(amount) * daysIn(unit));
      return unit.startsWith('day') ? workDay(day) : partOf(mondayOf(day), '');
    },
  },
  {
    pattern: words(`(${AMOUNT}) ${UNIT} (?:from (?:now|today))`),
    read: ([, amount = '', unit = ''], { today }) => workDay(today + Math.round(amountOf(amount) * daysIn(unit))),
  },
  {
    pattern: words(
      `(?<!(?:pick|choose|find|suggest|offer|name|any|some|on) )(?:by )?(${AMOUNT}) ${UNIT} (?:later|after(?: that)?|further on|further along)`,
    ),
    read: ([, amount = '', unit = ''], calendar) => shifted(calendar, amount, unit, 1),
  },
  {
    pattern: words(`(?:by )?(${AMOUNT}) ${UNIT} (?:earlier|sooner|before)`),
    read: ([, amount = '', unit = ''], calendar) => shifted(calendar, amount, unit, -1),
  },
  {
    pattern: words(`(?:by |out |back )?(${AMOUNT})(?: more)? ${UNIT}`),
    read: ([, amount = '', unit = '']) => ({
      mention: { kind: 'amount', days: Math.round(amountOf(amount) * daysIn(unit)), minutes: 0 },
    }),
  },
];
