import { expect, test } from 'vitest';
import type { Reading } from '../../../lib/engine/wish/reading.ts';
import { readByRules } from '../../../lib/reader/rules/read.ts';
import { readContext } from '../../../lib/reader/rules/read-context.ts';
import { calendarOf } from '../../../lib/reader/wish/asker.ts';
import { HARMLESS } from '../../reading/steady.ts';
import { seeded } from '../../support/fuzz/seeded.ts';
import { askerOf, TABLE } from './wishes/expected.ts';

/** Returns what was read, without the quotes. */
const meaningOf = ({ wanted, refused, moves, soon }: Reading) =>
  JSON.stringify([wanted, refused, moves, soon], (key, value) => (key === 'quote' ? undefined : value));

test.each(HARMLESS.map(([name, change]) => [name, change] as const))(
  '%s changes what is read in at most one sentence of a hundred',
  (_, change) => {
    const changed = TABLE.filter(({ text, scene }) => {
      const calendar = calendarOf(askerOf(scene));
      return meaningOf(readByRules(text, calendar)) !== meaningOf(readByRules(change(text), calendar));
    });
    expect(changed.map(({ text }) => text).slice(0, 12)).toHaveLength(Math.min(12, changed.length));
    expect(changed.length, changed.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(TABLE.length / 100);
  },
);

test('no text makes the rules throw, and what they quote was written', () => {
  const words = [...new Set(TABLE.flatMap(({ text }) => text.split(/\s+/)))];
  const odd = [
    '—',
    '–',
    '/',
    '(',
    ')',
    '\n',
    '￿',
    '😀',
    "'",
    '2:99',
    '31/31',
    '99th',
    'x'.repeat(60),
    '-',
    '...',
    '24:00',
  ];
  const { below, pick } = seeded(7);
  const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30 };
  for (let run = 0; run < 3_000; run++) {
    const text = Array.from({ length: 1 + below(14) }, () => (below(8) === 0 ? pick(odd) : pick(words))).join(' ');
    const { wanted, refused, moves, unread } = readByRules(text, calendar);
    for (const { quote } of [...wanted, ...refused, ...moves])
      for (const part of quote.split(' … ')) expect(text).toContain(part);
    for (const quote of unread) expect(text).toContain(quote);
    readContext(text);
  }
});
