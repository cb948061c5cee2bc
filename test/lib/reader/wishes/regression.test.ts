import { expect, test } from 'vitest';
import { TABLE } from './expected.ts';
import { CLAIMED, expectToBeReadRight, KNOWN } from './read-right.ts';

// `regression.long.test.ts` reads all sentences.
test.each(CLAIMED.filter((_, i) => i % 4 === 0))('%j', expectToBeReadRight);

test('no more than one sentence in twenty is left to people and models', () => {
  expect(KNOWN.size).toBeLessThan(TABLE.length / 20);
});
