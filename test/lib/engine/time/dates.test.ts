import { expect, test } from 'vitest';
import {
  formatDate,
  mondayOf,
  parseDate,
  parseMinute,
  sayDate,
  weekdayIndex,
} from '../../../../lib/engine/time/dates.ts';

test('every day from 1900 to 2200 has its date and weekday', () => {
  const wrong: string[] = [];
  for (let day = -25_567; day < 84_006; day++) {
    const date = new Date(day * 86_400_000);
    const text = date.toISOString().slice(0, 10);
    const isRight =
      formatDate(day) === text && parseDate(text) === day && weekdayIndex(day) === (date.getUTCDay() + 6) % 7;
    if (!isRight) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});

test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '26-04-01', '2026-4-1', ''])(
  '%j is not a date',
  (text) => {
    expect(parseDate(text)).toBeUndefined();
  },
);

test.each([
  ['00:00', 0],
  ['08:05', 485],
  ['23:59', 1439],
  ['24:00', 1440],
])('%s is minute %d', (text, minute) => {
  expect(parseMinute(text)).toBe(minute);
});

test.each([
  ['2030-01-07', 'Monday, 7 January'],
  ['2028-02-29', 'Tuesday, 29 February'],
  ['2026-12-31', 'Thursday, 31 December'],
])('%s is said as %s', (date, words) => {
  expect(sayDate(date)).toBe(words);
});

test.each([
  ['2026-03-02', '2026-03-02'],
  ['2026-03-08', '2026-03-02'],
  ['1970-01-01', '1969-12-29'],
])('the Monday of the week of %s is %s', (date, monday) => {
  expect(mondayOf(parseDate(date) ?? 0)).toBe(parseDate(monday));
});
