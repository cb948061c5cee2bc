import { formatDate, parseDate, weekdayIndex } from '../../scheduling/dates.ts';
import { type Calendar, civilOf, dayIn, mondayOf } from './calendar.ts';
import { days, type Found, type Reader, words } from './mentions.ts';

const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** "sat", "sun" and "wed" are words of their own: the first two need a company that makes them days. */
const led = (day: string) => `${day}(?<=(?:on|this|next|every|no|not|avoid|or|and|coming|to|,|/) ${day})`;
const WEEKDAY = `(mondays?|mon|tuesdays?|tues?|wednesdays?|weds?(?<!\\b(?:we|be|they|were|got|newly) weds?)|thursdays?|thu(?:rs?)?|fridays?|fri|saturdays?|${led('sat')}(?! (?:down|in|on|through))|sundays?|${led('sun')}(?! (?:in|is|was)))`;
export const MONTH =
  '(january|jan|february|feb|march|mar|april|apr|may|june|jun|july|jul|august|aug|september|sept|sep|october|oct|november|nov|december|dec)';
const ORDINAL = '(?:the )?(\\d{1,2})(?: ?(?:st|nd|rd|th))?';
/** A weekday that only repeats what the date says. */
const LEAD = `(?:${WEEKDAY.replace('(', '(?:')} ,? ?(?:the )?)?`;

const weekdayOf = (name = '') => DAY_NAMES.indexOf(name.slice(0, 3));
export const monthOf = (name = '') => MONTH_NAMES.indexOf(name.slice(0, 3)) + 1;
const isPlural = (name = '') => /days$/.test(name);

/** The day a plainly named weekday means: that of the meeting's week, unless it is over by then; else the next one. */
function named({ today, oldDay }: Calendar, weekday: number): number {
  const week = weekdayIndex(oldDay) === 6 ? oldDay + 1 : mondayOf(oldDay);
  let day = week + weekday;
  while (day < today || (day === today && today !== oldDay)) day += 7;
  return day;
}

/** The weekday of next week; of the week after when the meeting is on that very day already. */
function nextNamed({ today, oldDay }: Calendar, weekday: number): number {
  const day = mondayOf(today) + 7 + weekday;
  return day === oldDay ? day + 7 : day;
}

/** The first such weekday after a day. */
const after = (day: number, weekday: number) => day + 1 + ((weekday - weekdayIndex(day + 1) + 7) % 7);

/** The date of a month that is nearest to the meeting and not past; without a month, of any. */
export function dateOf({ today, oldDay }: Calendar, date: number, month?: number): Found | undefined {
  const { year, month: thisMonth } = civilOf(today);
  const tried: number[] = [];
  for (let k = 0; k < 13; k++) {
    const at = thisMonth - 1 + k;
    const day = dayIn(year + Math.floor(at / 12), (at % 12) + 1, date);
    if (day !== undefined && day >= today && (month === undefined || (at % 12) + 1 === month)) tried.push(day);
  }
  const [nearest] = tried.sort((a, b) => Math.abs(a - oldDay) - Math.abs(b - oldDay));
  if (nearest === undefined) return undefined;
  return { mention: { kind: 'days', first: nearest, last: nearest, ...(month === undefined && { date }) } };
}

const SOON_DAYS = 120;

/** Two numbers are a day and a month in the one order that makes a date of the coming months; in both or neither, nothing. */
function dateOfPair(calendar: Calendar, a: number, b: number): Found | undefined {
  const read = [dateOf(calendar, a, b), dateOf(calendar, b, a)].filter(
    (found) => found?.mention.kind === 'days' && found.mention.first - calendar.today <= SOON_DAYS,
  );
  return read.length === 1 || a === b ? read[0] : undefined;
}

const every = (...weekdays: number[]): Found => ({ mention: { kind: 'weekdays', days: weekdays } });

const WEEK = '(?:a|one|1|two|2|three|3) weeks?';
const weeksIn = (text = '') => (/^(?:two|2)/.test(text) ? 2 : /^(?:three|3)/.test(text) ? 3 : 1);

