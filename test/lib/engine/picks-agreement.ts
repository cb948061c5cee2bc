import fc from 'fast-check';
import { expect } from 'vitest';
import { rankReschedule } from '../../../lib/engine/move/rank-reschedule.ts';
import type { RescheduleSearch } from '../../../lib/engine/move/reschedule-choices.ts';
import { type AutoSearch, ENERGY, type Preferences } from '../../../lib/engine/rank/auto-factors.ts';
import { CONTEXTS, type MeetingContext } from '../../../lib/engine/rank/contexts.ts';
import { rankAuto } from '../../../lib/engine/rank/rank-auto.ts';
import { DAY, MINUTE, WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { Weekday } from '../../../lib/engine/types.ts';
import type { RefusedHours, Wish, WishedBox } from '../../../lib/engine/wish/wish-parts.ts';
import type { Sample } from './agreement.ts';
import { expectedMoves, missesOf, movableStarts } from './oracle/moves.ts';
import { carriedBefore, expectedPicks } from './oracle/picks.ts';
import { randomSearch } from './random-search.ts';

/** Largest rounding error of a score, which has four decimal places. */
const HALF_A_PLACE = 0.5001e-4;

/** The two bounds of the clock time, which a reader sees as one wish: "from two to four". */
const OF_THE_CLOCK: string[] = ['clockFrom', 'clockTo'];

/**
 * Checks that automatic scheduling tries the oracle's times in the oracle's order, with the oracle's scores, in each
 * random search.
 */
export function expectPicksToAgree(sample: Sample): void {
  const seen = { picked: 0, fair: 0, none: 0 };
  fc.assert(
    fc.property(randomAuto, (search) => {
      const { ranked } = rankAuto(search);
      const expected = expectedPicks(search);
      expect(ranked.map(({ start }) => start)).toEqual(expected.map(({ start }) => start));
      for (const [i, { score, matchQuality }] of ranked.entries()) {
        expect(Math.abs(score - (expected[i]?.score ?? 0))).toBeLessThan(HALF_A_PLACE);
        expect(matchQuality).toBe(score >= 0.8 ? 'excellent' : score >= 0.6 ? 'good' : 'fair');
      }
      seen[ranked.length > 0 ? 'picked' : 'none']++;
      const fairness = ranked[0]?.facts().fairness;
      if (fairness === undefined) return;
      expect(Object.values(fairness.carried)).toEqual(carriedBefore(search));
      seen.fair++;
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(Math.ceil(sample.numRuns / 100));
}

/**
 * Checks that a meeting moves as the oracle says in each random case, and that every sentence about the move is true.
 */
export function expectMovesToAgree(sample: Sample): void {
  const seen = { met: 0, bent: 0, none: 0 };
  fc.assert(
    fc.property(randomMove, (search) => {
      const { ranked } = rankReschedule(search);
      expect(ranked.map(({ start }) => start)).toEqual(expectedMoves(search));
      const [pick] = ranked;
      if (pick === undefined) {
        seen.none++;
        return;
      }
      const { decided, drawbacks, wish } = pick.facts();
      const misses = missesOf(search, pick.start, wish);
      const partsOf = (list: { kind: string; part?: string }[]) =>
        list.flatMap(({ kind, part }) => (kind === 'wish' ? [part] : [])).sort();
      const partsThat = (isMet: boolean) => misses.flatMap(([part, by]) => (by <= 0 === isMet ? [part] : [])).sort();
      expect([partsOf(decided), partsOf(drawbacks)]).toEqual([partsThat(true), partsThat(false)]);
      for (const fact of drawbacks)
        if (fact.kind === 'wish') {
          const together = OF_THE_CLOCK.includes(fact.part) ? OF_THE_CLOCK : [fact.part];
          const meetsIt = (start: number) =>
            missesOf(search, start, wish).every(([part, by]) => !together.includes(part) || by <= 0);
          const alone = Object.fromEntries(Object.entries(wish ?? {}).filter(([part]) => together.includes(part)));
          expect(movableStarts(search, [alone]).some(meetsIt)).toBe(fact.why === 'other_parts');
        }
      seen[partsOf(drawbacks).length === 0 ? 'met' : 'bent']++;
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(Math.ceil(sample.numRuns / 100));
}

const QUARTER = 15 * MINUTE;
const weight = fc.constantFrom(0.2, 0.64, 0.8, 1, 1, 1, 1.5, 2);

const preferences: fc.Arbitrary<Preferences> = fc
  .tuple(
    fc.constantFrom(...(Object.keys(ENERGY) as (keyof typeof ENERGY)[])),
    fc.array(weight, { minLength: 11, maxLength: 11 }),
  )
  .map(([energyPattern, [morning = 1, afternoon = 1, evening = 1, bufferImportance = 1, ...days]]) => ({
    energyPattern,
    weights: {
      timeOfDay: { morning, afternoon, evening },
      dayOfWeek: Object.fromEntries(WEEKDAYS.map((day, i) => [day, days[i] ?? 1])) as Record<Weekday, number>,
      bufferImportance,
    },
  }));

/** Returns a random search in which Tandem picks the time, for two people with tastes who have met before. */
export const randomAuto: fc.Arbitrary<AutoSearch> = fc
  .tuple(
    randomSearch,
    fc.constantFrom(undefined, ...(Object.keys(CONTEXTS) as MeetingContext[])),
    preferences,
    preferences,
    fc.array(fc.tuple(fc.integer({ min: -90 * 96, max: 14 * 96 }), fc.constantFrom(15, 30, 60)), { maxLength: 4 }),
  )
  .map(([search, context, requesterPreferences, otherPreferences, earlier]) => ({
    ...search,
    context,
    pairMeetings: earlier.map(([quarters, minutes]) => {
      const start = Math.floor(search.now / MINUTE) * MINUTE + quarters * 15 * MINUTE;
      return { start, end: start + minutes * MINUTE };
    }),
    requesterPreferences,
    otherPreferences,
  }));

const minuteOfDay = fc.integer({ min: 0, max: 1440 });
const weekdays = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 3 });
const part = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: of });

/** Returns a wish with some parts, about dates within a few days of the window's first. */
const wishNear = (date: string): fc.Arbitrary<Wish> => {
  const instant = fc.integer({ min: -48, max: 96 }).map((hours) => Date.parse(date) + hours * 4 * QUARTER);
  const day = fc.integer({ min: -1, max: 3 }).map((days) => dayAfter(date, days));
  const days = fc.uniqueArray(day, { minLength: 1, maxLength: 2 });
  return fc.record({
    earliest: part(instant),
    latest: part(instant),
    dates: part(days),
    datesUnwanted: part(days),
    weekdaysWanted: part(weekdays),
    weekdaysUnwanted: part(weekdays),
    clockFrom: part(minuteOfDay),
    clockTo: part(minuteOfDay),
    clockUnwanted: part(
      fc.tuple(minuteOfDay, minuteOfDay).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
    ),
    refused: part(fc.array(refusedHours(day), { minLength: 1, maxLength: 2 })),
    or: part(fc.array(wishedBox(days), { minLength: 1, maxLength: 2 })),
    relative: part(fc.constantFrom('earlier' as const, 'later' as const)),
    notBeforeOldStart: part(fc.constant(true)),
    sooner: part(fc.constant(true)),
    pause: part(fc.constant(true)),
    closeness: part(fc.oneof(fc.constant('soonest' as const), fc.record({ near: instant }))),
  });
};

/** Hours that somebody rules out, some only on certain days. */
const refusedHours = (day: fc.Arbitrary<string>): fc.Arbitrary<RefusedHours> =>
  fc
    .tuple(minuteOfDay, minuteOfDay, part(fc.uniqueArray(day, { minLength: 1, maxLength: 2 })), part(weekdays))
    .map(([a, b, dates, names]) => ({ dates, weekdays: names, from: Math.min(a, b), to: Math.max(a, b) }));

/** A further alternative of a wish. */
const wishedBox = (days: fc.Arbitrary<string[]>): fc.Arbitrary<WishedBox> =>
  fc.record({
    dates: part(days),
    weekdaysWanted: part(weekdays),
    clockFrom: part(minuteOfDay),
    clockTo: part(minuteOfDay),
  });

const dayAfter = (date: string, days: number) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** Returns the range in which a caller wants the time. Most callers give none. */
const within = (date: string) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.integer({ min: -8, max: 72 }), fc.integer({ min: 1, max: 96 })).map(([from, length]) => {
        const start = Date.parse(date) + from * 4 * QUARTER;
        return { start, end: start + length * 2 * QUARTER };
      }),
    },
  );

/** Returns a random meeting of two such people that one of them wants to move, with the times it had before. */
export const randomMove: fc.Arbitrary<RescheduleSearch> = randomAuto.chain((search) => {
  const { start: date } = search.window;
  const quarters = fc.integer({ min: -96, max: 288 });
  return fc
    .tuple(wishNear(date), within(date), quarters, fc.array(quarters, { maxLength: 3 }), fc.boolean())
    .map(([wish, range, quarter, before, isRequester]) => {
      const [start = 0, ...earlier] = [quarter, ...before].map((at) => Date.parse(date) + at * QUARTER);
      return {
        ...search,
        context: undefined,
        wish,
        within: range,
        notAt: [start, ...earlier],
        old: { start, end: start + search.durationMinutes * MINUTE },
        askerTimeZone: (isRequester ? search.requester : search.other).timeZone,
      };
    });
});
