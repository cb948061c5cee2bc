import { mondayOf, parseDate, weekdayIndex } from '../../engine/time/dates.ts';
import type { Calendar } from './calendar.ts';
import { days, type Found, type Reader, words } from './mentions.ts';
import { datedOn, dateOf, dateOfPair, MONTH, monthOf, pairsOf, rangeOf } from './which-date.ts';

const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/**
 * Builds a pattern that matches "sat" or "sun" as a day only after a word that makes it one, such as "on" or "next".
 * Both are also ordinary words.
 */
const led = (day: string) => `${day}(?<=(?:on|this|next|every|no|not|avoid|or|and|coming|to|,|/) ${day})`;
const WEEKDAY = `(mondays?|mon|tuesdays?|tues?|wednesdays?|weds?(?<!\\b(?:we|be|they|were|got|newly) weds?)|thursdays?|thu(?:rs?)?|fridays?|fri|saturdays?|${led('sat')}(?! (?:down|in|on|through))|sundays?|${led('sun')}(?! (?:in|is|was)))`;
const ORDINAL = '(?:the )?(\\d{1,2})(?: ?(?:st|nd|rd|th))?';
/** Pattern for a weekday that stands before a date and only repeats it: "Tuesday the 4th". */
const LEAD = `(?:${WEEKDAY.replace('(', '(?<day>')} ,? ?)?(?:the )?`;

const weekdayOf = (name = '') => DAY_NAMES.indexOf(name.slice(0, 3));
const isPlural = (name = '') => /days$/.test(name);

/**
 * Returns the day that a text means by a weekday without a week: that weekday in the meeting's week or, if it has
 * passed, the next such weekday. Today counts as passed unless the meeting is today.
 */
function named({ today, oldDay }: Calendar, weekday: number): number {
  const week = weekdayIndex(oldDay) === 6 ? oldDay + 1 : mondayOf(oldDay);
  let day = week + weekday;
  while (day < today || (day === today && today !== oldDay)) day += 7;
  return day;
}

/** Returns the given weekday of next week. If the meeting is already on that day, returns the one a week later. */
function nextNamed({ today, oldDay }: Calendar, weekday: number): number {
  const day = mondayOf(today) + 7 + weekday;
  return day === oldDay ? day + 7 : day;
}

/** Returns the first day after `day` that falls on the given weekday. */
const after = (day: number, weekday: number) => day + 1 + ((weekday - weekdayIndex(day + 1) + 7) % 7);

const ORDINAL_WORDS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty[ -]+first twenty[ -]+second twenty[ -]+third twenty[ -]+fourth twenty[ -]+fifth twenty[ -]+sixth twenty[ -]+seventh twenty[ -]+eighth twenty[ -]+ninth thirtieth thirty[ -]+first'.split(
    ' ',
  );

const every = (...weekdays: number[]): Found => ({ mention: { kind: 'weekdays', days: weekdays } });

const WEEK = '(?:a|one|1|two|2|three|3) weeks?';
const weeksIn = (text = '') => (/^(?:two|2)/.test(text) ? 2 : /^(?:three|3)/.test(text) ? 3 : 1);

const weekdayBefore = ({ groups }: RegExpExecArray) => (groups?.day === undefined ? undefined : weekdayOf(groups.day));

