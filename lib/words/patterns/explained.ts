/**
 * Patterns of the sentences about a time that somebody named: its place in a search, the rules against it, warnings.
 */
export const EXPLAINED = {
  'place.not_free': ['It does not suit both.', {}],
  'place.only': ['It is the only time that suits both.', {}],
  'place.best': ['It is the best of the times that suit both.', {}],
  'place.free': ['It suits both.', {}],
  'place.offered': ['It is among those offered.', {}],
  'place.overlaps': ['It overlaps a time that is offered.', {}],
  'place.better': [
    'Tandem offers better times, and the best is {time}.',
    { time: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London' },
  ],
  'place.equal': ['Tandem offers times that rank as high and suit both better.', {}],
  'notice.wanted': ['For {kind}, Tandem looks for times with {length} notice.', { kind: 'a demo', length: "a day's" }],
  'notice.kept': ['This time has it.', {}],
  'notice.short': ['This time comes sooner, so Tandem picks it only if no time has that notice.', {}],

  // Rules that exclude a time. An answer names beside each the person whose rule it is.
  'against.quarter_hour': [
    'Meetings start at :00, :15, :30 or :45, and at another minute only where none of these fits.',
    {},
  ],
  'against.notice': ['A meeting starts at least 15 minutes from now.', {}],
  'against.window': [
    'The search covers {first} to {last} in {city}.',
    { first: 'Monday, 4 May', last: 'Friday, 8 May', city: 'Berlin' },
  ],
  'against.work_hours': [
    '{time} is outside the work hours.',
    { time: '19:00 to 19:30 in London on Tuesday, 8 December' },
  ],
  'against.holiday': ['{day} is {holiday}.', { day: 'Thursday, 26 November', holiday: 'Thanksgiving Day' }],
  'against.focus_block': ['{time} overlaps a focus block.', { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December' }],
  'against.standing_rule': [
    '{time} is ruled out: “{words}”.',
    { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December', words: 'no meetings before 10' },
  ],
  'own.rather_not': ['{who} would rather not: “{words}”.', { who: 'Clara', words: 'rather not on Fridays' }],
  'own.prefer': ['{who} prefers this: “{words}”.', { who: 'Clara', words: 'Tuesdays are best' }],
  'against.one_a_day': ['{who} takes one meeting a day and already has it.', { who: 'This person' }],
  'against.day_limit': [
    '{who} takes {meetings} meetings a day and already has them.',
    { who: 'This person', meetings: '4' },
  ],
  'against.busy': ['{time} overlaps a busy time.', { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December' }],
  'against.held': ['{time} is held for a proposal.', { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December' }],
  'against.buffer': [
    '{time} is less than {minutes} minutes from a busy time.',
    { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December', minutes: '15' },
  ],
  'against.of': [
    'For {who}, {detail}',
    { who: 'Ada', detail: '9:00 to 9:30 in Berlin on Tuesday, 8 December overlaps a busy time.' },
  ],
  'warning.work_hours': [
    "{time} is outside {who}'s work hours.",
    { time: '19:00 to 19:30 in London on Tuesday, 8 December', who: 'Ben' },
  ],
  'warning.standing_rule': [
    '{time} is ruled out by {who}: “{words}”.',
    {
      time: '9:00 to 9:30 in London on Tuesday, 8 December',
      who: 'Ben',
      words: 'no meetings before 10',
    },
  ],
} as const;
