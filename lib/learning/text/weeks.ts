import { type Calendar, civilOf, mondayOf, monthStart } from './calendar.ts';
import { dateOf, MONTH, monthOf } from './days.ts';
import { AMOUNT, amountOf, days, type Found, type Reader, words } from './mentions.ts';

/** The week after the asker's, or after the meeting's when that is next week already. */
function nextWeek({ today, oldDay }: Calendar): number {
  const monday = mondayOf(today) + 7;
  return mondayOf(oldDay) === monday ? monday + 7 : monday;
}

/** The part of a week that begins on a Monday. */
function partOf(monday: number, part: string): Found {
  if (/early|beginning|start/.test(part)) return days(monday, monday + 1);
  if (/mid/.test(part)) return days(monday + 1, monday + 3);
  if (/end|late/.test(part)) return days(monday + 3, monday + 4);
  return days(monday, monday + 6);
}

/** From the day after the meeting, when it lies in that week, to its Sunday. */
function laterIn({ today, oldDay }: Calendar, monday: number): Found {
  if (mondayOf(oldDay) === monday) return days(Math.min(oldDay + 1, monday + 6), monday + 6);
  return mondayOf(today) === monday ? days(today + 1, monday + 6) : days(monday + 2, monday + 6);
}

const PART =
  '(?:(?:at |towards )?(?:the )?(early|beginning of|start of|mid(?: -)?|middle of|(?:very )?end of|late)(?: in)? )?';
const UNIT = '(days?|weeks?|fortnights?|months?)';
const daysIn = (unit: string) =>
  unit.startsWith('week') ? 7 : unit.startsWith('fortnight') ? 14 : unit.startsWith('month') ? 28 : 1;

/** A span of days from the meeting's; a wider one for what is said loosely. */
function shifted({ today, oldDay }: Calendar, amount: string, unit: string, way: number): Found | undefined {
  const day = oldDay + way * Math.round(amountOf(amount) * daysIn(unit));
  return day < today ? undefined : days(day);
}

/** Weeks, months, holidays, and days counted from the meeting or from today. */
export const WEEK_READERS: Reader[] = [
  {
    pattern: words(
      `(?:the )?week (?:of|starting|beginning|commencing)(?: on)?(?: the)? (\\d{1,2})(?: ?(?:st|nd|rd|th))?(?: (?:of )?${MONTH})?`,
    ),
    read: ([, date, month], calendar) => {
      const found = dateOf(calendar, Number(date), month === undefined ? undefined : monthOf(month));
      return found?.mention.kind === 'days' ? partOf(mondayOf(found.mention.first), '') : undefined;
    },
  },
  { pattern: words('(?:the )?week after next'), read: (_, { today }) => partOf(mondayOf(today) + 14, '') },
  {
    pattern: words('later (?:on )?(?:in )?(this|next|the|that) week'),
    read: ([, which], calendar) => {
      const { today, oldDay } = calendar;
      if (which === 'next') return laterIn(calendar, mondayOf(today) + 7);
      return laterIn(calendar, mondayOf(which === 'this' ? today : oldDay));
    },
  },
  {
    pattern: words('earlier (?:in )?(?:this|the|that) week'),
    read: (_, { today, oldDay }) => {
      const first = Math.max(today, mondayOf(oldDay));
      return first < oldDay ? days(first, oldDay - 1) : undefined;
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
    pattern: words('(?:the )?end of (?:the|this) month'),
    read: (_, { oldDay }) => days(monthStart(oldDay, 1) - 4, monthStart(oldDay, 1) - 1),
  },
  {
    pattern: words('later (?:this|in the) month'),
    read: (_, { oldDay }) =>
      oldDay + 1 < monthStart(oldDay, 1) ? days(oldDay + 1, monthStart(oldDay, 1) - 1) : undefined,
  },
  {
    pattern: words(`${PART}next month`),
    read: ([, part = ''], { today, oldDay }) => {
      const isNextAlready = monthStart(oldDay, 0) === monthStart(today, 1);
      const first = monthStart(today, isNextAlready ? 2 : 1);
      const last = monthStart(first, 1) - 1;
      if (/early|beginning|start/.test(part)) return days(first, first + 9);
      if (/mid/.test(part)) return days(first + 10, first + 19);
      return /end|late/.test(part) ? days(last - 9, last) : days(first, last);
    },
  },
  {
    pattern: words(`(?:in )?(early |late |mid (?:- )?)?${MONTH}`),
    read: ([text, part = '', name], { today }) => {
      // "may" and "march" are words of their own.
      if (/^(?:may|march|mar|jan|dec|sep)$/.test(text)) return undefined;
      const first = nextMonth(today, monthOf(name));
      const last = monthStart(first, 1) - 1;
      if (part.startsWith('early')) return days(Math.max(today, first), first + 9);
      if (part.startsWith('mid')) return days(Math.max(today, first + 10), first + 19);
      return days(Math.max(today, part === '' ? first : first + 20), last);
    },
  },
  {
    pattern: words('(?:in )?(?:the )?(?:new year|next year)'),
    read: ([text], { today }) =>
      /^in|next/.test(text) ? days(newYear(today) + 1, newYear(today) + 1, 'from') : days(newYear(today)),
  },
  {
    pattern: words('christmas(?: break| holidays?)?|xmas'),
    read: (_, { today }) => days(newYear(today) - 8, newYear(today) - 6),
  },
  {
    pattern: words(`in (${AMOUNT}) ${UNIT}(?: time)?`),
    read: ([, amount = '', unit = ''], { today }) => {
      const day = today + Math.round(amountOf(amount) * daysIn(unit));
      return unit.startsWith('day') ? days(day) : partOf(mondayOf(day), '');
    },
  },
  {
    pattern: words(`(${AMOUNT}) ${UNIT} (?:from (?:now|today))`),
    read: ([, amount = '', unit = ''], { today }) => days(today + Math.round(amountOf(amount) * daysIn(unit))),
  },
  {
    pattern: words(`(?:by )?(${AMOUNT}) ${UNIT} (?:later|after(?: that)?)`),
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

/** The first day of the next such month, of the running one when it is that. */
function nextMonth(today: number, month: number): number {
  return monthStart(today, (month - civilOf(today).month + 12) % 12);
}

const newYear = (today: number) => monthStart(today, 13 - civilOf(today).month);
