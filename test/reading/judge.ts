import { MINUTE } from '../../lib/engine/time/dates.ts';
import type { Interval } from '../../lib/engine/types.ts';
import type { Asker } from '../../lib/reader/wish/asker.ts';
import type { Sentence } from './set.ts';
import { liesIn, placedIn, touches } from './windows.ts';

/**
 * Says how one reason was read.
 * - `right`: something was understood, and the meeting lies in a window that the judge accepts.
 * - `tolerable`: something was understood, and the meeting lies where the judge neither accepts nor refuses it.
 * - `wrong`: something was understood, and the meeting lies in a window that the judge refuses. This is the figure that
 *   matters, because the answer then claims "as Ada asked".
 * - `abstained`: nothing was understood of a reason that asks for something.
 * - `left_alone` and `invented`: nothing, or something, was understood of a reason that asks for nothing.
 */
export type Verdict = 'right' | 'tolerable' | 'wrong' | 'abstained' | 'left_alone' | 'invented';

export function verdictOf(sentence: Sentence, isClaimed: boolean, { timeZone }: Asker, place?: Interval): Verdict {
  if (!sentence.asks) return isClaimed ? 'invented' : 'left_alone';
  if (!isClaimed) return 'abstained';
  if (place === undefined) return 'wrong';
  const placed = placedIn(timeZone, place);
  if (liesIn(sentence.ok, placed)) return 'right';
  return touches(sentence.no, placed) ? 'wrong' : 'tolerable';
}

/** Returns true if the meeting lies in a refused window. `place` is undefined if no time was found. */
export const isRefused = ({ no }: Sentence, { timeZone }: Asker, place?: Interval): boolean =>
  place !== undefined && touches(no, placedIn(timeZone, place));

/** Returns true if any of the free starts would have met the judge's windows. */
export function couldBeRight(
  { ok }: Sentence,
  { timeZone, oldStart, oldEnd }: Asker,
  free: readonly number[],
): boolean {
  const duration = Math.ceil((oldEnd - oldStart) / MINUTE) * MINUTE;
  return free.some((start) => liesIn(ok, placedIn(timeZone, { start, end: start + duration })));
}
