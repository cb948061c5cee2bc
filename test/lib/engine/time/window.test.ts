import { expect, test } from 'vitest';
import { DEFAULT_WINDOW_DAYS } from '../../../../lib/engine/rules/defaults.ts';
import { LONGEST_DAYS, searchWindow } from '../../../../lib/engine/time/window.ts';
import { PreferencesRequest } from '../../../../schema/api/preferences.ts';
import { at } from '../people.ts';

const now = at('2026-05-05T02:00Z');

test.each([
  ['America/New_York', 14, { start: '2026-05-04', end: '2026-05-17', days: 14 }],
  ['UTC', 7, { start: '2026-05-05', end: '2026-05-11', days: 7 }],
  ['Pacific/Kiritimati', 90, { start: '2026-05-05', end: '2026-08-02', days: 90 }],
])('without a range in %s, today and the days after it, %d in all', (timeZone, windowDays, window) => {
  expect(searchWindow({ now, timeZone, windowDays })).toEqual({ ok: true, window });
});

test.each([
  ['both dates inclusive', '2026-05-06', '2026-05-08', { start: '2026-05-06', end: '2026-05-08', days: 3 }],
  ['one date', '2026-05-06', '2026-05-06', { start: '2026-05-06', end: '2026-05-06', days: 1 }],
  ['past days cut off', '2026-01-01', '2026-05-06', { start: '2026-05-04', end: '2026-05-06', days: 3 }],
  ['today, local', '2026-05-04', '2026-05-04', { start: '2026-05-04', end: '2026-05-04', days: 1 }],
  ['ninety days', '2026-06-01', '2026-08-29', { start: '2026-06-01', end: '2026-08-29', days: 90 }],
  ['a start alone', '2026-06-01', undefined, { start: '2026-06-01', end: '2026-06-14', days: 14 }],
  ['a past start alone', '2026-01-01', undefined, { start: '2026-05-04', end: '2026-05-17', days: 14 }],
  ['an end alone', undefined, '2026-05-06', { start: '2026-05-04', end: '2026-05-06', days: 3 }],
  ['neither', undefined, undefined, { start: '2026-05-04', end: '2026-05-17', days: 14 }],
  ['the last date', '2027-06-08', '2027-06-08', { start: '2027-06-08', end: '2027-06-08', days: 1 }],
  ['a start alone near the last date', '2027-06-06', undefined, { start: '2027-06-06', end: '2027-06-08', days: 3 }],
])('a range: %s', (_, startDate, endDate, window) => {
  const timeZone = 'America/New_York';
  expect(searchWindow({ now, timeZone, windowDays: 14, dateRange: { startDate, endDate } })).toEqual({
    ok: true,
    window,
  });
});

test.each([
  ['end before start', '2026-05-08', '2026-05-06', { problem: 'reversed', bound: 'end' }],
  ['an end past the last date', '2027-06-01', '2027-06-09', { problem: 'too_far', bound: 'end', latest: '2027-06-08' }],
  ['a start past it', '2027-06-09', undefined, { problem: 'too_far', bound: 'start', latest: '2027-06-08' }],
  ['ninety-one days', '2026-06-01', '2026-08-30', { problem: 'too_long', bound: 'end', days: 91 }],
  ['an end alone, ninety-one days on', undefined, '2026-08-02', { problem: 'too_long', bound: 'end', days: 91 }],
  ['an end alone in the past', undefined, '2026-05-03', { problem: 'past', bound: 'end', today: '2026-05-04' }],
  ['all in the past', '2026-05-01', '2026-05-03', { problem: 'past', bound: 'end', today: '2026-05-04' }],
  ['no such date', '2026-02-30', '2026-05-08', { problem: 'not_a_date', bound: 'start' }],
  ['a date-time', '2026-05-06', '2026-05-08T00:00:00Z', { problem: 'not_a_date', bound: 'end' }],
])('a range is refused: %s', (_, startDate, endDate, refused) => {
  const timeZone = 'America/New_York';
  expect(searchWindow({ now, timeZone, windowDays: 14, dateRange: { startDate, endDate } })).toEqual({
    ok: false,
    ...refused,
  });
});

test('preferences take the default of a search and its longest, and no day more', () => {
  const takes = (days: number) => PreferencesRequest.safeParse({ availability_window_days: days }).success;
  expect([DEFAULT_WINDOW_DAYS, LONGEST_DAYS, LONGEST_DAYS + 1].map(takes)).toEqual([true, true, false]);
});
