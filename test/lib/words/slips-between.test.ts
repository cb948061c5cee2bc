import { expect, test } from 'vitest';
import { slipsBetween } from '../../../lib/words/slips-between.ts';

test.each([
  ['', '', 0],
  ['', 'title', 5],
  ['title', '', 5],
  ['title', 'title', 0],
  ['titel', 'title', 1],
  ['itlte', 'title', 2],
  ['tile', 'title', 1],
  ['titlee', 'title', 1],
  ['tidle', 'title', 1],
  ['durration', 'duration', 1],
  ['kitten', 'sitting', 3],
  ['abc', 'cab', 2],
])('%j is so many slips from %j: %i', (one, two, slips) => {
  expect(slipsBetween(one, two)).toBe(slips);
  expect(slipsBetween(two, one)).toBe(slips);
});
