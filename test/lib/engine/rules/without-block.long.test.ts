import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestStart } from '../../../../lib/engine/rank/find-slots.ts';
import { candidateStarts, freeForBoth } from '../../../../lib/engine/rules/free-time.ts';
import { relaxationsOf, startsWithoutEachBlock } from '../../../../lib/engine/rules/relaxations.ts';
import { formatMinute, WEEKDAYS } from '../../../../lib/engine/time/dates.ts';
import type { FocusBlock, Search } from '../../../../lib/engine/types.ts';
import { keptTable, makeTable } from '../../../holidays/table.ts';
import { AROUND_THE_CLOCK, dates, person } from '../people.ts';
import { randomSearch } from '../random-search.ts';

/** Blocks that overlap, touch, lie within one another and are equal. */
const manyBlocks = fc.array(
  fc
    .tuple(fc.constantFrom(...WEEKDAYS), fc.integer({ min: 0, max: 47 }), fc.integer({ min: 1, max: 40 }))
    .map(([day, start, length]) => ({
      day,
      start: formatMinute(30 * start),
      end: formatMinute(Math.min(1440, 30 * (start + length))),
    })),
  { minLength: 1, maxLength: 30 },
);

describe('what each focus block alone takes from a search', () => {
  test('is what a search without that block finds', () => {
    let opened = 0;
    fc.assert(
      fc.property(randomSearch, manyBlocks, manyBlocks, (random, ofRequester, ofOther) => {
        const search: Search = {
          ...random,
          requester: { ...random.requester, focusBlocks: ofRequester },
          other: { ...random.other, focusBlocks: ofOther },
        };
        const found = candidateStarts(search);
        const empty: Search = { ...search, notAt: found };
        for (const role of ['requester', 'other'] as const)
          for (const { block, starts } of startsWithoutEachBlock(empty, role, freeForBoth(empty))) {
            const { focusBlocks } = empty[role];
            const kept = focusBlocks.filter((other) => other !== block);
            expect(starts).toEqual(candidateStarts({ ...empty, [role]: { ...empty[role], focusBlocks: kept } }));
            opened += starts.length;
          }
      }),
      { numRuns: 400, seed: 20_261_123 },
    );
    expect(opened).toBeGreaterThan(500);
  });

  test.each([25, 100])('takes a fixed number of looks at each of %i blocks', (count) => {
    let looks = 0;
    const block = (i: number): FocusBlock => ({
      day: WEEKDAYS[i % 7] ?? 'monday',
      get start() {
        looks++;
        return formatMinute(60 * (Math.floor(i / 7) % 24));
      },
      end: '24:00',
    });
    const blocks = Array.from({ length: count }, (_, i) => block(i));
    const rules = { workHours: AROUND_THE_CLOCK, focusBlocks: blocks };
    relaxationsOf(
      {
        requester: person(rules),
        other: person({ ...rules, email: 'bob@example.com', timeZone: 'Europe/Berlin' }),
        durationMinutes: 120,
        window: dates('2026-05-04', '2026-05-31'),
        now: Date.parse('2026-05-03T00:00:00Z'),
      },
      bestStart,
    );
    // Each person's blocks are joined once, counted by minute, looked up, and named in the answer.
    expect(looks / count).toBeLessThanOrEqual(12);
  });
});

test('the table is what its generator makes of the package, whatever the machine’s release of the zones', () => {
  const kept = keptTable();
  const { first, last, names, places } = makeTable(Number(kept.first.slice(0, 4)));
  expect({ first, last, names, places }).toEqual({
    first: kept.first,
    last: kept.last,
    names: kept.names,
    places: kept.places,
  });
});
