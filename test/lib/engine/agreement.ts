import fc from 'fast-check';
import { expect } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { weigh } from '../../../lib/engine/rank/merit.ts';
import { PERSON_PARTS } from '../../../lib/engine/rank/parts.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import type { Search } from '../../../lib/engine/types.ts';
import { comfortAt, partsAt } from './oracle/merit.ts';
import { allowedStarts, objectionsTo } from './oracle/rules.ts';
import { expectedSlots, rankedStarts } from './oracle/slots.ts';
import { randomSearch } from './random-search.ts';

const MINUTE = 60_000;
const TIMES_PER_SEARCH = 20;
/** Four places of comfort and merit are told, and a rounding error may fall between two of them. */
const A_PLACE = 0.000_100_1;

/** Number of random cases, and the seed that draws them. Without a seed, each run draws other cases. */
interface Sample {
  numRuns: number;
  seed?: number;
}

/** Checks that the engine answers each random search as the oracle does, which tests every minute. */
export function expectSearchesToAgree(sample: Sample): void {
  let found = 0;
  fc.assert(
    fc.property(randomSearch, (search) => {
      const starts = allowedStarts(search);
      expect(candidateStarts(search)).toEqual(starts);
      const { slots, none } = findSlots(search);
      expect(none === undefined).toBe(starts.length > 0);
      found += slots.length;
      const comparable = slots.map(({ start, startTime, endTime, score, product, factors, attendees }) => ({
        start,
        startTime,
        endTime,
        otherStartTime: attendees[1]?.startTime,
        score,
        product,
        factors: factors.map(({ name, multiplier }) => [name, multiplier]),
      }));
      const expected = expectedSlots(search, rankedStarts(search, starts));
      expect(comparable).toEqual(expected.map(({ comfort, merit, ...slot }) => slot));
      for (const [i, { comfort, merit }] of slots.entries()) {
        expect(Math.abs(comfort - (expected[i]?.comfort ?? 0))).toBeLessThan(A_PLACE);
        expect(Math.abs(merit - (expected[i]?.merit ?? 0))).toBeLessThan(A_PLACE);
      }
    }),
    sample,
  );
  expect(found).toBeGreaterThan(sample.numRuns / 2);
}

/** Checks that explanation, search and oracle agree about twenty times in each random search. */
export function expectExplanationsToAgree(sample: Sample): void {
  const minutesFromStart = fc.oneof(
    fc.integer({ min: -40, max: 200 }).map((quarters) => quarters * 15),
    fc.integer({ min: -600, max: 3000 }),
  );
  const times = fc.array(minutesFromStart, { minLength: TIMES_PER_SEARCH, maxLength: TIMES_PER_SEARCH });
  const seen = { refused: 0, free: 0, offered: 0 };
  fc.assert(
    fc.property(randomSearch, times, (random, minutes) => {
      const allowed = allowedStarts(random);
      const ranked = rankedStarts(random, allowed);
      const offered = findSlots(random).slots;
      minutes.forEach((minute, i) => {
        const near = i % 4 === 0 ? allowed[i * 7] : offered[i % 4]?.start;
        const start = i % 2 === 0 && near ? near : Date.parse(`${random.window.start}T00:00Z`) + minute * MINUTE;
        const explained = explainTime({ ...random, start });
        const against = [...new Set(explained.against.map(({ email, rule }) => `${email} ${rule}`))].sort();
        expect(against).toEqual(objectionsTo(random, allowed, start));
        expect(explained.free).toBe(allowed.includes(start));
        expect(explained.free).toBe(against.length === 0);
        expect(explained.offered).toBe(offered.some((slot) => slot.start === start));
        seen[explained.offered ? 'offered' : explained.free ? 'free' : 'refused']++;
        if (!explained.free) return;
        expect([explained.rank, explained.candidates]).toEqual([
          ranked.findIndex((one) => one.start === start) + 1,
          allowed.length,
        ]);
        if (explained.offered) expect(offered).toContainEqual(explained.slot);
      });
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(sample.numRuns / 10);
}

const DAY = 86_400_000;
/** Random searches have no energy pattern, and few of them have such times. */
const UNSEEN = ['not_best_hours', 'between_meetings', 'half_day', 'half_day_afternoon', 'quiet_day'];

/**
 * Compares the parts of the engine's merit with the published table on so many random times. Swapping the two people
 * changes nothing.
 */
export function expectMeritToAgree({ times, seed }: { times: number; seed?: number | undefined }): void {
  const seen = { times: 0, parts: new Set<string>() };
  const earlier = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 }));
  for (let run = 0; seen.times < times; run++)
    fc.assert(
      fc.property(randomSearch, earlier, (random, days) => {
        const search: Search = { ...random, now: random.now - days * DAY };
        const starts = candidateStarts(search);
        const weighed = weigh(search, starts);
        const swapped = weigh({ ...search, requester: search.other, other: search.requester }, starts);
        starts.forEach((start, i) => {
          const comfort = weighed.comfortAt(i);
          expect(Math.abs(swapped.comfortAt(i) - comfort)).toBeLessThan(1e-12);
          expect(Math.abs(comfort - comfortAt(search, start))).toBeLessThan(1e-9);
          const parts = weighed.partsAt(i);
          for (const { name } of parts) seen.parts.add(name);
          if (i % 7 === 0) expect(parts).toEqual(partsAt(search, start));
        });
        seen.times += starts.length;
      }),
      { numRuns: 50, ...(seed === undefined ? {} : { seed: seed + run }) },
    );
  const personal = PERSON_PARTS.map(({ name }) => name).filter((name) => !UNSEEN.includes(name));
  expect([...seen.parts].sort()).toEqual(expect.arrayContaining([...personal, 'after_the_night', 'lead_time']));
}

