import fc from 'fast-check';
import { expect } from 'vitest';
import { weigh } from '../../../lib/engine/rank/merit.ts';
import { PERSON_PARTS } from '../../../lib/engine/rank/parts.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import type { Search } from '../../../lib/engine/types.ts';
import { comfortAt, partsAt } from './oracle/merit.ts';
import { randomSearch } from './random-search.ts';

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
