import { describe, expect, test } from 'vitest';
import { rankReschedule, rescheduleSpan } from '../../../../lib/engine/move/rank-reschedule.ts';
import type { RescheduleSearch } from '../../../../lib/engine/move/reschedule-choices.ts';
import type { Preferences } from '../../../../lib/engine/rank/auto-factors.ts';
import { DEFAULT_WEIGHTS } from '../../../../lib/engine/rules/defaults.ts';
import type { SearchedPerson } from '../../../../lib/engine/types.ts';
import type { Wish } from '../../../../lib/engine/wish/wish-parts.ts';
import { readByRules } from '../../../../lib/reader/grammar/read.ts';
import { calendarOf, wishOf } from '../../../../lib/reader/wish/wish-of.ts';
import { sayNoTimes } from '../../../../lib/words/no-times.ts';
import { describePick } from '../../../../lib/words/reasoning.ts';
import { at, dates, everyDay, person, span } from '../people.ts';

const HALF_HOUR = 1_800_000;
const flexible: Preferences = { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS };
const week = { timeZone: 'UTC' };
const ada = (about: Partial<SearchedPerson> = {}) => person({ ...week, ...about });
const bob = (about: Partial<SearchedPerson> = {}) => person({ email: 'bob@example.com', ...week, ...about });

/**
 * Returns a half-hour meeting on Tuesday, 5 May 2026 at `clock` that Ada wants to move. The current time is noon on the
 * Monday before.
 */
function moving(clock: string, wish: Wish, more: Partial<RescheduleSearch> = {}): RescheduleSearch {
  const start = at(`2026-05-05T${clock}Z`);
  return {
    requester: ada(),
    other: bob(),
    durationMinutes: 30,
    window: dates('2026-05-04', '2026-05-17'),
    now: at('2026-05-04T12:00Z'),
    requesterPreferences: flexible,
    otherPreferences: flexible,
    notAt: [start],
    old: { start, end: start + HALF_HOUR },
    wish,
    askerTimeZone: 'UTC',
    ...more,
  };
}

const together = { ...span('2026-05-07T14:00Z', '2026-05-07T14:30Z'), takenBy: 'mtg_1' };

/** Returns Bob, busy on that whole date. */
const busyOn = (date: string) => bob({ busy: [span(`${date}T00:00Z`, `${date}T24:00Z`)] });

const freeEarlyButOnMondays = bob({
  workHours: { ...everyDay('09:00', '10:30'), monday: { enabled: true, start: '09:00', end: '17:00' } },
});

const first = (search: RescheduleSearch) => rankReschedule(search).ranked[0]?.startTime.slice(5, 16);

describe('another time', () => {
  test.each<[string, RescheduleSearch, string]>([
    [
      '"Thursday or Friday" is the Friday if they meet on Thursday already, though Thursday is closer',
      moving(
        '11:00',
        { dates: ['2026-05-07'], or: [{ dates: ['2026-05-08'] }], closeness: { near: at('2026-05-07T11:00Z') } },
        { requester: ada({ meetings: [together] }), other: bob({ meetings: [together] }) },
      ),
      '05-08T11:00',
    ],
    [
      '"two hours later" is just that, over lunch too',
      moving('10:00', { relative: 'later', shiftMinutes: 120, closeness: { near: at('2026-05-05T12:00Z') } }),
      '05-05T12:00',
    ],
    [
      '"ten minutes later" is just that, though no quarter hour',
      moving('10:00', { relative: 'later', shiftMinutes: 10, closeness: { near: at('2026-05-05T10:10Z') } }),
      '05-05T10:10',
    ],
    [
      '"after three, but not on Monday" is five hours early rather than on the Monday',
      moving('10:00', { clockFrom: 15 * 60, weekdaysUnwanted: ['monday'] }, { other: freeEarlyButOnMondays }),
      '05-06T10:00',
    ],
  ])('%s', (_, search, expected) => {
    expect(first(search)).toBe(expected);
  });
});

test('without a free time the ranking explains why, for the days that were searched', () => {
  const { ranked, none } = rankReschedule(
    moving('10:00', {}, { other: bob({ busy: [span('2026-05-05T00:00Z', '2026-05-18T00:00Z')] }) }),
  );
  expect(ranked).toEqual([]);
  expect(none && sayNoTimes(none)).toBe(
    "Bob's busy times leave no half hour free for both between Tuesday, 5 May and Sunday, 17 May.",
  );
});

