import { MOVES } from './moves.ts';
import { PICKS } from './picks.ts';
import { SEARCHES } from './searches.ts';
import type { Story } from './story.ts';

/** All stories, in the order of the days they play on. */
export const STORIES: readonly Story[] = [...PICKS, ...MOVES, ...SEARCHES].toSorted((a, b) =>
  a.now.localeCompare(b.now),
);
