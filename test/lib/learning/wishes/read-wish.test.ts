import { describe, expect, test } from 'vitest';
import { readWish } from '../../../../lib/learning/wish/read-wish.ts';
import { askerOf, expectedOf, TABLE } from './expected.ts';

describe.each(Object.entries(Object.groupBy(TABLE, ({ group }) => group)))('%s', (_, rows = []) => {
  test.each(rows.map((row) => [row.text, row] as const))('%j', (text, { scene, said }) => {
    const { closeness, ...wish } = readWish(text, askerOf(scene));
    expect(said.near === undefined ? wish : { ...wish, closeness }).toEqual(expectedOf(scene, said));
  });
});
