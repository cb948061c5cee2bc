import type { ExamplesOf } from './blanks.ts';
import type { WISHES } from './wishes.ts';

/** An example for each sentence pattern in wishes.ts that has blanks. */
export const WISHES_EXAMPLES = {
  'when.on': { days: 'Thursday, 10 December or Friday, 11 December' },
  'when.between': { first: 'Monday, 14 December', last: 'Thursday, 17 December' },
  'when.week': { date: '14 December' },
  'when.month': { month: 'December' },
  'when.on_a': { days: 'Monday or Tuesday' },
  'when.from_on': { edge: 'Monday, 21 January' },
  'when.from_that_day': { day: 'Monday' },
  'when.from_to': { first: 'Thursday, 3 December', last: 'Friday, 4 December' },
  'when.up_to': { day: 'Thursday, 3 December' },
  'when.clock_on': { clock: '14:00', day: 'Wednesday, 9 January' },
  'when.from': { edge: '14:00 on Wednesday, 9 January' },
  'when.before': { edge: 'Thursday, 10 December' },
  'when.after': { edge: '15:00' },
  'when.at': { clock: '10:00' },
  'when.no_earlier': { clock: '15:00' },
  'when.over_by': { clock: '15:00' },
  'when.days_and_hours': { days: 'on a Friday', hours: 'after 15:00' },
  'when.day_half': { days: 'on Thursday', half: 'afternoon' },
  'when.weeks_later': { weeks: '2' },
  'when.shift': { length: 'half an hour', direction: 'later' },
  'when.relative': { shift: 'half an hour later' },
  'when.relative_in_day': { shift: 'half an hour later' },
  'when.hour': { hour: 'a later hour' },
  'when.than_planned': { direction: 'sooner' },
  'when.in_day': { direction: 'later' },
  'when.not': { words: 'on a Monday' },
} satisfies ExamplesOf<typeof WISHES>;
