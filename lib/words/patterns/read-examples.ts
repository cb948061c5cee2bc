import type { ExamplesOf } from './blanks.ts';
import type { READ } from './read.ts';

/** An example for each sentence pattern in read.ts that has blanks. */
export const READ_EXAMPLES = {
  'read.means': { quote: 'Thursday instead', meaning: 'On Thursday, 10 January' },
  'read.unknown': { quote: 'after the thing' },
  'read.rule': { verdict: 'never', times: 'before 10:00' },
  'read.most_a_day': { most: '4' },
  'read.pause_of': { length: '15 minutes' },
  'learned.moved': {
    words: 'too early',
    moved: 'lowered',
    weights: 'mornings (time_of_day_preference.morning)',
    before: '1',
    after: '0.8',
  },
  'learned.at_bound': { words: 'too early', weights: 'mornings (time_of_day_preference.morning)', after: '0.2' },
  'learned.weight': { name: 'mornings', weight: 'time_of_day_preference.morning' },
  'learned.counts': {
    name: 'Mornings',
    weight: 'count 20% less',
    why: 'a meeting was moved with the words “too early”',
  },
  'learned.counts_already': { why: 'A meeting was moved with the words “too early”', name: 'mornings', much: 'little' },
  'learned.from_move': { words: 'too early' },
  'learned.less': { percent: '20' },
  'learned.more': { percent: '50' },
  'read.warning': { quotes: '“the week of the big push”' },
} satisfies ExamplesOf<typeof READ>;
