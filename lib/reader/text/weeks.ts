import { mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import { type Calendar, monthStart } from './calendar.ts';
import { amountOf, days, type Found, type Reader, words } from './mentions.ts';
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
export function partOf(monday: number, part: string): Found {
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

export const UNIT = '(days?|weeks?|fortnights?|months?)';
export const daysIn = (unit: string) =>
  unit.startsWith('week') ? 7 : unit.startsWith('fortnight') ? 14 : unit.startsWith('month') ? 28 : 1;

/**
 * The patterns, with their readers, that find weeks, months, holidays, and days counted from the meeting or from today.
 */
export const WEEK_READERS: Reader[] = [
  {
    pattern: words('this week and next(?= (?:[.,;!?)—]|and|so|but|because)|$)'),
    read: (_, { today }) => days(mondayOf(today), mondayOf(today) + 13),
  },
  {
    pattern: words(
      '(?:this week (?:or|and) (?:the )?next(?: week| one)?|this (?:or|and) next week)(?! (?:mon|tue|wed|thu|fri))',
    ),
    read: (_, { today }) => days(today, mondayOf(today) + 13),
  },
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
    pattern: words(
      `${PART}next week (?:or|and) (?:even |maybe |perhaps )?(?:the )?(?:following week|week (?:after|following))`,
    ),
    read: ([, part = ''], calendar) => {
      const { mention } = partOf(nextWeek(calendar), part);
      return mention.kind === 'days' ? days(mention.first, nextWeek(calendar) + 13) : undefined;
    },
  },
  {
    pattern: words(`${PART}next week`),
    read: ([, part = ''], calendar) => partOf(nextWeek(calendar), part),
  },
  {
    pattern: words(`${PART}(?:the )?(?:following week|week (?:after|following))`),
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
    pattern: words('(?:at |on )?(?:a|some|any) later (?:date|day)'),
    read: (_, { oldDay }) => days(oldDay + 1, oldDay + 1, 'from'),
  },
  {
    pattern: words('(?:at |on )?(?:an|some|any) earlier (?:date|day)'),
    read: (_, { oldDay }) => days(oldDay - 1, oldDay - 1, 'by'),
  },
];
