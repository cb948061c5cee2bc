import { expect, test } from 'vitest';
import { figuresOf, keepsBound } from '../../stories/figures.ts';

test('the answers to the corpus keep the bound of every figure', () => {
  expect(figuresOf().figures.filter((figure) => !keepsBound(figure))).toEqual([]);
});
