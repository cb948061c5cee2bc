import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../../lib/engine/rules/free-time.ts';
import { HOUR, parseDate } from '../../../../lib/engine/time/dates.ts';
import { type AskedInWords, type AskedTimes, datesAsked, narrowed } from '../../../../lib/engine/wish/narrowing.ts';
import { randomSearch } from '../random-search.ts';

const NOW = Date.parse('2026-11-30T09:00Z');
const day = (date: string) => parseDate(date) ?? 0;
const words = (asked: Partial<AskedInWords>): AskedTimes => ({
  words: { quotes: ['so'], wanted: [], refused: [], isSoonest: false, ...asked },
});
const RANDOM_HOURS = fc.record({ from: fc.integer({ min: 0, max: 700 }), to: fc.integer({ min: 701, max: 1440 }) });

describe('a narrowed search', () => {
  test('finds no time that both people do not have free, and none outside what was asked for', () => {
    fc.assert(
      fc.property(randomSearch, RANDOM_HOURS, fc.integer({ min: 0, max: 6 }), (search, clock, weekday) => {
        const asked = words({ wanted: [{ clock }], refused: [{ weekdays: [weekday] }] });
        const free = new Set(candidateStarts(search));
        const found = candidateStarts(narrowed(search, asked)).filter((start) => start % (15 * 60_000) === 0);
        expect(found.filter((start) => !free.has(start))).toEqual([]);
        const inRange = { start: search.now + 30 * HOUR, end: search.now + 60 * HOUR };
        for (const start of candidateStarts(narrowed(search, { ranges: [inRange] })))
          expect(start >= inRange.start && start + search.durationMinutes * 60_000 <= inRange.end).toBe(true);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  test('as soon as possible keeps the first date that has a time', () => {
    fc.assert(
      fc.property(randomSearch, (search) => {
        const days = new Set(
          findSlots(narrowed(search, words({ isSoonest: true }))).slots.map(({ startTime }) => startTime.slice(0, 10)),
        );
        const all = candidateStarts(search);
        expect(days.size).toBe(Math.min(1, all.length));
      }),
      { numRuns: 60, seed: 8 },
    );
  });
});

describe('the dates of a search without any', () => {
  const datesOf = (asked: AskedTimes) => datesAsked(asked, { timeZone: 'UTC', now: NOW, windowDays: 14 });
  const span = (first?: string, last?: string) => ({
    ...(first !== undefined && { first: day(first) }),
    ...(last !== undefined && { last: day(last) }),
  });

  test.each<[string, Partial<AskedInWords>, object | undefined]>([
    ['a day within the usual ones', { wanted: [{ dates: [span('2026-12-10', '2026-12-10')] }] }, undefined],
    ['hours', { wanted: [{ clock: { from: 0, to: 720 } }] }, undefined],
    [
      'a day beyond them',
      { wanted: [{ dates: [span('2026-12-22', '2026-12-22')] }] },
      { startDate: '2026-11-30', endDate: '2026-12-22' },
    ],
    [
      'from a day on',
      { wanted: [{ dates: [span('2026-12-21')] }] },
      { startDate: '2026-11-30', endDate: '2027-01-03' },
    ],
    ['before a day far ahead', { wanted: [{ dates: [span(undefined, '2027-02-28')] }] }, undefined],
    [
      'not before a day',
      { refused: [{ dates: [span(undefined, '2026-12-31')] }] },
      { startDate: '2026-11-30', endDate: '2027-01-14' },
    ],
    [
      'a day farther than a search reaches',
      { wanted: [{ dates: [span('2027-06-01', '2027-06-02')] }] },
      { startDate: '2027-06-01', endDate: '2027-06-02' },
    ],
  ])('%s', (_, asked, expected) => expect(datesOf(words(asked))).toEqual(expected));

  test('ranges lead to their dates', () => {
    const [start, end] = ['2027-01-04T09:00Z', '2027-01-04T12:00Z'].map(Date.parse) as [number, number];
    expect(datesOf({ ranges: [{ start, end }] })).toEqual({ startDate: '2026-11-30', endDate: '2027-01-04' });
  });
});
