import type { Reading } from '../engine/wish/reading.ts';

/** Returns true if a text says something about time, and nothing of it was understood as a wish for this meeting. */
export const isUnclear = ({ wanted, refused, moves, soon, unread }: Reading): boolean =>
  unread.length > 0 && wanted.length + refused.length + moves.length === 0 && soon === undefined;

/** "Mondays are bad for me" says what the person likes, and asks for no time. */
export function isTasteOf({ wanted, refused, moves, soon, standing }: Reading): boolean {
  const parts = [...wanted, ...refused];
  const isStanding = ({ quote }: { quote: string }) => standing.some((rule) => rule.quote === quote);
  return parts.length > 0 && moves.length === 0 && soon === undefined && parts.every(isStanding);
}
