import { expect, test } from 'vitest';
import { sayNotice } from '../../../lib/wording/explanation.ts';

const HOUR = 3_600_000;

test.each([
  ['client_demo', 24, "Automatic scheduling wants a day's notice for a demo; this time leaves it."],
  [
    'client_demo',
    23,
    "Automatic scheduling wants a day's notice for a demo; this time comes sooner, and is picked only where nothing is free with that notice.",
  ],
  ['review', 2, "Automatic scheduling wants 2 hours' notice for a review; this time leaves it."],
  ['urgent', 1, "Automatic scheduling wants 15 minutes' notice for an urgent meeting; this time leaves it."],
] as const)('the notice of %s, %d hours ahead', (context, hours, sentence) => {
  expect(sayNotice(context, hours * HOUR, 0)).toBe(sentence);
});
