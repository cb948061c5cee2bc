/**
 * Sentence patterns about a time that somebody asked about: its place in the search, the rules against it, and
 * warnings.
 */
export const EXPLAINED = {
  'place.not_free': ['It does not work.', {}],
  'place.not_for_one': ['It does not work: {why}.', { why: "it is outside Ada's work hours" }],
  'place.suits_neither': ['It suits neither: {why}.', { why: "it is outside Ada's work hours and Chloe is not free" }],
  'not.work_hours': ["it is outside {who}'s work hours", { who: 'Ada' }],
  'not.work_hours_of_both': ['it is outside the work hours of both', {}],
  'not.holiday': [
    '{day} is {holiday}, a day off for {who}',
    { day: 'Thursday, 26 November', holiday: 'Thanksgiving Day', who: 'Ben' },
  ],
  'not.focus_block': ['{who} {keeps} that time for focus', { who: 'Ada', keeps: 'keeps' }],
  'not.standing_rule': ['{who} rules that time out with “{words}”', { who: 'Ada', words: 'no meetings before 10' }],
  'not.day_limit': ['{who} {has} no room for another meeting that day', { who: 'Ada', has: 'has' }],
  'not.busy': ['{who} {is} not free', { who: 'Chloe', is: 'is' }],
  'not.held': ['a proposal holds that time for {who}', { who: 'Chloe' }],
  'not.buffer': ['{who} {needs} more time around meetings', { who: 'Chloe', needs: 'needs' }],
  'taken.busy': ['{who} {is} not free then', { who: 'Chloe', is: 'is' }],
  'taken.day_limit': ['at least one of the two people has reached their meeting limit for that day', {}],
  'taken.unknown': ['the two people are not both free then', {}],
  'place.only': ['It is the only time {limit}.', { limit: 'until 21 January' }],
  'place.best': ['It is the best of the times that suit both.', {}],
  'place.free': ['It suits both.', {}],
  'place.why': [
    '{place}: {why}.',
    { place: 'It suits both', why: 'close to the weekend, but a free afternoon for both' },
  ],
  'place.offered': ['It is among those offered.', {}],
  'place.overlaps': ['It overlaps a time that is offered.', {}],
  'place.better': ['A better time is {time}.', { time: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London' }],
  'place.better_why': [
    'A better time is {time}, {why}.',
    { time: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London', why: 'a free morning for both' },
  ],
  'place.instead': [
    'A time that suits both is {time}.',
    { time: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London' },
  ],
  'place.instead_why': [
    'A time that suits both is {time}, {why}.',
    { time: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London', why: 'a free morning for both' },
  ],
  'place.equal': ['Other times rank as high and suit both better.', {}],
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
  'against.busy': ['{time} is not free.', { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December' }],
  'against.held': ['{time} is held for a proposal.', { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December' }],
  'against.buffer': [
    '{time} is less than {minutes} minutes from a busy time.',
    { time: '9:00 to 9:30 in Berlin on Tuesday, 8 December', minutes: '15' },
  ],
  'against.of': [
    'For {who}, {detail}',
    { who: 'Ada', detail: '9:00 to 9:30 in Berlin on Tuesday, 8 December is not free.' },
  ],
  'warning.work_hours': [
    "This time is outside {who}'s work hours: {time}.",
    { time: '19:00 to 19:30 in London on Tuesday, 8 December', who: 'Ben' },
  ],
  'warning.guest_hours': [
    'This time is outside ordinary work hours for {who}: {time}.',
    { time: '19:00 to 19:30 in London on Tuesday, 8 December', who: 'Grace' },
  ],
  'warning.guest_clock': [
    "Nobody gave {who}'s time zone (guest_time_zone), so these times may be at night there.",
    { who: 'Grace' },
  ],
  'warning.standing_rule': [
    "This time goes against {who}'s rule “{words}”: {time}.",
    {
      time: '9:00 to 9:30 in London on Tuesday, 8 December',
      who: 'Ben',
      words: 'no meetings before 10',
    },
  ],
} as const;
