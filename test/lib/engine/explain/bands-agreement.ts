import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type Band,
  type BandKind,
  commonBands,
  localWeek,
  personBands,
  placeOnDays,
} from '../../../../lib/engine/explain/week-bands.ts';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { parseDate } from '../../../../lib/engine/time/dates.ts';
import { windowInterval } from '../../../../lib/engine/time/window.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { wallAt } from '../oracle/clock.ts';
import { rulesAgainst } from '../oracle/rules.ts';
import { randomSearch } from '../random-search.ts';

const MINUTE = 60_000;

/**
 * Checks that every minute of random weeks is what the minute-by-minute oracle says, and that the picks lie in free
 * bands.
 */
export function expectBandsToAgree({ numRuns, seed }: { numRuns: number; seed: number }): void {
  const seen = { minutes: 0, free: 0, picks: 0 };
  fc.assert(
    fc.property(randomSearch, (random) => {
      const { requester, other, window } = random;
      const week = localWeek(requester.timeZone, parseDate(window.start) ?? 0);
      const own = personBands(requester, week, requester.meetings.slice(1));
      const others = personBands(other, week);
      const common = commonBands(random, week, windowInterval(window, requester.timeZone));
      const wrong: string[] = [];
      week.forEach((day, i) => {
        for (let minute = 0; day.start + minute * MINUTE < day.end; minute++) {
          const instant = day.start + minute * MINUTE;
          const against = { requester: rulesAgainst(requester, instant), other: rulesAgainst(other, instant) };
          const isFree = isSearched(random, instant) && against.requester.length + against.other.length === 0;
          const shown = [
            shownAt(own[i], minute),
            shownAt(others[i], minute),
            isWithin(common[i], minute, minute + 1, 'free', 'too_short'),
          ].join();
          const expected = [expectedAt(against.requester), expectedAt(against.other), isFree].join();
          if (shown !== expected) wrong.push(`${new Date(instant).toISOString()} ${shown} is to be ${expected}`);
          seen.minutes++;
          if (isFree) seen.free++;
        }
      });
      expect(wrong).toEqual([]);
      const { slots } = findSlots(random);
      const places = slots.flatMap((slot) => placeOnDays(slot, week).map((place, i) => ({ place, bands: common[i] })));
      for (const { place, bands } of places)
        expect(place === undefined || isWithin(bands, place.from, place.to, 'free')).toBe(true);
      seen.picks += slots.length;
    }),
    { numRuns, seed },
  );
  expect(seen.minutes).toBeGreaterThan(numRuns * 6 * 1440);
  expect(seen.free).toBeGreaterThan(numRuns * 25);
  expect(seen.picks).toBeGreaterThan(numRuns / 2);
}

const RULE_BANDS = ['work', 'holiday', 'focus', 'never', 'full', 'busy', 'near'] as const;

function shownAt(bands: readonly Band[] = [], minute: number): string {
  const kinds = bands.filter(({ from, to }) => from < minute + 1 && to > minute).map(({ kind }) => kind);
  const has = (...some: BandKind[]) => some.some((kind) => kinds.includes(kind));
  const is = {
    work: has('work'),
    holiday: has('holiday'),
    focus: has('focus'),
    never: has('never'),
    full: has('full'),
    busy: has('busy', 'hold'),
    near: has('busy', 'hold', 'buffer'),
  };
  return RULE_BANDS.filter((kind) => is[kind]).join('+');
}

function expectedAt(against: readonly string[]): string {
  const works = !against.includes('work_hours');
  const is = {
    work: works,
    holiday: works && against.includes('holiday'),
    focus: against.includes('focus_block'),
    never: works && against.includes('standing_rule'),
    full: works && against.includes('day_limit'),
    busy: against.includes('busy'),
    near: against.includes('busy') || against.includes('buffer'),
  };
  return RULE_BANDS.filter((kind) => is[kind]).join('+');
}

const isWithin = (bands: readonly Band[] = [], start: number, end: number, ...kinds: BandKind[]) =>
  bands.some(({ kind, from, to }) => kinds.includes(kind) && from <= start && end <= to);

function isSearched({ requester, window, now }: Search, instant: number): boolean {
  const { date } = wallAt(requester.timeZone, instant);
  return date >= window.start && date <= window.end && instant >= now + 15 * MINUTE;
}