const SAME = 1e-9;
/** Largest rounding error of a merit, which has four decimal places. */
const HALF_A_PLACE = 0.500_01e-4;
const STATED = ['half_day', 'half_day_afternoon', 'quiet_day', 'rather_not', 'near_preferred', 'not_preferred'];
const product = (values: number[]) => values.reduce((all, value) => all * value, 1);

/** Least number of random times, how many searches draw them at once, and the seed of the first draw. */
interface RandomTimes {
  times: number;
  atOnce?: number;
  seed?: number;
}

/**
 * Explains every start of random searches, so many in all. Each must have the merit and the rank that follow from
 * the factors and the parts that the explanations list, and be offered if the search offers it. The slots that the search
 * offers stand in the order of their ranks.
 */
export function expectRanksToAgree({ times, atOnce = 20, seed }: RandomTimes): void {
  const seen = { times: 0, offered: 0, equals: 0 };
  for (let run = 0; seen.times < times; run++)
    fc.assert(
      fc.property(randomSearch, (search) => {
        const { slots } = findSlots(search);
        const explained = candidateStarts(search).flatMap((start) => {
          const { free, ...place } = explainTime({ ...search, start });
          if (!('rank' in place)) throw new Error('A start of the search is not free in its explanation.');
          const factors = product(place.slot.factors.map(({ multiplier }) => multiplier));
          const merit = factors * product(place.parts.map(({ value }) => value));
          expect(Math.abs(merit - place.slot.merit)).toBeLessThan(HALF_A_PLACE);
          const stated = place.parts.filter(({ name }) => STATED.includes(name)).map(({ value }) => value);
          return [{ start, score: Math.min(1, factors), merit, worth: factors * product(stated), ...place }];
        });
        if ([search.requester, search.other].every(({ busy, meetings }) => busy.length + meetings.length === 0)) {
          const highest = Math.max(...explained.map(({ worth }) => worth));
          const [first] = explained
            .filter(({ worth }) => highest - worth <= SAME)
            .sort((a, b) => (Math.abs(a.merit - b.merit) > SAME ? b.merit - a.merit : a.start - b.start));
          if (first !== undefined) first.score = 2;
        }
        const ranked = explained.toSorted((a, b) => {
          if (Math.abs(a.score - b.score) > SAME) return b.score - a.score;
          return Math.abs(a.merit - b.merit) > SAME ? b.merit - a.merit : a.start - b.start;
        });
        expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, i) => i + 1));
        for (const { candidates } of ranked) expect(candidates).toBe(ranked.length);
        const offered = ranked.filter((one) => one.offered);
        expect(offered.map(({ start }) => start)).toEqual(slots.map(({ start }) => start));
        expect(offered.map(({ slot }) => slot)).toEqual(slots);
        seen.times += ranked.length;
        seen.offered += offered.length;
        seen.equals += ranked.filter(({ score }, i) => Math.abs(score - (ranked[i - 1]?.score ?? 0)) <= SAME).length;
      }),
      { numRuns: atOnce, ...(seed === undefined ? {} : { seed: seed + run }) },
    );
  expect(seen.offered).toBeGreaterThan(0);
  expect(seen.equals).toBeGreaterThan(times / 10);
}
