import { expect, test } from 'vitest';
import { figuresOf, keepsBound } from './figures.ts';

test('the answers to the corpus keep the bound of every figure', () => {
  expect(figuresOf().filter((figure) => !keepsBound(figure))).toEqual([]);
});