test.each<[string, string, Wish, [string, string]]>([
  ['from the old day on', '2026-06-10T10:00Z', {}, ['2026-06-09', '2026-06-24']],
  ['from now on for what is to be sooner', '2026-05-10T10:00Z', { sooner: true }, ['2026-05-04', '2026-05-24']],
  ['as far as was asked', '2026-05-10T10:00Z', { dates: ['2026-06-30'] }, ['2026-05-09', '2026-07-14']],
  ['around what is far away', '2026-05-10T10:00Z', { earliest: at('2026-12-01T00:00Z') }, ['2026-11-17', '2026-12-15']],
])('it is searched %s', (_, old, wish, expected) => {
  const start = at(old);
  const found = rescheduleSpan({
    now: at('2026-05-04T12:00Z'),
    old: { start, end: start + HALF_HOUR },
    wish,
    windowDays: 14,
  });
  expect([found.start, found.end].map((instant) => new Date(instant).toISOString().slice(0, 10))).toEqual(expected);
  expect(found.end - found.start).toBeLessThanOrEqual(88 * 86_400_000);
});

describe("settings of the person who asks, and nobody else's", () => {
  const asking = (clock: string, wish: Wish, more: Partial<RescheduleSearch> = {}) =>
    moving(clock, wish, { askedBy: ada().email, other: bob({ workHours: everyDay('06:00', '23:00') }), ...more });
  const drawbacks = (search: RescheduleSearch) => rankReschedule(search).ranked[0]?.facts().drawbacks;

  test.each<[string, RescheduleSearch, string]>([
    [
      'hours open on the old day, though the next is within the settings',
      asking(
        '14:00',
        { clockFrom: 16 * 60, clockTo: 16.5 * 60 },
        { requester: ada({ bufferMinutes: 15, busy: [span('2026-05-05T16:30Z', '2026-05-05T17:30Z')] }) },
      ),
      '05-05T16:00',
    ],
    [
      'an hour past the working day of the old day alone',
      asking(
        '14:00',
        { clockFrom: 19 * 60, clockTo: 19.5 * 60 },
        {
          requester: ada({
            workHours: { ...everyDay('08:00', '20:00'), tuesday: { enabled: true, start: '08:00', end: '18:00' } },
          }),
        },
      ),
      '05-05T19:00',
    ],
    [
      'a day off opens with its usual hours, if the named one is taken',
      asking(
        '10:00',
        { dates: ['2026-05-09'], clockFrom: 10 * 60, clockTo: 10.5 * 60 },
        {
          other: bob({ workHours: everyDay('06:00', '23:00'), busy: [span('2026-05-09T09:00Z', '2026-05-09T10:45Z')] }),
        },
      ),
      '05-09T10:45',
    ],
    ['"later in the day", at its end', asking('17:30', { relative: 'later' }), '05-05T17:45'],
    ['"earlier in the day", at its beginning', asking('08:00', { relative: 'earlier' }), '05-05T07:45'],
    [
      'words that only rule out another day leave the old one too',
      asking('10:00', { unasked: true, datesUnwanted: ['2026-05-06'] }),
      '05-07T10:00',
    ],
  ])('%s', (_, search, expected) => expect(first(search)).toBe(expected));

  test.each<[string, RescheduleSearch, object]>([
    [
      'half an hour later is blamed on the other person alone, and once',
      asking(
        '17:30',
        { relative: 'later', shiftMinutes: 30, closeness: { near: at('2026-05-05T18:00Z') } },
        { other: bob() },
      ),
      [{ kind: 'shift', because: [{ email: bob().email, rule: 'work_hours' }] }],
    ],
    [
      'a day off of both is blamed on the other person alone',
      asking('10:00', { dates: ['2026-05-09'] }, { other: bob() }),
      [{ kind: 'wish', part: 'dates', because: [{ email: bob().email, rule: 'work_hours' }] }],
    ],
    [
      'an hour that is free on other days is missed for the day with it',
      asking(
        '10:00',
        { dates: ['2026-05-07'], clockFrom: 19 * 60, clockTo: 19.5 * 60 },
        {
          other: bob({ workHours: everyDay('06:00', '23:00'), busy: [span('2026-05-07T18:30Z', '2026-05-07T23:00Z')] }),
        },
      ),
      [{ kind: 'wish', part: 'clockFrom', why: 'other_parts', because: [{ email: bob().email, rule: 'busy' }] }],
    ],
  ])('%s', (_, search, expected) => {
    const said = drawbacks(search)?.filter(({ kind }) => kind === 'wish' || kind === 'shift');
    expect(said).toMatchObject(expected);
  });
});

/** Writes a fact as its values, with the person and the rule behind it. */
const written = (fact: object) =>
  Object.values(fact)
    .flatMap((value) => (Array.isArray(value) ? value.map(({ email, rule }) => `${email ?? 'nobody'} ${rule}`) : value))
    .join(' ')
    .replaceAll('@example.com', '');

