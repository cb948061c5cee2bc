/** Sentence patterns that say why no time suits both people, and which changes would open some. */
export const NONE = {
  'none.window': ['A meeting of {length} does not fit {where}.', { length: '30 minutes', where: 'on Monday, 4 May' }],
  'none.notice': [
    'The work hours of both {where} are over or begin too soon: a meeting starts at least 15 minutes from now.',
    { where: 'on Monday, 4 May' },
  ],
  'none.work_hours': [
    '{who} has no {length} of work hours {where}.',
    { who: 'Ada', length: '30 minutes', where: 'on Monday, 4 May' },
  ],
  'none.shared_hours': [
    "{who}'s and {other}'s work hours do not overlap {where}.",
    { who: 'Ada', other: 'Chloe', where: 'on Monday, 4 May' },
  ],
  'none.few_shared_hours': [
    "{who}'s and {other}'s work hours do not overlap by {length} {where}.",
    { who: 'Ada', other: 'Chloe', length: '30 minutes', where: 'on Monday, 4 May' },
  ],
  'none.holiday': [
    '{day} is {holiday}, a day off for {who}.',
    { day: 'Thursday, 26 November', holiday: 'Thanksgiving Day', who: 'Ben' },
  ],
  'none.day_off': [
    '{day} is {holiday}, a day off for {who}, so no time suits both.',
    { day: 'Thursday, 26 November', holiday: 'Thanksgiving Day', who: 'Ben' },
  ],
  'none.full_day': [
    '{who} takes at most {meetings} a day, and {day} is full.',
    { who: 'Ada', meetings: 'one meeting', day: 'Wednesday, 10 January' },
  ],
  'none.rules': [
    '{rules} leave no {length} free for both {where}.',
    { rules: "Bob's busy times", length: '30 minutes', where: 'on Monday, 4 May' },
  ],
  'none.together': [
    'Together, {rules} leave no {length} free for both {where}.',
    { rules: "Ada's focus blocks and Bob's busy times", length: '30 minutes', where: 'on Monday, 4 May' },
  ],
  'none.also_until': [
    'Tandem looked as far as {day} and found no time that suits both.',
    { day: 'Sunday, 28 January' },
  ],
  'none.nearest_start': [
    "{clock} is {ownClock}, {length} before {who}'s day starts.",
    { clock: '18:30 in Sydney', ownClock: '7:30 in London', length: 'half an hour', who: 'Chloe' },
  ],
  'none.nearest_end': [
    "{clock} is {ownClock}, so the meeting would end {length} after {who}'s day ends.",
    { clock: '8:00 in London', ownClock: '19:00 in Sydney', length: 'an hour and a half', who: 'Ava' },
  ],
  'rule.busy': ["{who}'s busy times", { who: 'Bob' }],
  'rule.busy_of_both': ["{who}'s and {other}'s busy times", { who: 'Ada', other: 'Bob' }],
  'rule.busy_buffer': ["{who}'s busy times with {minutes} minutes around them", { who: 'Bob', minutes: '15' }],
  'rule.focus_block': ["{who}'s focus blocks", { who: 'Ada' }],
  'rule.own_words': ["{who}'s rule “{words}”", { who: 'Clara', words: 'no meetings before 10' }],
  'rule.day_limit': ["{who}'s full days (at most {meetings} a day)", { who: 'Ada', meetings: '4 meetings' }],
  'rule.holiday': ["{who}'s public holidays ({names})", { who: 'Ben', names: 'Thanksgiving Day' }],
  'rule.had_before': ['the times the meeting had before', {}],
  'where.range': ['in the preferred time range', {}],
  'where.rest': ['from now to {day}', { day: 'Friday, 8 May' }],
  'where.rest_of_range': ['in what is left of the preferred time range', {}],
  'open.first': [
    '{change}, the earliest time would be {time}.',
    { change: 'If Noah worked until 18:30', time: 'Monday, 4 May at 18:00' },
  ],
  'open.best': [
    '{change}, the best time would be {time}.',
    { change: 'If Ada took one more meeting a day', time: 'Monday, 4 May at 10:00' },
  ],
  'open.only': [
    '{change}, the only time would be {time}.',
    { change: 'If the meeting took 15 minutes', time: 'Monday, 4 May at 12:00' },
  ],
  'open.lunch': ['{time}, over lunch for {who}', { time: 'Monday, 15 January at 12:00', who: 'both' }],
  'open.date': ['{time}, {season}', { time: 'Friday, 27 November at 9:00', season: 'the day after Thanksgiving Day' }],
  'open.shorter_duration': ['If the meeting took {minutes} minutes', { minutes: '30' }],
  'open.more_days': ['The best time after that is {time}.', { time: 'Monday, 11 May at 10:00' }],
  'open.no_buffer': [
    'Without the {minutes} minutes that {who} keeps free around busy times',
    { minutes: '15', who: 'Ada' },
  ],
  'open.one_more': ['If {who} took one more meeting a day', { who: 'Ada' }],
  'open.focus_block': [
    "Without {who}'s focus block on {day} from {start} to {end}",
    { who: 'Ada', day: 'Monday', start: '9:00', end: '11:00' },
  ],
  'open.rule': ['Without {rule}', { rule: "Clara's rule “no meetings before 10”" }],
  'open.holiday': [
    'If {who} worked on {holiday} ({day})',
    { who: 'Ben', holiday: 'Thanksgiving Day', day: 'Thursday, 26 November' },
  ],
  'open.until': ['If {who} worked until {clock}', { who: 'Noah', clock: '18:30' }],
  'open.from': ['If {who} worked from {clock}', { who: 'Chloe', clock: '7:30' }],
  'open.weekends': ['If {who} worked on weekends', { who: 'Noah' }],
} as const;
