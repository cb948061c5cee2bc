import { expect } from 'vitest';
import type { Reading } from '../../../lib/engine/wish/reading.ts';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { calendarOf } from '../../../lib/reader/wish/asker.ts';
import { askerOf, TABLE } from './wishes/expected.ts';

/** Returns what was read, without the quotes. */
const meaningOf = ({ wanted, refused, moves, soon }: Reading) =>
  JSON.stringify([wanted, refused, moves, soon], (key, value) => (key === 'quote' ? undefined : value));

/** The sentences with the calendar of their scene and what they mean unchanged, read once for all changes. */
const READ = TABLE.map(({ text, scene }) => {
  const calendar = calendarOf(askerOf(scene));
  return { text, calendar, meaning: meaningOf(readByRules(text, calendar)) };
});

/** Checks that a change to a text changes what is read in at most one sentence of a hundred. */
export function expectSameReading(change: (text: string) => string): void {
  const changed = READ.filter(
    ({ text, calendar, meaning }) => meaning !== meaningOf(readByRules(change(text), calendar)),
  );
  expect(changed.map(({ text }) => text).slice(0, 12)).toHaveLength(Math.min(12, changed.length));
  expect(changed.length, changed.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(TABLE.length / 100);
}
