import type { Found } from '../engine/rank/find-slots.ts';
import type { Relaxation } from '../engine/rules/relaxations.ts';
import type { SaidSlot } from '../engine/types.ts';
import { sayNoTimes, saySuggestions } from './no-times.ts';
import { withReasons } from './slots.ts';

/** Without slots, `message` says why, and each of `suggestions` is about the same place in `relaxations`. */
export interface FoundInWords {
  slots: SaidSlot[];
  message?: string;
  relaxations?: Relaxation[];
  suggestions?: string[];
}

/** Each slot gets a reason. Without slots, there are an explanation and suggestions instead. */
export function withWords({ slots, facts, none }: Found): FoundInWords {
  if (none === undefined) return { slots: withReasons(slots, facts()) };
  const { relaxations } = none;
  return { slots: [], message: sayNoTimes(none), relaxations, suggestions: saySuggestions(none) };
}
