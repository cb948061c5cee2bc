import type { Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { plainWords } from '../text/plain-words.ts';
import { limitsIn } from './limits.ts';
import { readByRules } from './read.ts';

/**
 * A made-up calendar for reading general statements, which depend on no date. Today is a Monday, and the meeting is on
 * the next day at 10:00.
 */
export const ANY: Calendar = { today: 4, oldDay: 5, oldMinute: 10 * 60, durationMinutes: 30 };

/** Reads a scheduling context by rules alone. All that it says holds in general. */
export function readContext(text: string): Reading {
  const reading = readByRules(text, ANY, 'context');
  const limits = limitsIn(plainWords(text), text.trim());
  const isOther = (kind: string) => limits.every((limit) => limit.kind !== kind);
  return {
    ...reading,
    wanted: [],
    refused: [],
    moves: [],
    standing: [...reading.standing.filter(({ kind }) => isOther(kind)), ...limits],
  };
}
