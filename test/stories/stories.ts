import { instantOf } from './calendar.ts';
import { MOVES } from './moves.ts';
import { OFFERS } from './offers.ts';
import { PICKS } from './picks.ts';
import type { Story } from './story.ts';

const timeOf = ({ now, people: [one] }: Story) => instantOf(now, one.zone);

/** Sorts stories by the times at which they play. */
export const inOrder = (stories: readonly Story[]): Story[] => stories.toSorted((a, b) => timeOf(a) - timeOf(b));

export const STORIES: readonly Story[] = inOrder([...OFFERS, ...PICKS, ...MOVES]);
