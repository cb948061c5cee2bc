import { test } from 'vitest';
import { expectRandomTextsToBeRead } from './random-texts.ts';

test('no text makes the rules throw, and what they quote was written', () => {
  expectRandomTextsToBeRead({ runs: 3_000 });
});
