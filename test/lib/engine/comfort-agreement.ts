import fc from 'fast-check';
import { expect } from 'vitest';
import { comfortOf } from '../../../lib/engine/rank/comfort.ts';
import { momentAt, type Weighed, weigh } from '../../../lib/engine/rank/ranked.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import type { Search } from '../../../lib/engine/types.ts';
import { comfortParts, comfortAt as expectedComfort } from './oracle/comfort.ts';
import { randomSearch } from './random-search.ts';

const DAY = 86_400_000;

/**
 * Compares the engine's comfort with the published formula's on so many random times. Read in order, as the search does,
 * and one by one, as an explanation does, it must be the same, and its parts too. Swapping the two people changes nothing.
 */
export function expectComfortToAgree({ times, seed }: { times: number; seed?: number | undefined }): void {
  const seen = { times: 0, parts: new Set<string>() };
  const earlier = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 }));
  for (let run = 0; seen.times < times; run++)
    fc.assert(
      fc.property(randomSearch, earlier, (random, days) => {
        const search: Search = { ...random, now: random.now - days * DAY };
        const starts = candidateStarts(search);
        const all = ({ comfortAt: at }: Weighed) => starts.map((_, i) => at(i));
        const comforts = all(weigh(search, starts));
        const swapped = weigh({ ...search, requester: search.other, other: search.requester }, starts);
        expect(all(swapped)).toEqual(comforts);
        starts.forEach((start, i) => {
          expect(Math.abs((comforts[i] ?? 0) - expectedComfort(search, start))).toBeLessThan(1e-9);
          if (i % 7 > 0) return;
          const [moment, comfort] = [momentAt(search, start), comfortOf(search)];
          expect(comfort.at(moment)).toBe(comforts[i]);
          const parts = comfort.partsAt(moment);
          const expected = comfortParts(search, start).filter(({ value }) => value < 1 - 1e-12);
          expect(parts.map(({ name, email }) => [name, email])).toEqual(
            expected.map(({ name, email }) => [name, email]),
          );
          for (const [at, { name, value }] of parts.entries()) {
            expect(value).toBeCloseTo(expected[at]?.value ?? 0, 9);
            seen.parts.add(name);
          }
        });
        seen.times += starts.length;
      }),
      { numRuns: 50, ...(seed === undefined ? {} : { seed: seed + run }) },
    );
  expect([...seen.parts].sort()).toEqual([
    'end_of_day',
    'free_stretch',
    'half_day',
    'lead_time',
    'next_to_a_meeting',
    'short_notice',
    'start_of_day',
  ]);
}
