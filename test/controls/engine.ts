import type { Control } from './control.ts';

interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
}

const FAULTS: Fault[] = [
  { name: 'a zone keeps one offset', file: 'zone.ts', from: 'probe += DAY', to: 'probe += 400 * DAY' },
  {
    name: 'an offset changes an hour late',
    file: 'zone.ts',
    from: 'return after * 1000',
    to: 'return after * 1000 + 3_600_000',
  },
  {
    name: 'hours are not clipped at a transition',
    file: 'wall-instants.ts',
    from: 'Math.max(start, span.start)',
    to: 'start',
  },
  { name: 'hours past a transition are kept', file: 'wall-instants.ts', from: 'Math.min(end, span.end)', to: 'end' },
  { name: 'the window loses its last day', file: 'wall-instants.ts', from: 'day <= last', to: 'day < last' },
  {
    name: 'the other person has the requester’s dates',
    file: 'wall-instants.ts',
    from: '{ first: first - 2, last: last + 2 }',
    to: '{ first, last }',
  },
  {
    name: 'the buffer is kept after busy times only',
    file: 'intervals.ts',
    from: 'const taken = edgeAt(spans, j) - widenBy',
    to: 'const taken = edgeAt(spans, j)',
  },
  { name: 'busy times are taken as sorted', file: 'intervals.ts', from: 'return sort(edges)', to: 'return edges' },
  { name: 'a nested busy time ends the outer one', file: 'intervals.ts', from: 'until <= start || ', to: '' },
  {
    name: 'our own meetings are not busy',
    file: 'person-rules.ts',
    from: 'person.meetings.length === 0 ? free',
    to: 'person.meetings.length >= 0 ? free',
  },
  {
    name: 'one meeting too many fits a day',
    file: 'person-rules.ts',
    from: 'count >= person.maxMeetingsPerDay',
    to: 'count > person.maxMeetingsPerDay',
  },
  {
    name: 'meetings count on the UTC date',
    file: 'person-rules.ts',
    from: 'localDay(person.timeZone, start)',
    to: "localDay('UTC', start)",
  },
  {
    name: 'focus blocks are ignored',
    file: 'person-rules.ts',
    from: 'applied.focusBlocks ? person.focusBlocks : []',
    to: '[]',
  },
  { name: 'a meeting may end after the free time', file: 'candidates.ts', from: '- duration;', to: '- duration + 1;' },
  { name: 'no notice is kept', file: 'candidates.ts', from: 'now + NOTICE', to: 'now' },
  {
    name: 'lunch ends at noon',
    file: 'score.ts',
    from: 'wall.startMinute < hour(13)',
    to: 'wall.startMinute <= hour(12)',
  },
  { name: 'Friday is Thursday', file: 'score.ts', from: 'FRIDAY = 4', to: 'FRIDAY = 3' },
  { name: 'fairness looks at the requester only', file: 'score.ts', from: ' || isOutsideDay(other)', to: '' },
  {
    name: 'the end is read with the start’s offset',
    file: 'moment.ts',
    from: 'end < wall.span.end ?',
    to: 'end > 0 ?',
  },
  { name: 'slots may overlap', file: 'ranked.ts', from: '>= duration)', to: '>= 0)' },
  {
    name: 'later comes first among equals',
    file: 'ranked.ts',
    from: 'equals.push(i)',
    to: 'equals.unshift(i)',
  },
  {
    name: 'the other’s lunch costs nothing',
    file: 'auto-factors.ts',
    from: 'OTHER_LUNCH = 0.8',
    to: 'OTHER_LUNCH = 1',
  },
  { name: 'soon matters more', file: 'auto-factors.ts', from: 'rather: 1 / 60', to: 'rather: 1 / 10' },
  {
    name: 'recency counts within the notice',
    file: 'auto-factors.ts',
    from: " && !(name === 'recency' && moment.start < noticed)",
    to: '',
  },
  {
    name: 'only what touches is back to back',
    file: 'auto-factors.ts',
    from: 'BACK_TO_BACK_MINUTES = 15',
    to: 'BACK_TO_BACK_MINUTES = 0',
  },
  {
    name: 'the best there could be is not mid-morning',
    file: 'auto-factors.ts',
    from: 'prefers.morning * midMorning.multiplier',
    to: 'prefers.morning',
  },
  {
    name: 'the other’s energy is read on the requester’s clock',
    file: 'auto-factors.ts',
    from: '({ other: wall }) => wall',
    to: '({ requester: wall }) => wall',
  },
  {
    name: 'the notice of a context is not kept',
    file: 'rank-auto.ts',
    from: 'start >= search.now + notice * MINUTE',
    to: 'notice > 0',
  },
  {
    name: 'without enough notice the first time is taken',
    file: 'rank-auto.ts',
    from: '({ start }) => start);',
    to: '({ start }) => -start);',
  },
  {
    name: 'two may bear what one could',
    file: 'fairness.ts',
    from: 'peopleIn(one) - peopleIn(two) ||',
    to: '',
  },
  {
    name: 'what was carried before is forgotten',
    file: 'fairness.ts',
    from: 'compareBurdens(plus(before, one), plus(before, two))',
    to: 'compareBurdens(one, two)',
  },
  { name: 'a day for fairness ends at five', file: 'fairness.ts', from: 'CLOSES = 18 * 60', to: 'CLOSES = 17 * 60' },
  {
    name: '"not Monday" is no firmer than "Thursday"',
    file: 'wish-parts.ts',
    from: 'weekdaysUnwanted: { atAll: 24',
    to: 'weekdaysUnwanted: { atAll: 6',
  },
  {
    name: 'the same hour is later',
    file: 'wish-parts.ts',
    from: 'old.wall.startMinute + 1 - wall.startMinute',
    to: 'old.wall.startMinute - wall.startMinute',
  },
  {
    name: 'a weekday is far from the week before',
    file: 'wish-parts.ts',
    from: 'Math.min(days, 7 - days)',
    to: 'days',
  },
  {
    name: 'a meeting moves before its day',
    file: 'rank-reschedule.ts',
    from: 'floor > now ? floor : undefined',
    to: 'floor > now ? undefined : undefined',
  },
  {
    name: 'a meeting moves to a time it had',
    file: 'candidates.ts',
    from: '!notAt.includes(start)',
    to: '!notAt.includes(-start)',
  },
  { name: 'nearness is all', file: 'reschedule-choices.ts', from: 'HOURS_PER_HALF = 4', to: 'HOURS_PER_HALF = 0' },
  {
    name: 'of two that are as near the earlier comes first',
    file: 'reschedule-choices.ts',
    from: 'Number(a.isBefore) - Number(b.isBefore) || ',
    to: '',
  },
];

/** The engine, broken in one place at a time. */
export const ENGINE: Control[] = FAULTS.map(({ name, file, from, to }) => ({
  name: `${name} (${file})`,
  edits: [{ file: `lib/scheduling/${file}`, from, to }],
  suites: ['test/lib/scheduling'],
}));
