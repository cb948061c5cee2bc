import type { Control } from './control.ts';

/** Faults by file of `lib/engine`: the text to find, and its replacement. */
const FAULTS: Record<string, Record<string, [from: string, to: string]>> = {
  'time/zone-table.ts': {
    'a zone keeps one offset': [
      "const changes = written.split(',').map((one) => {",
      "const changes = written.split(',').slice(0, 1).map((one) => {",
    ],
    'an offset changes an hour late': [
      'start += Number.parseInt(since, 36) * QUARTER;',
      'start += Number.parseInt(since, 36) * QUARTER + 3_600_000;',
    ],
  },
  'time/wall-instants.ts': {
    'hours are not clipped at a transition': ['Math.max(start, span.start)', 'start'],
    'hours past a transition are kept': ['Math.min(end, span.end)', 'end'],
    'the window loses its last day': ['day <= last', 'day < last'],
    'the other person has the requester’s dates': ['{ first: first - 2, last: last + 2 }', '{ first, last }'],
  },
  'time/intervals.ts': {
    'the buffer is kept after busy times only': [
      'const taken = (spans[j] as number) - widenBy',
      'const taken = spans[j] as number',
    ],
    'busy times are taken as sorted': ['return sort(edges)', 'return edges'],
    'a nested busy time ends the outer one': ['until <= start || ', ''],
  },
  'rules/free-time.ts': {
    'our own meetings are not busy': ['person.meetings.length === 0 ? free', 'person.meetings.length >= 0 ? free'],
    'one meeting too many fits a day': ['count >= maxMeetingsPerDay', 'count > maxMeetingsPerDay'],
    'meetings count on the UTC date': ['localDay(timeZone, start)', "localDay('UTC', start)"],
    'people work on their holidays': ['return full.size === 0 ? holidays', 'return full.size === 0 ? full'],
    'a day of many meetings ends the holidays': ['holidays.has(day) || full.has(day)', 'full.has(day)'],
    'focus blocks are ignored': ['applied.focusBlocks ? person.focusBlocks : []', '[]'],
    'a meeting may end after the free time': ['- duration;', '- duration + MINUTE;'],
    'no notice is kept': ['now + NOTICE', 'now'],
    'a meeting moves to a time it had': ['notAt?.includes(start)', 'notAt?.includes(-start)'],
  },
  'rules/holidays.ts': {
    'a meeting that ends on a holiday avoids it': ['overlaps(instants, span)', 'instants.length > 0'],
  },
  'rules/relaxations.ts': {
    'a block is given up with what other blocks cover too': [
      'subtract(inOrder(own), inOrder(others))',
      '[...inOrder(own)]',
    ],
  },
  'rank/score.ts': {
    'lunch ends at noon': ['[startMinute < 13 * HOUR,', '[startMinute <= 12 * HOUR,'],
    'Friday is Thursday': ['FRIDAY = 4', 'FRIDAY = 3'],
    'fairness looks at the requester only': ['& ~midMorning.bit)', '& ~midMorning.bit & ~fairness.bit)'],
    'the other’s lunch costs nothing': ['& ~midMorning.bit)', '& ~midMorning.bit & ~lunch.bit)'],
  },
  'time/moment.ts': { 'the end is read with the start’s offset': ['end < wall.span.end ?', 'end > 0 ?'] },
  'rank/spread.ts': {
    'picks may overlap': ['>= duration)) picked', '>= 0)) picked'],
    'offers may overlap': ['distance < duration) return 0', 'distance < 0) return 0'],
  },
  'rank/merit.ts': {
    'a start early in the next day of a person who sleeps is no short notice': [
      'Math.max(readBy(requester, now), readBy(other, now))',
      'now',
    ],
    'comfort decides nothing among equals': [
      'return timesParts(timesParts(value, ownHeld & by), theirHeld & by);',
      'return value;',
    ],
    'merit comes before the score': ['if (gap !== 0) return gap;', ''],
  },
  'rank/parts.ts': {
    'a second time on a date costs nothing': ['same_date: { number: 0.3', 'same_date: { number: 1'],
    'times side by side are apart': ['side_by_side: { number: 0.3', 'side_by_side: { number: 1'],
    'all times may be at one hour': ['same_clock: { number: 0.75', 'same_clock: { number: 1'],
    'later is as good as sooner': ['0.08 * days', '0 * days'],
    'nearness is all': ['[4, 6, 1.1]', '[0.1, 6, 1.1]'],
    'of two that are as near the earlier comes first': ['[4, 6, 1.1]', '[4, 6, 1]'],
  },
  'rank/surroundings.ts': {
    'a break on one date needs no distance': [
      'blockInstants(timeZone, days, never)',
      'blockInstants(timeZone, days, never.filter(({ dates }) => dates === undefined))',
    ],
    'a focus block needs no break': [
      'const beside = kept.length === 0 ? taken',
      'const beside = kept.length >= 0 ? taken',
    ],
    'a date of meetings costs nothing': [
      'time += Math.min(edgeAt(taken, j + 1), closes) - Math.max(edgeAt(taken, j), opens)',
      'time += 0',
    ],
  },
  'rank/auto-factors.ts': {
    'soon matters more': ['rather: 1 / 60', 'rather: 1 / 10'],
    'recency counts within the notice': [" && !(name === 'recency' && moment.start < noticed)", ''],
    'only what touches is back to back': ['BACK_TO_BACK_MINUTES = 15', 'BACK_TO_BACK_MINUTES = 0'],
    'the best there could be is not mid-morning': ["part === 'morning' ? midMorning.multiplier : 1", '1'],
    'the other’s energy is read on the requester’s clock': [
      '({ other: wall }) => wall',
      '({ requester: wall }) => wall',
    ],
  },
  'rank/rank-auto.ts': {
    'the notice of a context is not kept': ['start >= search.now + notice * MINUTE', 'notice > 0'],
    'without enough notice the first time is taken': ['-Math.floor((last - start)', 'Math.floor((last - start)'],
  },
  'rank/fairness.ts': {
    'nobody takes turns': [
      'outsideDay(isRequester ? moment.requester : moment.other) === undefined',
      'moment.start > 0',
    ],
    'a day for fairness ends at five': ['CLOSES = 18 * 60', 'CLOSES = 17 * 60'],
  },
  'wish/wish-parts.ts': {
    '"not Monday" is no firmer than "Thursday"': ['weekdaysUnwanted: { atAll: 24', 'weekdaysUnwanted: { atAll: 6'],
    'the same hour is later': ['(was + 1 - wall.startMinute)', '(was - wall.startMinute)'],
    'a weekday is far from the week before': ['Math.min(days, 7 - days)', 'days'],
  },
  'move/rank-reschedule.ts': {
    'a meeting moves before its day': ['floor > now ? floor : undefined', 'floor > now ? undefined : undefined'],
  },
  'plan/board.ts': {
    'meetings of a round overlap by a quarter of an hour': [
      'if (start < at(this.to, other) + buffer && ',
      'if (start + 900_000 < at(this.to, other) + buffer && ',
    ],
  },
  'plan/plan.ts': {
    'a plan looks at the priorities from below': ['sort((a, b) => b - a)', 'sort((a, b) => a - b)'],
    'two meetings in a row make room instead of three': [
      'const CHAINS = [[0, 1], [2], [3], [1, 2, 3], [1, 2, 3]]',
      'const CHAINS = [[0, 1], [2], [2], [1, 2], [1, 2]]',
    ],
    'a swap moves a pair of higher priority': ['board.pair(other).priority <= priority', 'true'],
    'one pair leaves and none comes': ['board.restore(before);', ''],
  },
  'plan/placing.ts': { 'a chain that fails leaves a pair without its time': ['board.put(other, before);', ''] },
};

export const ENGINE: Control[] = Object.entries(FAULTS).flatMap(([file, faults]) =>
  Object.entries(faults).map(([name, [from, to]]) => ({
    name: `${name} (${file})`,
    edits: [{ file: `lib/engine/${file}`, from, to }],
    suites: ['test/lib/engine'],
  })),
);
