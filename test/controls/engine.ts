import type { Control } from './control.ts';

interface Fault {
  name: string;
  file: string;
  from: string;
  to: string;
}

const FAULTS: Fault[] = [
  {
    name: 'a zone keeps one offset',
    file: 'time/zone-table.ts',
    from: "const changes = written.split(',').map((one) => {",
    to: "const changes = written.split(',').slice(0, 1).map((one) => {",
  },
  {
    name: 'an offset changes an hour late',
    file: 'time/zone-table.ts',
    from: 'start += Number.parseInt(since, 36) * QUARTER;',
    to: 'start += Number.parseInt(since, 36) * QUARTER + 3_600_000;',
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
    from: 'const taken = (spans[j] as number) - widenBy',
    to: 'const taken = spans[j] as number',
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
    from: 'count >= maxMeetingsPerDay',
    to: 'count > maxMeetingsPerDay',
  },
  {
    name: 'meetings count on the UTC date',
    file: 'rules/free-time.ts',
    from: 'localDay(timeZone, start)',
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
    file: 'rules/free-time.ts',
    from: '- duration;',
    to: '- duration + 1;',
  },
  {
    name: 'a block is given up with what other blocks cover too',
    file: 'rules/relaxations.ts',
    from: 'subtract(inOrder(own), inOrder(others))',
    to: '[...inOrder(own)]',
  },
  { name: 'no notice is kept', file: 'rules/free-time.ts', from: 'now + NOTICE', to: 'now' },
  {
    name: 'lunch ends at noon',
    file: 'rank/score.ts',
    from: '[startMinute < 13 * HOUR,',
    to: '[startMinute <= 12 * HOUR,',
  },
  { name: 'Friday is Thursday', file: 'rank/score.ts', from: 'FRIDAY = 4', to: 'FRIDAY = 3' },
  {
    name: 'fairness looks at the requester only',
    file: 'rank/score.ts',
    from: '& ~midMorning.bit)',
    to: '& ~midMorning.bit & ~fairness.bit)',
  },
  {
    name: 'the end is read with the start’s offset',
    file: 'time/moment.ts',
    from: 'end < wall.span.end ?',
    to: 'end > 0 ?',
  },
  { name: 'picks may overlap', file: 'rank/spread.ts', from: '>= duration)) picked', to: '>= 0)) picked' },
  {
    name: 'offers may overlap',
    file: 'rank/spread.ts',
    from: 'distance < duration) return 0',
    to: 'distance < 0) return 0',
  },
  {
    name: 'a start early in the next day of a person who sleeps is no short notice',
    file: 'rank/merit.ts',
    from: 'Math.max(readBy(requester, now), readBy(other, now))',
    to: 'now',
  },
  {
    name: 'a second time on a date costs nothing',
    file: 'rank/parts.ts',
    from: 'same_date: { number: 0.3',
    to: 'same_date: { number: 1',
  },
  {
    name: 'times side by side are apart',
    file: 'rank/parts.ts',
    from: 'side_by_side: { number: 0.3',
    to: 'side_by_side: { number: 1',
  },
  {
    name: 'all times may be at one hour',
    file: 'rank/parts.ts',
    from: 'same_clock: { number: 0.75',
    to: 'same_clock: { number: 1',
  },
  {
    name: 'a focus block needs no break',
    file: 'rank/surroundings.ts',
    from: 'const beside = kept.length === 0 ? taken',
    to: 'const beside = kept.length >= 0 ? taken',
  },
  {
    name: 'comfort decides nothing among equals',
    file: 'rank/merit.ts',
    from: 'return timesParts(timesParts(value, ownHeld & by), theirHeld & by);',
    to: 'return value;',
  },
  { name: 'merit comes before the score', file: 'rank/merit.ts', from: 'if (gap !== 0) return gap;', to: '' },
  {
    name: 'the other’s lunch costs nothing',
    file: 'rank/score.ts',
    from: '& ~midMorning.bit)',
    to: '& ~midMorning.bit & ~lunch.bit)',
  },
  { name: 'later is as good as sooner', file: 'rank/parts.ts', from: '0.08 * days', to: '0 * days' },
  {
    name: 'a date of meetings costs nothing',
    file: 'rank/surroundings.ts',
    from: 'time += Math.min(edgeAt(taken, j + 1), closes) - Math.max(edgeAt(taken, j), opens)',
    to: 'time += 0',
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
    from: '-Math.floor((last - start)',
    to: 'Math.floor((last - start)',
  },
  {
    name: 'nobody takes turns',
    file: 'rank/fairness.ts',
    from: 'outsideDay(isRequester ? moment.requester : moment.other) === undefined',
    to: 'moment.start > 0',
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
    from: '(was + 1 - wall.startMinute)',
    to: '(was - wall.startMinute)',
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
    file: 'rules/free-time.ts',
    from: 'notAt?.includes(start)',
    to: 'notAt?.includes(-start)',
  },
  { name: 'nearness is all', file: 'rank/parts.ts', from: '[4, 6, 1.1]', to: '[0.1, 6, 1.1]' },
  {
    name: 'of two that are as near the earlier comes first',
    file: 'rank/parts.ts',
    from: '[4, 6, 1.1]',
    to: '[4, 6, 1]',
  },
  {
    name: 'meetings of a round overlap by a quarter of an hour',
    file: 'plan/board.ts',
    from: 'if (start < at(this.to, other) + buffer && ',
    to: 'if (start + 900_000 < at(this.to, other) + buffer && ',
  },
  {
    name: 'a plan looks at the priorities from below',
    file: 'plan/plan.ts',
    from: 'sort((a, b) => b - a)',
    to: 'sort((a, b) => a - b)',
  },
  {
    name: 'two meetings in a row make room instead of three',
    file: 'plan/plan.ts',
    from: 'const CHAINS = [[0, 1], [2], [3], [1, 2, 3], [1, 2, 3]]',
    to: 'const CHAINS = [[0, 1], [2], [2], [1, 2], [1, 2]]',
  },
  {
    name: 'a chain that fails leaves a pair without its time',
    file: 'plan/placing.ts',
    from: 'board.put(other, before);',
    to: '',
  },
  {
    name: 'a swap moves a pair of higher priority',
    file: 'plan/plan.ts',
    from: 'board.pair(other).priority <= priority',
    to: 'true',
  },
  { name: 'one pair leaves and none comes', file: 'plan/plan.ts', from: 'board.restore(before);', to: '' },
];

export const ENGINE: Control[] = FAULTS.map(({ name, file, from, to }) => ({
  name: `${name} (${file})`,
  edits: [{ file: `lib/engine/${file}`, from, to }],
  suites: ['test/lib/engine'],
}));
