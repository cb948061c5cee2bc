import { expect } from 'vitest';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { seeded } from '../../support/fuzz/seeded.ts';
import { TABLE } from './wishes/expected.ts';

const WORDS = [...new Set(TABLE.flatMap(({ text }) => text.split(/\s+/)))];
const ODD = [
  ...['—', '–', '/', '(', ')', '\n', '\uFFFF', '😀', "'", '2:99'],
  ...['31/31', '99th', 'x'.repeat(60), '-', '...', '24:00'],
];
const CALENDAR = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };

/** Reads so many random texts, always the same ones. None may make the rules throw, and what they quote was written. */
export function expectRandomTextsToBeRead({ runs }: { runs: number }): void {
  const { below, pick } = seeded(7);
  for (let run = 0; run < runs; run++) {
    const text = Array.from({ length: 1 + below(14) }, () => (below(8) === 0 ? pick(ODD) : pick(WORDS))).join(' ');
    const { wanted, refused, moves, unread } = readByRules(text, CALENDAR);
    for (const { quote } of [...wanted, ...refused, ...moves])
      for (const part of quote.split(' … ')) expect(text).toContain(part);
    for (const quote of unread) expect(text).toContain(quote);
    readContext(text);
  }
}