/** Single days: weekdays, dates, today and its neighbours. */
export const DAY_READERS: Reader[] = [
  {
    pattern: words(`${WEEKDAY} (?:of )?(?:the )?(next|following) week`),
    read: ([, name, which], calendar) =>
      days(which === 'next' ? nextNamed(calendar, weekdayOf(name)) : mondayOf(calendar.oldDay) + 7 + weekdayOf(name)),
  },
  {
    pattern: words(`next week (?:on )?${WEEKDAY}`),
    read: ([, name], calendar) => days(nextNamed(calendar, weekdayOf(name))),
  },
  {
    pattern: words(`${WEEKDAY} (?:of )?(?:this )?week`),
    read: ([text, name], calendar) =>
      text.includes('this')
        ? days(mondayOf(calendar.today) + weekdayOf(name))
        : days(named(calendar, weekdayOf(name)) + 7),
  },
  {
    pattern: words(`(${WEEK}) (?:from|on|after) (?:this |next )?${WEEKDAY}`),
    read: ([, weeks, name], calendar) => days(named(calendar, weekdayOf(name)) + 7 * weeksIn(weeks)),
  },
  {
    pattern: words(`(${WEEK}) (?:from|after) (now|today|tomorrow)`),
    read: ([, weeks, from], { today }) => days(today + (from === 'tomorrow' ? 1 : 0) + 7 * weeksIn(weeks)),
  },
  {
    pattern: words(`${LEAD}${MONTH} ${ORDINAL}(?: ,? ?20\\d\\d)?(?! (?:people|of us|am|pm))`),
    read: ([, month, date], calendar) => dateOf(calendar, Number(date), monthOf(month)),
  },
  {
    pattern: words(`${LEAD}${ORDINAL} (?:of )?${MONTH}(?: ,? ?20\\d\\d)?`),
    read: ([, date, month], calendar) => dateOf(calendar, Number(date), monthOf(month)),
  },
  {
    pattern: words('(\\d{4}-\\d\\d-\\d\\d)'),
    read: ([, date = ''], { today }) => {
      const day = parseDate(date);
      return day === undefined || day < today ? undefined : days(day);
    },
  },
  {
    pattern: words(`${LEAD}(\\d{1,2}) / (\\d{1,2})(?: / (?:20)?\\d\\d)?`),
    read: ([, a, b], calendar) => dateOfPair(calendar, Number(a), Number(b)),
  },
  {
    pattern: words(`${LEAD}(\\d{1,2})\\.(0[1-9]|1[012])(?: \\.)?(?: ?20\\d\\d)?(?! ?(?:am|pm|h|oclock))`),
    read: ([, date, month], calendar) => dateOfPair(calendar, Number(date), Number(month)),
  },
  {
    pattern: words(`${LEAD}(?:the )?(\\d{1,2}) (?:st|nd|rd|th)(?! (?:time|meeting|call|floor|one|attempt|of us))`),
    read: ([, date], calendar) => dateOf(calendar, Number(date)),
  },
  {
    pattern: words(`(?:the )?(this|next|coming|following) ${WEEKDAY}`),
    read: ([, which, name], calendar) => {
      const weekday = weekdayOf(name);
      if (which === 'next') return days(nextNamed(calendar, weekday));
      if (which === 'following') return days(after(calendar.oldDay, weekday));
      const day = mondayOf(calendar.today) + weekday;
      return days(which === 'this' && day >= calendar.today ? day : after(calendar.today, weekday));
    },
  },
  {
    pattern: words(`${WEEKDAY} - ${WEEKDAY}`),
    read: ([, from, to], calendar) => {
      const first = named(calendar, weekdayOf(from));
      return days(first, after(first - 1, weekdayOf(to)));
    },
  },
  {
    pattern: words(`(?:any|every|each|some|an?) ${WEEKDAY}`),
    read: ([, name]) => every(weekdayOf(name)),
  },
  {
    pattern: words(`(?:the )?${WEEKDAY}`),
    read: ([, name], calendar) => {
      const weekday = weekdayOf(name);
      if (isPlural(name)) return every(weekday);
      const day = named(calendar, weekday);
      return { mention: { kind: 'days', first: day, last: day, weekday } };
    },
  },
  { pattern: words('weekends|(?:a|any|every) weekend'), read: () => every(5, 6) },
  { pattern: words('weekdays|(?:a|any) (?:weekday|working day|business day)'), read: () => every(0, 1, 2, 3, 4) },
  { pattern: words('(?:the )?day after tomorrow'), read: (_, { today }) => days(today + 2) },
  { pattern: words('(?:later )?tomorrow'), read: (_, { today }) => days(today + 1) },
  { pattern: words('(?:later )?(?:today|tonight)'), read: (_, { today }) => days(today) },
  { pattern: words('this(?= (?:morning|afternoon|evening))'), read: (_, { today }) => days(today) },
  {
    pattern: words('the (?:day after|next day|following day)|day after(?= [?.!,;]|$)'),
    read: (_, { oldDay }) => days(oldDay + 1),
  },
  { pattern: words('the (?:day before|previous day)'), read: (_, { oldDay }) => days(oldDay - 1) },
  {
    pattern: words('(?:on )?(?:the )?(?:same|that) (?:same )?day'),
    read: (_, { oldDay }) => days(oldDay),
  },
];

/** The date of the month once more, on or after the meeting's day: what "after the 3rd" means when the next 3rd comes before it. */
export function againAfter(oldDay: number, date: number): number {
  let day = oldDay;
  while (Number(formatDate(day).slice(8)) !== date) day++;
  return day;
}
