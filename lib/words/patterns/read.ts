/** Templates of the sentences that say what Tandem understood of a person's words, and what it learned from them. */
export const READ = {
  'read.means': ['“{quote}” means: {meaning}.', { quote: 'Thursday instead', meaning: 'On Thursday, 10 January' }],
  'read.unknown': ['“{quote}” was not understood.', { quote: 'after the thing' }],
  'read.ask': ['Ask the person what it means.', {}],
  'read.nothing': ['No time was asked for.', {}],
  'read.soonest': ['as soon as possible', {}],
  'read.rule': ['{verdict} {times}', { verdict: 'never', times: 'before 10:00' }],
  'read.one_a_day': ['at most one meeting a day', {}],
  'read.most_a_day': ['at most {most} meetings a day', { most: '4' }],
  'read.no_pause': ['no pause needed between meetings', {}],
  'read.pause': ['a pause between meetings', {}],
  'read.pause_of': ['a pause of {length} between meetings', { length: '15 minutes' }],
  'learned.nothing': ['The reason teaches nothing for later meetings, so no weight was changed.', {}],
  'learned.moved': [
    '"{words}" {moved} the weight of {weights} from {before} to {after}.',
    {
      words: 'too early',
      moved: 'lowered',
      weights: 'mornings (time_of_day_preference.morning)',
      before: '1',
      after: '0.8',
    },
  ],
  'learned.at_bound': [
    '"{words}" left the weight of {weights} at its bound of {after}.',
    { words: 'too early', weights: 'mornings (time_of_day_preference.morning)', after: '0.2' },
  ],
  'learned.weight': ['{name} ({weight})', { name: 'mornings', weight: 'time_of_day_preference.morning' }],
  'learned.counts': [
    '{name} {weight}, because {why}.',
    { name: 'Mornings', weight: 'count 20% less', why: 'a meeting was moved with the words “too early”' },
  ],
  'learned.counts_already': [
    '{why}, but {name} already count as {much} as they can.',
    { why: 'A meeting was moved with the words “too early”', name: 'mornings', much: 'little' },
  ],
  'learned.own_words': ['your own words ask for it', {}],
  'learned.from_move': ['a meeting was moved with the words “{words}”', { words: 'too early' }],
  'learned.less': ['count {percent}% less', { percent: '20' }],
  'learned.more': ['count {percent}% more', { percent: '50' }],
  'learned.breaks': ['breaks between meetings', {}],
} as const;
