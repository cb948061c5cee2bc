import type { Wish } from '../../scheduling/wish.ts';
import { plainWords } from '../text/plain-words.ts';
import { type Asker, calendarOf } from './asker.ts';
import { hear } from './hear.ts';
import { wishOf } from './wish-of.ts';

/**
 * What a rescheduling reason asks of this meeting's new time (decisions, Meetings), by rules: words are read on the
 * asker's clock and calendar, no zone is guessed, and what only tells a story asks for nothing.
 */
export function readWish(text: string, asker: Asker): Wish {
  return wishOf(hear(plainWords(text), calendarOf(asker)), asker);
}
