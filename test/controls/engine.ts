import type { Control } from './control.ts';

interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
}

const FAULTS: Fault[] = [
  { name: 'a zone keeps one offset', file: 'time/zone.ts', from: 'probe += DAY', to: 'probe += 400 * DAY' },
  {
    name: 'an offset changes an hour late',
    file: 'time/zone.ts',
    from: 'return after * 1000',
    to: 'return after * 1000 + 3_600_000',
  },
  {
    name: 'hours are not clipped at a transition',
    file: 'time/wall-instants.ts',
    from: 'Math.max(start, span.start)',
    to: 'start',
  },
  {
    name: 'hours past a transition are kept',
    file: 'time/wall-instants.ts',
    from: 'Math.min(end, span.end)',
    to: 'end',
  },
  { name: 'the window loses its last day', file: 'time/wall-instants.ts', from: 'day <= last', to: 'day < last' },
  {
    name: 'the other person has the requester’s dates',
    file: 'time/wall-instants.ts',
    from: '{ first: first - 2, last: last + 2 }',
    to: '{ first, last }',
  },
  {
    name: 'the buffer is kept after busy times only',
    file: 'time/intervals.ts',
    from: 'const taken = edgeAt(spans, j) - widenBy',
    to: 'const taken = edgeAt(spans, j)',
  },
  { name: 'busy times are taken as sorted', file: 'time/intervals.ts', from: 'return sort(edges)', to: 'return edges' },
  { name: 'a nested busy time ends the outer one', file: 'time/intervals.ts', from: 'until <= start || ', to: '' },
  {
    name: 'our own meetings are not busy',
    file: 'rules/free-time.ts',
    from: 'person.meetings.length === 0 ? free',
    to: 'person.meetings.length >= 0 ? free',
  },
  {
    name: 'one meeting too many fits a day',
    file: 'rules/free-time.ts',
    from: 'count >= person.maxMeetingsPerDay',
    to: 'count > person.maxMeetingsPerDay',
  },
  {
    name: 'meetings count on the UTC date',
    file: 'rules/free-time.ts',
    from: 'localDay(person.timeZone, start)',
    to: "localDay('UTC', start)",
  },
  {
    name: 'people work on their holidays',
    file: 'rules/free-time.ts',
    from: 'return full.size === 0 ? holidays',
    to: 'return full.size === 0 ? full',
  },
  {
    name: 'a day of many meetings ends the holidays',
    file: 'rules/free-time.ts',
    from: 'holidays.has(day) || full.has(day)',
    to: 'full.has(day)',
  },
  {
    name: 'a meeting that ends on a holiday avoids it',
    file: 'rules/holidays.ts',
    from: 'overlaps(instants, span)',
    to: 'instants.length > 0',
  },
  {
    name: 'focus blocks are ignored',
    file: 'rules/free-time.ts',
    from: 'applied.focusBlocks ? person.focusBlocks : []',
    to: '[]',
  },
  {
    name: 'a meeting may end after the free time',
    file: 'rules/candidates.ts',
    from: '- duration;',
    to: '- duration + 1;',
  },
  {
    name: 'a block is given up with what other blocks cover too',
    file: 'rules/without-block.ts',
    from: 'minute) === 1)',
    to: 'minute) >= 1)',
  },
  { name: 'no notice is kept', file: 'rules/candidates.ts', from: 'now + NOTICE', to: 'now' },
  {
    name: 'lunch ends at noon',
    file: 'rank/score.ts',
    from: 'wall.startMinute < hour(13)',
    to: 'wall.startMinute <= hour(12)',
  },
  { name: 'Friday is Thursday', file: 'rank/score.ts', from: 'FRIDAY = 4', to: 'FRIDAY = 3' },
  { name: 'fairness looks at the requester only', file: 'rank/score.ts', from: ' || isOutsideDay(other)', to: '' },
  {
    name: 'the end is read with the start’s offset',
    file: 'time/moment.ts',
    from: 'end < wall.span.end ?',
    to: 'end > 0 ?',
  },
  { name: 'slots may overlap', file: 'rank/pick-slots.ts', from: '< duration) return false', to: '< 0) return false' },
  {
    name: 'offers may overlap',
    file: 'rank/pick-offers.ts',
    from: 'if (distance < duration) added',
    to: 'if (distance < 0) added',
  },
  {
    name: 'a start early in the next day of a person who sleeps is no short notice',
    file: 'rank/pick-offers.ts',
    from: '&& start > lastOvernight',
    to: '&& start > 0',
  },
  {
    name: 'two starts of one date may be within an hour',
    file: 'rank/pick-offers.ts',
    from: 'SIDE_BY_SIDE = HOUR',
    to: 'SIDE_BY_SIDE = 0',
  },
  {
    name: 'a focus block needs no break',
    file: 'rank/surroundings.ts',
    from: 'if (focusBlocks.length === 0) return taken',
    to: 'if (focusBlocks.length >= 0) return taken',
  },
  {
    name: 'comfort decides nothing among equals',
    file: 'rank/pick-offers.ts',
    from: 'const comfort = comfortAt(i);',
    to: 'const comfort = mostComfort(edgeAt(starts, i), now);',
  },
  {
    name: 'the other’s lunch costs nothing',
    file: 'rank/score.ts',
    from: ' || overlapsLunch(other)',
    to: '',
  },
  {
    name: 'the last two give up half the product',
    file: 'rank/pick-offers.ts',
    from: 'GIVEN_UP_FOR_A_DATE = 0.1',
    to: 'GIVEN_UP_FOR_A_DATE = 0.5',
  },
  {
    name: 'a time near another pick stays, although another date would do',
    file: 'rank/pick-offers.ts',
    from: 'GIVEN_UP_TO_BE_APART = 0.25',
    to: 'GIVEN_UP_TO_BE_APART = 0',
  },
  { name: 'to touch one meeting costs nothing', file: 'rank/comfort.ts', from: 'onOneSide: 0.8', to: 'onOneSide: 1' },
  { name: 'the last days of December are whole', file: 'rank/comfort.ts', from: 'HALF_DAY = 0.5', to: 'HALF_DAY = 1' },
  {
    name: 'a free stretch ends with its first part',
    file: 'rank/surroundings.ts',
    from: 'longest < LONG_ENOUGH && from < closes',
    to: 'longest === 0 && from < closes',
  },
  { name: 'soon matters more', file: 'rank/auto-factors.ts', from: 'rather: 1 / 60', to: 'rather: 1 / 10' },
  {
    name: 'recency counts within the notice',
    file: 'rank/auto-factors.ts',
    from: " && !(name === 'recency' && moment.start < noticed)",
    to: '',
  },
  {
    name: 'only what touches is back to back',
    file: 'rank/auto-factors.ts',
    from: 'BACK_TO_BACK_MINUTES = 15',
    to: 'BACK_TO_BACK_MINUTES = 0',
  },
  {
    name: 'the best there could be is not mid-morning',
    file: 'rank/auto-factors.ts',
    from: "part === 'morning' ? midMorning.multiplier : 1",
    to: '1',
  },
  {
    name: 'the other’s energy is read on the requester’s clock',
    file: 'rank/auto-factors.ts',
    from: '({ other: wall }) => wall',
    to: '({ requester: wall }) => wall',
  },
  {
    name: 'the notice of a context is not kept',
    file: 'rank/rank-auto.ts',
    from: 'start >= search.now + notice * MINUTE',
    to: 'notice > 0',
  },
  {
    name: 'without enough notice the first time is taken',
    file: 'rank/rank-auto.ts',
    from: '({ start }) => start);',
    to: '({ start }) => -start);',
  },
  {
    name: 'two may bear what one could',
    file: 'rank/fairness.ts',
    from: 'peopleIn(one) - peopleIn(two) ||',
    to: '',
  },
  {
    name: 'what was carried before is forgotten',
    file: 'rank/fairness.ts',
    from: 'compareBurdens(plus(before, one), plus(before, two))',
    to: 'compareBurdens(one, two)',
  },
  {
    name: 'a day for fairness ends at five',
    file: 'rank/fairness.ts',
    from: 'CLOSES = 18 * 60',
    to: 'CLOSES = 17 * 60',
  },
  {
    name: '"not Monday" is no firmer than "Thursday"',
    file: 'wish/wish-parts.ts',
    from: 'weekdaysUnwanted: { atAll: 24',
    to: 'weekdaysUnwanted: { atAll: 6',
  },
  {
    name: 'the same hour is later',
    file: 'wish/wish-parts.ts',
    from: 'old.wall.startMinute + 1 - wall.startMinute',
    to: 'old.wall.startMinute - wall.startMinute',
  },
  {
    name: 'a weekday is far from the week before',
    file: 'wish/wish-parts.ts',
    from: 'Math.min(days, 7 - days)',
    to: 'days',
  },
  {
    name: 'a meeting moves before its day',
    file: 'move/rank-reschedule.ts',
    from: 'floor > now ? floor : undefined',
    to: 'floor > now ? undefined : undefined',
  },
  {
    name: 'a meeting moves to a time it had',
    file: 'rules/candidates.ts',
    from: 'notAt?.includes(start)',
    to: 'notAt?.includes(-start)',
  },
  { name: 'nearness is all', file: 'move/reschedule-choices.ts', from: 'HOURS_PER_HALF = 4', to: 'HOURS_PER_HALF = 0' },
  {
    name: 'of two that are as near the earlier comes first',
    file: 'move/reschedule-choices.ts',
    from: 'Number(a.isBefore) - Number(b.isBefore) || ',
    to: '',
  },
];

/** Faults of the engine, each one edit. */
export const ENGINE: Control[] = FAULTS.map(({ name, file, from, to }) => ({
  name: `${name} (${file})`,
  edits: [{ file: `lib/engine/${file}`, from, to }],
  suites: ['test/lib/engine'],
}));
