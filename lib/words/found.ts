import type { Found } from '../engine/rank/find-slots.ts';
import type { Relaxation } from '../engine/rules/relaxations.ts';
import type { SaidSlot } from '../engine/types.ts';
import { sayNoTimes, saySuggestions } from './no-times.ts';
import { withReasons } from './slots.ts';

/**
 * Slots that a search found, each with its sentence. If there are none, `message` says why, and each of `suggestions`
 * says what the change at the same place in `relaxations` would open.
 */
export interface FoundInWords {
  slots: SaidSlot[];
  message?: string;
  relaxations?: Relaxation[];
  suggestions?: string[];
}

/**
 * Adds sentences for people to the result of a search: a reason for each slot. If there are no slots, adds an
 * explanation and suggestions instead.
 */
export function withWords({ slots, facts, none }: Found): FoundInWords {
  if (none === undefined) return { slots: withReasons(slots, facts()) };
  const { relaxations } = none;
  return { slots: [], message: sayNoTimes(none), relaxations, suggestions: saySuggestions(none) };
}
