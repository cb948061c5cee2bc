import { test } from 'vitest';
import { HARMLESS } from '../../reading/steady.ts';
import { expectSameReading } from './harmless.ts';
import { expectRandomTextsToBeRead } from './random-texts.ts';

test.each(HARMLESS)('%s changes what is read in at most one sentence of a hundred', (_, change) => {
  expectSameReading(change);
});

test('no text makes the rules throw, and what they quote was written', () => {
  expectRandomTextsToBeRead({ runs: 3_000 });
});
