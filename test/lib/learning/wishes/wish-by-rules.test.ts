import { describe, expect, test } from 'vitest';
import { wishByRules } from '../../../../lib/learning/wish/wish-from-reason.ts';
import { askerOf, expectedOf, TABLE } from './expected.ts';

const READ = TABLE.filter(({ group }) => group !== 'beyond_rules');

describe.each(Object.entries(Object.groupBy(READ, ({ group }) => group)))('%s', (_, rows = []) => {
  test.each(rows.map((row) => [row.text, row] as const))('%j', (text, { scene, said }) => {
    const { closeness, ...wish } = wishByRules(text, askerOf(scene));
    expect(said.near === undefined ? wish : { ...wish, closeness }).toEqual(expectedOf(scene, said));
  });
});
