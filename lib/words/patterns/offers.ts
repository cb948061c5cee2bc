/** Sentence patterns for the reason of each offered time: its clocks, its advantages and its drawbacks. */
export const OFFERS = {
  // The time itself, on the clocks of both.
  'time.one_clock': ['{day} at {clock}', { day: 'Tuesday, 8 December', clock: '10:30' }],
  'time.clock_in': ['{clock} in {city}', { clock: '10:00', city: 'Berlin' }],
  'time.clock_utc': ['{clock} {zone}', { clock: '9:00', zone: 'UTC' }],
  'time.span': ['{from} to {to} on {day}', { day: 'Tuesday, 8 December', from: '9:00', to: '9:30 in Berlin' }],
  'time.clocks': ['{from} to {to}', { from: '9:00', to: '9:30 in Berlin' }],
  'time.other_day': ['{clock} on {weekday}', { clock: '7:30', weekday: 'Tuesday' }],
  'time.marked': ['{clock} ({side})', { clock: '19:00 in Sydney', side: 'late' }],
  'time.clock_offset': ['{clock} ({offset})', { clock: '1:30', offset: '-04:00' }],

  // A time that a platform offers in a proposal.
  'offer.time': ['{time}.', { time: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London' }],

  // Advantages that set an offered time apart from the other offered times.
  'slot.one_clock': ['{time}, {why}.', { time: 'Tuesday, 8 December at 10:30', why: 'a free morning for both' }],
  'slot.two_clocks': [
    '{time}: {why}.',
    {
      time: 'Wednesday, 10 January at 16:00 in Lisbon, 9:00 in Denver',
      why: 'with room to breathe before and after, but early for Noah',
    },
  ],
  but: ['{first}, but {second}', { first: 'with room to breathe before and after', second: 'early for Noah' }],
  // How far a search looked, after "the only time".
  'limit.until': ['until {date}', { date: '21 January' }],
  'limit.between': ['between {from} and {to}', { from: '21 November', to: '23 November' }],
  'limit.that_day': ['that day', {}],
  'slot.note': [
    '{sentence}; {note}.',
    {
      sentence: 'Wednesday, 21 November at 10:30, a free morning for Ada',
      note: 'Thursday, 22 November is Thanksgiving Day, a day off for Ben',
    },
  ],
  'note.days_off': [
    '{holidays}, days off for {who}',
    {
      holidays: 'Tuesday, 25 December is Christmas Day and Wednesday, 26 December is Boxing Day',
      who: 'both',
    },
  ],
  'note.holiday': ['{day} is {holiday}', { day: 'Tuesday, 25 December', holiday: 'Christmas Day' }],
  'note.clocks': [
    '{city} is then {hours} {side} {otherCity}, not {usual}',
    { city: 'New York', hours: '5 hours', side: 'behind', otherCity: 'Berlin', usual: '6' },
  ],
  'holiday.unnamed': ['a public holiday', {}],
  'gain.only': ['the only time {limit}', { limit: 'until 21 January' }],
  'gain.first': ['the earliest time that suits both', {}],
  'gain.soonest': ['the soonest of these', {}],
  'gain.soonest_on': ['the earliest of these on {weekday}', { weekday: 'Monday' }],
  'gain.last_before': ["the last free {length} of {who}'s day", { length: 'hour', who: 'Femke' }],
  'gain.last_of_day': ['the last free {length} of the day', { length: 'half hour' }],
  'gain.free_half': ['a free {half} for {who}', { half: 'morning', who: 'both' }],
  'gain.room': ['with room to breathe before and after', {}],
  'gain.mid_morning': ['mid-morning for {who}', { who: 'both' }],
  'gain.preferred': ['a time {who} prefers', { who: 'Ada' }],
  'gain.preferred_by_both': ['a time both prefer', {}],
  'gain.same_time_day': ['the same time {days}', { days: 'a day later' }],
  'gain.near_asked': ['{length} {direction} than asked', { length: 'half an hour', direction: 'later' }],
  'gain.same_half': ['the {half} {days}', { half: 'morning', days: 'a day later' }],

  // Differences between an offered time and the other offered times, where it has no advantage of its own.
  'apart.only_beside': ['the only one of these {side} {holiday}', { side: 'before', holiday: 'Christmas Day' }],
  'apart.last_before': ['the last of these {side} {holiday}', { side: 'before', holiday: 'Christmas Day' }],
  'apart.first_after': ['the first of these {side} {holiday}', { side: 'after', holiday: 'Christmas Day' }],
  'apart.room': ['with the most room of these before and after', {}],
  'apart.off': ['{apart}, a day off for {who}', { apart: 'the last of these before Christmas Day', who: 'both' }],
  'apart.next_week': ['in the following week', {}],
  'apart.only_half': ['the only one of these in the {half}', { half: 'afternoon' }],
  'apart.only_half_for': ['the only one of these in the {half} for {who}', { half: 'afternoon', who: 'Noah' }],
  'apart.in_day': ['the {most} of these in the day', { most: 'latest' }],
  'apart.on_clock': ["the {most} of these on {who}'s clock", { most: 'earliest', who: 'Noah' }],
  'apart.earlier_of_day': ['the earlier of the two that day', {}],
  'apart.later_of_day': ['the later of the two that day', {}],
  'apart.end_of_day': ['the {most} of these that day', { most: 'latest' }],

  // Drawbacks of an offered time.
  'cost.early': ['early', {}],
  'cost.late': ['late', {}],
  'cost.first_thing': ['first thing', {}],
  'cost.last_thing': ['at the end of the day', {}],
  'cost.lunch': ['over lunch', {}],
  'cost.friday': ['close to the weekend', {}],
  'cost.half_day': ['on {eve}', { eve: 'Christmas Eve' }],
  'cost.between_years': ['between Christmas and New Year', {}],
  'cost.bridge': ['the day {side} {holiday}', { side: 'after', holiday: 'Thanksgiving Day' }],
  'cost.bridge_for': [
    'the day {side} {holiday} for {who}',
    { side: 'after', holiday: 'Thanksgiving Day', who: 'Noah' },
  ],
  'cost.bridge_off': [
    'the day {side} {holiday}, which {who} {has} off',
    { side: 'after', holiday: 'Thanksgiving Day', who: 'Noah', has: 'has' },
  ],
  'cost.rather_not': ['a time {who} would rather avoid', { who: 'Ada' }],
  'cost.rather_not_of_both': ['a time both would rather avoid', {}],
  'cost.short_notice': ['at short notice', {}],
  'cost.back_to_back': ['back to back', {}],
  for: ['{what} for {who}', { what: 'early', who: 'Noah' }],
  and: ['{first} and {second}', { first: 'early for Noah', second: 'late for Chloe' }],
  pair: ['{first}, {second}', { first: 'Wednesday, 10 January at 10:00 in Berlin', second: '9:00 in London' }],
} as const;
