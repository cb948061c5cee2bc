import { describe, expect, test } from 'vitest';
import { tellsTaste, wishByRules } from '../../../../lib/learning/wish/wish-from-reason.ts';
import { askerOf, expectedOf, TABLE } from './expected.ts';

const READ = TABLE.filter(({ group }) => group !== 'beyond_rules');

describe.each(Object.entries(Object.groupBy(READ, ({ group }) => group)))('%s', (_, rows = []) => {
  test.each(rows.map((row) => [row.text, row] as const))('%j', (text, { scene, said }) => {
    const { closeness, shiftMinutes, ...wish } = wishByRules(text, askerOf(scene));
    expect(said.near === undefined ? wish : { ...wish, closeness }).toEqual(expectedOf(scene, said));
  });
});

test.each([
  ['push it back half an hour', 30],
  ['15 min later please', 15],
  ['could we make it 2 hours earlier', 120],
  ['a bit later', undefined],
  ['too early', undefined],
  ['Thursday', undefined],
])('%j moves by %s minutes', (text, minutes) => {
  const [{ scene }] = TABLE as [(typeof TABLE)[number]];
  expect(wishByRules(text, askerOf(scene)).shiftMinutes).toBe(minutes);
});

test.each([
  ['I love mornings, but my car broke down', true],
  ['Mondays are bad for me', true],
  ['Thursday instead?', false],
  ["I'd like Thursday", false],
])('%j tells what somebody likes: %s', (text, isTaste) => {
  expect(tellsTaste(text)).toBe(isTaste);
});
