import { expect, test } from 'vitest';
import { HARMLESS } from '../../reading/steady.ts';
import { expectSameReading } from './harmless.ts';
import { expectRandomTextsToBeRead } from './random-texts.ts';

test('one harmless change after another changes what is read in at most one sentence of a hundred', () => {
  let turn = 0;
  const changes = HARMLESS.map(([, change]) => change);
  expect(changes.length).toBeGreaterThan(5);
  expectSameReading((text) => changes[turn++ % changes.length]?.(text) ?? text);
});

test('no text makes the rules throw, and what they quote was written', () => {
  expectRandomTextsToBeRead({ runs: 400 });
});
