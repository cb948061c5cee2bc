import { mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import { civilOf, monthStart } from './calendar.ts';
import { days, type Reader, words } from './mentions.ts';
import { MONTH, monthOf } from './which-date.ts';

/** A pattern for the part of a week or month before its name: "early", "end of". */
export const PART =
  '(?:(?:at |towards )?(?:the )?(early|beginning of|start of|mid(?: -)?(?: ?week)?(?: of)?|middle of|(?:back|latter|tail|far|second) (?:end|half|part) of|(?:early|first|front) (?:part|half|end) of|first thing|(?:very )?end of|late)(?: in)? )?';

/** Returns the days of a part of a month, such as "early" or "second half of", or all days of the month. */
function partOfMonth(first: number, part: string): { first: number; last: number } {
  const last = monthStart(first, 1) - 1;
  if (/first half/.test(part)) return { first, last: first + 14 };
  if (/(?:second|latter|back|other) half/.test(part)) return { first: first + 15, last };
  if (/early|beginning|start/.test(part)) return { first, last: first + 9 };
  if (/mid/.test(part)) return { first: first + 10, last: first + 19 };
  return { first: /end|late/.test(part) ? first + 20 : first, last };
}

/** The patterns, with their readers, that find months and the holidays at the end of the year. */
export const MONTH_READERS: Reader[] = [
  {
    pattern: words(
      `(?:on )?(?:the )?(first|second|third|fourth|last) (mon|tues?|wednes|thurs?|fri)(?:day)? (?:of|in) (?:(?:the )?(next|this) month|(?:the )?${MONTH}|(?:the )?new year)`,
    ),
    read: ([, which = '', day = '', near, name], { today }) => {
      const first = near
        ? monthStart(today, near === 'next' ? 1 : 0)
        : nextMonth(today, name === undefined ? 1 : monthOf(name));
      const weekday = ['mon', 'tue', 'wed', 'thu', 'fri'].indexOf(day.slice(0, 3));
      const end = monthStart(first, 1) - 1;
      const found =
        which === 'last'
          ? end - ((weekdayIndex(end) - weekday + 7) % 7)
          : first +
            ((weekday - weekdayIndex(first) + 7) % 7) +
            7 * ['first', 'second', 'third', 'fourth'].indexOf(which);
      return found < today ? undefined : days(found, found);
    },
  },
  {
    pattern: words('(?:the )?week (after|before) (?:christmas|xmas|(?:the )?new year)'),
    read: ([text, which], { today }) => {
      const monday = mondayOf(newYear(today) - (text.endsWith('year') ? 0 : 7));
      return days(monday + (which === 'after' ? 7 : -7), monday + (which === 'after' ? 13 : -1));
    },
  },
  {
    pattern: words('(?:the )?(?:end of (?:(?:the|this) )?month|month end)'),
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
      const { first, last } = partOfMonth(monthStart(today, isNextAlready ? 2 : 1), part);
      return days(first, last);
    },
  },
  {
    pattern: words(
      `(?:in |during |towards )?(?:the )?(early |late |mid (?:- )?|(?:(?:very )?(?:end|beginning|start|middle)|(?:first|second|latter|back|other) half) (?:of |in ))?${MONTH}`,
    ),
    read: ([text, part = '', name], { today }) => {
      // "may" and "march" are also ordinary words.
      if (/^(?:the )?(?:may|march|mar|jan|dec|sep)$/.test(text)) return undefined;
      const { first, last } = partOfMonth(nextMonth(today, monthOf(name)), part);
      return last < today ? undefined : days(Math.max(today, first), last);
    },
  },
  {
    pattern: words('(?<=(?:to|into|for) )(?:the )?new year(?! (?:is|eve))'),
    read: (_, { today }) => days(newYear(today) + 1, newYear(today) + 1, 'from'),
  },
  {
    pattern: words('(?:in )?(?:the )?(?:new year|next year)'),
    read: (_, { today }) => days(newYear(today) + 1, newYear(today) + 1, 'from'),
  },
  {
    pattern: words(
      '(?:christmas(?: break| holidays?)?|xmas)(?! (?:lunch|party|parties|do|dos|dinner|drinks|play|concert|fair|market|jumper|nativity|shopping|meal|card)(?: |$))',
    ),
    read: (_, { today }) => days(newYear(today) - 8, newYear(today) - 6),
  },
];

/** Returns the first day of the next month with this number (1-12), or of the current month if it has that number. */
export function nextMonth(today: number, month: number): number {
  return monthStart(today, (month - civilOf(today).month + 12) % 12);
}

const newYear = (today: number) => monthStart(today, 13 - civilOf(today).month);