describe('what is told of it', () => {
  test.each<[string, RescheduleSearch, decided: string[], drawbacks?: string[]]>([
    [
      'a move by so much that the other is busy then',
      moving(
        '10:00',
        { relative: 'later', shiftMinutes: 60, closeness: { near: at('2026-05-05T11:00Z') } },
        { other: bob({ busy: [span('2026-05-05T11:00Z', '2026-05-05T11:30Z')] }) },
      ),
      ['wish relative'],
      ['shift 60 bob busy'],
    ],
    [
      'an hour that no day has, as one thing',
      moving('10:00', { clockFrom: 900, clockTo: 930 }, { other: bob({ workHours: everyDay('08:00', '15:15') }) }),
      ['wish clockTo', 'nearest old_time'],
      ['wish clockFrom no_common_time bob work_hours'],
    ],
    [
      'a range, of which nothing beyond it is told',
      moving('10:00', {}, { within: span('2026-05-05T14:00Z', '2026-05-05T14:30Z') }),
      ['in_range'],
    ],
    [
      'a day that is full, and whose times fill it',
      moving('10:00', { dates: ['2026-05-07'] }, { other: busyOn('2026-05-07') }),
      [],
      ['wish dates no_common_time bob busy'],
    ],
    [
      'a later hour that no day has, where the old one is no later',
      moving('10:00', { relative: 'later' }, { other: bob({ workHours: everyDay('08:00', '10:30') }) }),
      ['nearest old_time'],
      ['wish relative no_common_time bob work_hours'],
    ],
    [
      'a date beyond what is searched',
      moving('10:00', { dates: ['2026-07-01'] }),
      [],
      ['wish dates no_common_time nobody window'],
    ],
  ])('%s', (_, search, decided, drawbacks = []) => {
    const facts = rankReschedule(search).ranked[0]?.facts();
    expect(facts?.decided.map(written)).toEqual(decided);
    expect(facts?.drawbacks.map(written)).toEqual(drawbacks);
    expect(facts?.avoided).toEqual([]);
  });
});

/** Moves a meeting at two on Thursday, 7 May, as words ask that are written on the Monday before. */
const askedFor = (words: string, clock = '14:00', more: Partial<RescheduleSearch> = {}) => {
  const [start, now] = [at(`2026-05-07T${clock}Z`), at('2026-05-04T08:00Z')];
  const old = { start, end: start + HALF_HOUR };
  const asker = { timeZone: 'UTC', now, oldStart: old.start, oldEnd: old.end };
  const wish = wishOf(readByRules(words, calendarOf(asker)), asker);
  const search = moving(clock, wish, { old, now, notAt: [start], ...more });
  const facts = rankReschedule(search).ranked[0]?.facts();
  return facts && describePick(facts, { email: ada().email, timeZone: 'UTC', wish, oldStart: start });
};

test.each<[string, string, string]>([
  ['Can we do this sooner?', '14:00', 'Tuesday, 5 May at 14:00: sooner than planned, as Ada asked.'],
  ['Friday, or else early next week', '10:00', 'Friday, 8 May at 10:00, as Ada asked.'],
  ['Could we do Wednesday? If that does not work, Friday.', '10:00', 'Wednesday, 6 May at 10:00, as Ada asked.'],
  ['If it must be at four, then Friday. Otherwise Wednesday 4:30', '14:00', 'Wednesday, 6 May at 16:30, as Ada asked.'],
  ['Can we do 4:30pm instead? Four is when the kids eat', '14:00', 'Thursday, 7 May at 16:30, as Ada asked.'],
])('"%s"', (words, clock, expected) => {
  expect(askedFor(words, clock)).toBe(`The meeting is now on ${expected}`);
});

test.each([
  [
    'Friday, or else early next week',
    'No time on Friday, 8 May suits both, so the meeting is now on Monday, 11 May at 10:00, as Ada asked.',
  ],
  [
    'Ideally Friday, otherwise Wednesday',
    'No time on Friday, 8 May suits both, so the meeting is now on Wednesday, 6 May at 10:00, as Ada asked.',
  ],
])('what was asked for second comes second, and the answer says so: "%s"', (words, expected) => {
  expect(askedFor(words, '10:00', { other: busyOn('2026-05-08') })).toBe(expected);
});

test('what was asked for first is taken at a worse hour too', () => {
  const busy = [span('2026-05-08T08:00Z', '2026-05-08T17:30Z')];
  expect(askedFor('Friday or Wednesday', '10:00', { other: bob({ busy }) })).toContain('Wednesday, 6 May at 10:00');
  expect(askedFor('Friday, otherwise Wednesday', '10:00', { other: bob({ busy }) })).toContain(
    'Friday, 8 May at 17:30',
  );
});
