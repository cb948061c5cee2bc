import { mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import { type Calendar, monthStart } from './calendar.ts';
import { AMOUNT, amountOf, days, type Found, type Reader, words } from './mentions.ts';
import { nextMonth, PART } from './months.ts';
import { dateOf, MONTH, monthOf } from './which-date.ts';

/** Returns the Monday of next week. If the meeting is already in next week, returns the Monday after that. */
function nextWeek({ today, oldDay }: Calendar): number {
  const monday = mondayOf(today) + 7;
  return mondayOf(oldDay) === monday ? monday + 7 : monday;
}

/**
 * Returns the days of a part of a week, such as "early" or "end of", in the week that begins on the given Monday. Any
 * other part means the whole week.
 */
function partOf(monday: number, part: string): Found {
  if (/early|beginning|start|first|front/.test(part)) return days(monday, monday + 1);
  if (/mid/.test(part)) return days(monday + 1, monday + 3);
  if (/end|late|latter|second|half/.test(part)) return days(monday + 3, monday + 4);
  return days(monday, monday + 6);
}

/**
 * Returns the days that "later in the week" means. If the meeting lies in that week, they run from the day after the
 * meeting to Sunday. Otherwise they begin tomorrow in the current week, and on Wednesday in any other week.
 */
function laterIn({ today, oldDay }: Calendar, monday: number): Found {
  if (mondayOf(oldDay) === monday) return days(Math.min(oldDay + 1, monday + 6), monday + 6);
  return mondayOf(today) === monday ? days(today + 1, monday + 6) : days(monday + 2, monday + 6);
}

const UNIT = '(days?|weeks?|fortnights?|months?)';
const daysIn = (unit: string) =>
  unit.startsWith('week') ? 7 : unit.startsWith('fortnight') ? 14 : unit.startsWith('month') ? 28 : 1;

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

/**
 * The patterns, with their readers, that find weeks, months, holidays, and days counted from the meeting or from today.
 */
export const WEEK_READERS: Reader[] = [
  {
    pattern: words('(?:within|inside) (?:a|one|the) (week|fortnight|month)'),
    read: ([, unit = ''], { today }) => days(today, today + daysIn(unit)),
  },
  {
    pattern: words('(?:by )?(?:a|one) (day|week) or (?:two|so)'),
    read: ([, unit = '']) => ({ mention: { kind: 'amount', days: daysIn(unit), minutes: 0 } }),
  },
  {
    pattern: words(
      `(?:the )?week (?:of|starting|beginning|commencing)(?: on)?(?: the)? (\\d{1,2})(?: ?(?:st|nd|rd|th))?(?: (?:of )?${MONTH})?`,
    ),
    read: ([, date, month], calendar) => {
      const found = dateOf(calendar, Number(date), month === undefined ? undefined : monthOf(month));
      return found?.mention.kind === 'days' ? partOf(mondayOf(found.mention.first), '') : undefined;
    },
  },
  {
    pattern: words(
      `(?:the )?(first|second|third|fourth|last) (?:(?:full|whole|proper|working) )?week (?:of|in) (?:the )?(?:${MONTH}|(?:the )?(next|this) month|(?:the )?new year)`,
    ),
    read: ([text, which, month, near], { today }) => {
      const first = near
        ? monthStart(today, near === 'next' ? 1 : 0)
        : nextMonth(today, month === undefined ? 1 : monthOf(month));
      if (which === 'last') return days(mondayOf(monthStart(first, 1) - 1), monthStart(first, 1) - 1);
      const monday =
        mondayOf(first + (weekdayIndex(first) > 3 ? 7 : 0)) +
        7 * ['first', 'second', 'third', 'fourth'].indexOf(which ?? '');
      return text === '' ? undefined : days(Math.max(first, monday), monday + 6);
    },
  },
  {
    pattern: words('(?:in |over |within |during )?(?:the )?(?:next|coming) (couple of|two|2|three|3|few) (days|weeks)'),
    read: ([, amount = '', unit], { today }) => days(today, today + amountOf(amount) * (unit === 'weeks' ? 7 : 1)),
  },
  {
    pattern: words(
      'this side of (?:the )?weekend|(?:before|by) (?:the )?(?:week is (?:out|over|up)|end of (?:the|this) week|weekend|week end)',
    ),
    read: (_, { today, oldDay }) => days(today, mondayOf(oldDay) + 4),
  },
  { pattern: words('(?:the )?(?:one|week) after next'), read: (_, { today }) => partOf(mondayOf(today) + 14, '') },
  {
    pattern: words('later (?:on )?(?:in )?(this|next|the same|that same|the|that) week'),
    read: ([, which], calendar) => {
      const { today, oldDay } = calendar;
      if (which === 'next') return laterIn(calendar, mondayOf(today) + 7);
      return laterIn(calendar, mondayOf(which === 'this' ? today : oldDay));
    },
  },
  {
    pattern: words('earlier (?:on )?(?:in )?(?:this|the same|that same|the|that) week'),
    read: (_, { today, oldDay }) => {
      const first = Math.max(today, mondayOf(oldDay));
      return first < oldDay ? days(first, oldDay - 1) : undefined;
    },
  },
  {
    pattern: words(
      '(?:on )?(?:any|some|an|another|a)?(?: other| different)? (?:day|time|morning|afternoon) (?:in |during )?next week',
    ),
    read: ([text], { today, oldDay }) => {
      const monday = mondayOf(today) + 7;
      return /other|different/.test(text) && mondayOf(oldDay) === monday ? { ...partOf(monday, '') } : undefined;
    },
  },
  {
    pattern: words(
      '(?:(?:one|either|any|both) of )?(?:the )?(first|last) (two|three|couple of|few) (?:working |work |business )?days (?:of|in) (next|this|the|that|the following) week',
    ),
    read: ([, which, amount = '', week], { today, oldDay }) => {
      const monday =
        week === 'next'
          ? mondayOf(today) + 7
          : mondayOf(week === 'this' ? today : oldDay) + (/following/.test(week ?? '') ? 7 : 0);
      const count = amountOf(amount);
      return which === 'first' ? days(monday, monday + count - 1) : days(monday + 5 - count, monday + 4);
    },
  },
  {
    pattern: words(`${PART}next week`),
    read: ([, part = ''], calendar) => partOf(nextWeek(calendar), part),
  },
  {
    pattern: words(`${PART}(?:the )?(?:following week|week after)`),
    read: ([, part = ''], { oldDay }) => partOf(mondayOf(oldDay) + 7, part),
  },
  {
    pattern: words(`${PART}(?:this week|(?<=of )the week|(?<=in )the week)`),
    read: ([text, part = ''], { today, oldDay }) => {
      const { mention } = partOf(mondayOf(text.includes('this') ? today : oldDay), part);
      if (mention.kind !== 'days' || mention.last < today) return undefined;
      return days(Math.max(today, mention.first), mention.last);
    },
  },
  {
    pattern: words('(all|the whole|the entire|(?:the )?rest of the|(?:the )?rest of this) week'),
    read: ([, which = ''], { today, oldDay }) => {
      const monday = mondayOf(which.includes('rest') ? today : Math.max(today, oldDay));
      return days(Math.max(today, monday), monday + 6);
    },
  },
  {
    pattern: words('(?:the |this )?end of (?:(?:the|this) )?week'),
    read: (_, { oldDay }) => partOf(mondayOf(oldDay), 'end'),
  },
  {
    pattern: words('mid (?:- )?week|midweek'),
    read: (_, { today, oldDay }) => {
      const monday = mondayOf(oldDay) + 3 < today ? mondayOf(today) + 7 : mondayOf(oldDay);
      return days(Math.max(today, monday + 1), monday + 3);
    },
  },
  {
    pattern: words('(?:the |this |that |coming )weekend|weekend(?= (?:works|is|would|suits))'),
    read: (_, { oldDay }) => days(mondayOf(oldDay) + 5, mondayOf(oldDay) + 6),
  },
  {
    pattern: words('next weekend'),
    read: (_, { today }) => days(mondayOf(today) + 12, mondayOf(today) + 13),
  },
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
    pattern: words(`in (${AMOUNT}) ${UNIT}(?: time)?`),
    read: ([, amount = '', unit = ''], { today }) => {
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
  {
    pattern: words('(?:at |on )?(?:a|some|any) later (?:date|day)'),
    read: (_, { oldDay }) => days(oldDay + 1, oldDay + 1, 'from'),
  },
  {
    pattern: words('(?:at |on )?(?:an|some|any) earlier (?:date|day)'),
    read: (_, { oldDay }) => days(oldDay - 1, oldDay - 1, 'by'),
  },
];
