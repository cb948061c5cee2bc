import { expect, test } from 'vitest';
import type { Objection } from '../../../lib/engine/rules/objections.ts';
import { sayTaken } from '../../../lib/words/not-free.ts';

const objection = (email: string, rule: 'busy' | 'focus_block' | 'buffer' | 'work_hours' | 'day_limit'): Objection => {
  const about = { email, timeZone: 'UTC', meeting: { start: 0, end: 1 } };
  if (rule === 'day_limit') return { ...about, rule, maxMeetingsPerDay: 3 };
  return rule === 'buffer' ? { ...about, rule, bufferMinutes: 15 } : { ...about, rule };
};
const PAIR = ['ada@example.com', 'ben@example.com'] as const;
const [ADA, BEN] = PAIR;

test.each<[string, Objection[], string]>([
  ['one person who is busy', [objection(BEN, 'busy')], 'Ben is not free then'],
  ['both, once', [objection(ADA, 'busy'), objection(BEN, 'busy')], 'Ada and Ben are not free then'],
  ['a busy person and not their buffer', [objection(BEN, 'busy'), objection(BEN, 'buffer')], 'Ben is not free then'],
  ['a person with a full day as one who is busy', [objection(BEN, 'day_limit')], 'Ben is not free then'],
  ['a full and busy day once', [objection(BEN, 'busy'), objection(BEN, 'day_limit')], 'Ben is not free then'],
  ['time for focus', [objection(ADA, 'focus_block')], 'Ada keeps that time for focus'],
  ['nobody for what only brings a warning', [objection(ADA, 'work_hours')], 'the two people are not both free then'],
])('a refused booking names %s', (_, against, expected) => {
  expect(sayTaken(against, PAIR)).toBe(expected);
});