/** The patterns, with their readers, that find single days: weekdays, dates, today and the days next to it. */
export const DAY_READERS: Reader[] = [
  {
    // A text such as "9.10 - 11.12" may mean two dates or two clock times.
    pattern: words('(\\d{1,2})\\.(0[1-9]|1[0-2]) ?- ?(\\d{1,2})\\.(0[1-9]|1[0-2])'),
    read: ([, first, month, last, other], calendar) =>
      (month === other && Number(month) % 5 !== 0 && rangeOf(calendar, Number(first), Number(last), Number(month))) || {
        mention: { kind: 'unclear' },
      },
  },
  {
    pattern: words(
      '(?:from )?(\\d{1,2}) / (\\d{1,2}) (?:-|—|to|until|through|thru) (\\d{1,2}) / (\\d{1,2})(?! ?(?:am|pm|/))(?: inclusive)?',
    ),
    read: ([, ...numbers], calendar) => pairsOf(calendar, numbers.map(Number)),
  },
  {
    pattern: words(
      `every (?:other|second|2 ?nd|third) ${WEEKDAY}|(?:the )?(?:first|second|third|last) ${WEEKDAY} (?:of|in) (?:the|each|every) month`,
    ),
    read: () => ({ mention: { kind: 'unclear' } }),
  },
  { pattern: words(`(?:the )?${WEEKDAY} after next`), read: () => ({ mention: { kind: 'unclear' } }) },
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
    pattern: words(`(?<!for )(${WEEK}) (?:from|on|after) (?:this |next )?${WEEKDAY}`),
    read: ([, weeks, name], calendar) => days(named(calendar, weekdayOf(name)) + 7 * weeksIn(weeks)),
  },
  {
    pattern: words(`(${WEEK}) (?:from |after )?(now|today|tomorrow)`),
    read: ([, weeks, from], { today }) => days(today + (from === 'tomorrow' ? 1 : 0) + 7 * weeksIn(weeks)),
  },
  {
    pattern: words(
      `(?:from |between )?${ORDINAL} (?:-|—|to|until|through|thru|and) ${ORDINAL} (?:of )?${MONTH}(?: inclusive)?`,
    ),
    read: ([, first, last, month], calendar) => rangeOf(calendar, Number(first), Number(last), monthOf(month)),
  },
  {
    pattern: words(
      `(?:from |between )?${MONTH} ${ORDINAL} (?:-|—|to|until|through|thru|and) ${ORDINAL}(?! ?(?:am|pm))(?: inclusive)?`,
    ),
    read: ([, month, first, last], calendar) => rangeOf(calendar, Number(first), Number(last), monthOf(month)),
  },
  {
    pattern: words(
      '(?:from |between )?(?:the )?(\\d{1,2})(?: ?(?:st|nd|rd|th))? (?:-|—|to|until|through|thru) (?:the )?(\\d{1,2}) ?(?:st|nd|rd|th)(?: inclusive)?(?! (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))',
    ),
    read: ([, first, last], calendar) => rangeOf(calendar, Number(first), Number(last)),
  },
  {
    pattern: words(
      `(?:the )(${ORDINAL_WORDS.slice(2).join('|')})(?= (?:[?.!,;:)—]|or|and|at|please|instead|would|is|works?|suits?|for|if|in|because)|$)|(?:the )(${ORDINAL_WORDS.join('|')}) of ${MONTH}`,
    ),
    read: ([, alone, word, month], calendar) =>
      dateOf(
        calendar,
        ORDINAL_WORDS.indexOf(alone ?? word ?? '') + 1,
        month === undefined ? undefined : monthOf(month),
      ),
  },
  {
    pattern: words(`${LEAD}${MONTH} ${ORDINAL}(?: ,? ?20\\d\\d)?(?! (?:people|of us|am|pm))`),
    read: (match, calendar) => datedOn(calendar, weekdayBefore(match), Number(match[3]), monthOf(match[2])),
  },
  {
    pattern: words(`${LEAD}${ORDINAL} (?:of )?${MONTH}(?: ,? ?20\\d\\d)?`),
    read: (match, calendar) => datedOn(calendar, weekdayBefore(match), Number(match[2]), monthOf(match[3])),
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
    read: ([, , a, b], calendar) => dateOfPair(calendar, Number(a), Number(b)),
  },
  {
    pattern: words(
      `(?<!(?:at|around|about) )${LEAD}(\\d{1,2})\\.(0[1-9]|1[012])(?: \\.)?(?: ?20\\d\\d)?(?! ?(?:am|pm|h|oclock))`,
    ),
    read: ([, , date, month], calendar) => dateOfPair(calendar, Number(date), Number(month)),
  },
  {
    pattern: words(`${LEAD}(?:the )?(\\d{1,2}) (?:st|nd|rd|th)(?! (?:time|meeting|call|floor|one|attempt|of us))`),
    read: (match, calendar) => datedOn(calendar, weekdayBefore(match), Number(match[2])),
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
    // "The next one" after "not this Wednesday" is the Wednesday a week later.
    pattern: words(`(?<=${WEEKDAY} (?:[,;—] )?(?:but |rather )?)the (?:next one|one after(?: that)?|following one)`),
    read: ([, name], calendar) => days(named(calendar, weekdayOf(name)) + 7),
  },
  {
    // "The Wednesday after" is counted from the meeting.
    pattern: words(`the ${WEEKDAY} (?:after(?: that)?|following)(?= [.,;!?)—]|$)`),
    read: ([, name], calendar) => days(after(calendar.oldDay, weekdayOf(name))),
  },
  {
    pattern: words(`the ${WEEKDAY} or ${WEEKDAY} (?:after(?: that)?|following)(?= [.,;!?)—]|$)`),
    read: ([, name, other], { oldDay }) => {
      const first = after(oldDay, weekdayOf(name));
      return after(first, weekdayOf(other)) === first + 1 ? days(first, first + 1) : { mention: { kind: 'unclear' } };
    },
  },
  {
    pattern: words(`(?:the )?(?:very )?same ${WEEKDAY}`),
    read: ([, name], calendar) =>
      days(weekdayIndex(calendar.oldDay) === weekdayOf(name) ? calendar.oldDay : named(calendar, weekdayOf(name))),
  },
  {
    pattern: words(`${WEEKDAY} - ${WEEKDAY}`),
    read: ([, from, to], calendar) => {
      const first = named(calendar, weekdayOf(from));
      return { mention: { kind: 'days', first, last: after(first - 1, weekdayOf(to)), isSpan: true } };
    },
  },
  {
    pattern: words(`${WEEKDAY} next(?! week)`),
    read: ([, name], calendar) => days(nextNamed(calendar, weekdayOf(name))),
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
  { pattern: words('weekends|(?:an?|any|every|the) weekends|(?:a|any|every|each) weekend'), read: () => every(5, 6) },
  {
    pattern: words(
      'weekdays|weekday(?= (?:morning|afternoon|evening))|(?:a|any|every|each|week) (?:weekday|working day|business day|work day)|(?:every|each) work ?day',
    ),
    read: () => every(0, 1, 2, 3, 4),
  },
  {
    pattern: words(
      '(?:the )?day after tomorrow|(?<=tomorrow (?:or|and|/) )(?:the )?day after(?! (?:the|our|this|my) )',
    ),
    read: (_, { today }) => days(today + 2),
  },
  { pattern: words('(?:later )?tomorrow'), read: (_, { today }) => days(today + 1) },
  { pattern: words('(?:later )?(?:today|tonight)'), read: (_, { today }) => days(today) },
  { pattern: words('this(?= (?:morning|afternoon|evening))'), read: (_, { today }) => days(today) },
  {
    pattern: words(
      '(?<!(?:any|every|some) )(?:the |on )*(?:day after|next day|following day|day following)(?! (?:the|that is|tomorrow))',
    ),
    read: (_, { oldDay }) => days(oldDay + 1),
  },
  {
    pattern: words('(?:the )?day after (?:the|our|this) (?:meeting|call|original (?:date|day)|current (?:date|day))'),
    read: (_, { oldDay }) => days(oldDay + 1),
  },
  { pattern: words('the (?:day before|previous day)'), read: (_, { oldDay }) => days(oldDay - 1) },
  {
    pattern: words('(?:on )?(?:the )?same (?:week)?day (?:of )?(?:the )?(next week|following week|week after)'),
    read: ([, week], { today, oldDay }) =>
      days((week === 'next week' ? mondayOf(today) : mondayOf(oldDay)) + 7 + weekdayIndex(oldDay)),
  },
  {
    pattern: words('(?<=for )(?:the |what is )?(?:rest|remainder) of (?:the|that|my) day'),
    read: (_, { oldDay }) => days(oldDay),
  },
  {
    pattern: words('(?:on )?(?:the )?(?:same|that) (?:same )?day'),
    read: (_, { oldDay }) => days(oldDay),
  },
];
