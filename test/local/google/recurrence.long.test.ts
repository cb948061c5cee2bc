import { describe, expect, test } from 'vitest';
import { checkRecurrence, startsFrom, startsWithin } from './recurrence.ts';

const at = (wall: string, timeZone: string) => ({ dateTime: wall, timeZone });

function starts(start: object, recurrence: string[], from: string, to: string, zone = 'UTC') {
  const window = { start: Date.parse(from), end: Date.parse(to) };
  return startsWithin({ start, recurrence }, zone, window).map(({ date, dateTime }) => date ?? dateTime);
}

describe('what runs on the clock keeps its wall time', () => {
  test.each([
    {
      name: 'weekly 09:00 in New York over the spring change, written with an offset',
      start: at('2026-03-02T09:00:00-05:00', 'America/New_York'),
      rule: 'RRULE:FREQ=WEEKLY;COUNT=3',
      expected: ['2026-03-02T14:00:00Z', '2026-03-09T13:00:00Z', '2026-03-16T13:00:00Z'],
    },
    {
      name: 'daily 02:30 in Berlin, which 29 March does not have',
      start: at('2026-03-28T02:30:00', 'Europe/Berlin'),
      rule: 'RRULE:FREQ=DAILY;UNTIL=20260331T003000Z',
      expected: ['2026-03-28T01:30:00Z', '2026-03-30T00:30:00Z', '2026-03-31T00:30:00Z'],
    },
    {
      name: 'the 31st of each month',
      start: at('2026-01-31T12:00:00', 'Asia/Kolkata'),
      rule: 'RRULE:FREQ=MONTHLY;COUNT=3',
      expected: ['2026-01-31T06:30:00Z', '2026-03-31T06:30:00Z'],
    },
    {
      name: 'weekdays until an instant in UTC, that instant included',
      start: at('2026-04-02T09:00:00', 'Europe/Berlin'),
      rule: 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20260407T070000Z',
      expected: ['2026-04-02T07:00:00Z', '2026-04-03T07:00:00Z', '2026-04-06T07:00:00Z', '2026-04-07T07:00:00Z'],
    },
  ])('$name', ({ start, rule, expected }) => {
    expect(starts(start, [rule], '2026-01-01T00:00:00Z', '2026-04-15T00:00:00Z')).toEqual(expected);
  });

  test('a time that an autumn day has twice is its first', () => {
    const start = at('2026-10-24T02:30:00', 'Europe/Berlin');
    expect(starts(start, ['RRULE:FREQ=DAILY;COUNT=3'], '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z')).toEqual([
      '2026-10-24T00:30:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
  });
});

test('all-day events recur by date and start at midnight in the zone of the calendar', () => {
  const daily = [{ date: '2026-03-27' }, ['RRULE:FREQ=DAILY;UNTIL=20260330']] as const;
  const within = (from: string, to: string, zone: string) => starts(daily[0], [...daily[1]], from, to, zone);
  // Berlin's midnights: 23:00Z before the change of 29 March, 22:00Z after it.
  expect(within('2026-03-28T23:00:00Z', '2026-03-29T22:00:01Z', 'Europe/Berlin')).toEqual(['2026-03-29', '2026-03-30']);
  expect(within('2026-03-28T23:00:01Z', '2026-03-29T22:00:00Z', 'Europe/Berlin')).toEqual([]);
  expect(within('2026-03-28T12:00:00Z', '2026-03-28T12:00:01Z', 'Pacific/Auckland')).toEqual([]);
  expect(within('2026-03-28T11:00:00Z', '2026-03-28T11:00:01Z', 'Pacific/Auckland')).toEqual(['2026-03-29']);
});

test('EXDATE removes single dates, and RDATE adds them', () => {
  const lines = [
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'EXDATE;TZID=Europe/Berlin:20260327T090000,20260410T090000',
    'RDATE:20260401T100000Z',
  ];
  const start = at('2026-03-20T09:00:00', 'Europe/Berlin');
  expect(starts(start, lines, '2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z')).toEqual([
    '2026-03-20T08:00:00Z',
    '2026-04-01T10:00:00Z',
    '2026-04-03T07:00:00Z',
  ]);
  const days = ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260311'];
  expect(starts({ date: '2026-03-10' }, days, '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z')).toEqual([
    '2026-03-10',
    '2026-03-12',
  ]);
});

test('a window without an end holds 730 instances', () => {
  const fields = { start: at('2026-03-10T09:00:00', 'UTC'), recurrence: ['RRULE:FREQ=DAILY'] };
  const found = startsWithin(fields, 'UTC', { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY });
  expect([found.length, found.at(-1)?.dateTime]).toEqual([730, '2028-03-08T09:00:00Z']);
});

test('a series is known to go on or to be over', () => {
  const start = at('2026-03-10T09:00:00', 'UTC');
  const goesOn = (instant: string, ...recurrence: string[]) => startsFrom({ start, recurrence }, Date.parse(instant));
  expect(goesOn('2036-01-01T00:00:00Z', 'RRULE:FREQ=WEEKLY')).toBe(true);
  expect(goesOn('2026-03-12T09:00:00Z', 'RRULE:FREQ=DAILY;COUNT=3')).toBe(true);
  expect(goesOn('2026-03-12T09:00:01Z', 'RRULE:FREQ=DAILY;COUNT=3')).toBe(false);
  expect(goesOn('2026-03-12T00:00:00Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260312T090000Z')).toBe(false);
});

describe('recurrence that makes no sense is refused', () => {
  const timed = at('2026-03-10T09:00:00', 'Europe/Berlin');
  test.each([
    ['an unknown frequency', timed, ['RRULE:FREQ=SOMETIMES']],
    ['a count that is no number', timed, ['RRULE:FREQ=DAILY;COUNT=x']],
    ['an interval of nothing', timed, ['RRULE:FREQ=DAILY;INTERVAL=0']],
    ['two rules', timed, ['RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY']],
    ['no rule', timed, ['EXDATE:20260310T080000Z']],
    ['another line', timed, ['RRULE:FREQ=DAILY', 'X-NOTE:no']],
    ['a date that is none', timed, ['RRULE:FREQ=DAILY', 'EXDATE:20261340T000000Z']],
  ])('%s', (_name, start, recurrence) => {
    expect(() => checkRecurrence({ start, recurrence })).toThrow('Invalid recurrence rule.');
  });

  test('a clock time without a zone to run in', () => {
    const start = { dateTime: '2026-03-10T09:00:00Z' };
    expect(() => checkRecurrence({ start, recurrence: ['RRULE:FREQ=DAILY'] })).toThrow('Missing time zone');
  });
});
