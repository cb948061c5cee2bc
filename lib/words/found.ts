import type { Found } from '../engine/rank/find-slots.ts';
import type { Relaxation } from '../engine/rules/relaxations.ts';
import { sayNoTimes, saySuggestions } from './no-times.ts';
import { type SaidSlot, withReasons } from './slots.ts';

/**
 * The slots of an answer with their sentences. If there are none, `message` says why, and `suggestions` say in the same
 * order what each of the `relaxations` would open.
 */
export interface FoundInWords {
  slots: SaidSlot[];
  message?: string;
  relaxations?: Relaxation[];
  suggestions?: string[];
}

/** Returns the result of a search with the sentences for the two people. */
export function withWords({ slots, facts, none }: Found): FoundInWords {
  if (none === undefined) return { slots: withReasons(slots, facts()) };
  const { relaxations } = none;
  return { slots: [], message: sayNoTimes(none), relaxations, suggestions: saySuggestions(none) };
}
