import { describe, expect, test } from 'vitest';
import { readWish } from '../../../../lib/learning/wish/read-wish.ts';
import { askerOf, expectedOf, TABLE } from './expected.ts';

describe.each(Object.entries(Object.groupBy(TABLE, ({ group }) => group)))('%s', (_, rows = []) => {
  test.each(rows.map((row) => [row.text, row] as const))('%j', (text, { scene, said }) => {
    const { closeness, ...wish } = readWish(text, askerOf(scene));
    expect(said.near === undefined ? wish : { ...wish, closeness }).toEqual(expectedOf(scene, said));
  });
});

const [row] = TABLE;
if (row === undefined) throw new Error('the table is empty');
const asker = askerOf(row.scene);

const PIECES = [
  'too ',
  'not ',
  'mon ',
  "n't ",
  'a ',
  'thursday or ',
  'a week after ',
  'between 2 and ',
  'early ',
  '1/',
  '(',
  'tomorrow, ',
];

test.each(PIECES)('reading grows with the length of %j, not with its square', (piece) => {
  // The processor's time, of which other programs take none.
  const costOf = (length: number) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const runs = Array.from({ length: 15 }, () => {
      const begun = process.cpuUsage();
      readWish(text, asker);
      return process.cpuUsage(begun).user / 1_000;
    });
    return Math.min(...runs);
  };
  costOf(250);
  expect(costOf(1_000)).toBeLessThan(8 * costOf(250) + 5);
});
