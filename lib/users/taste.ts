import type { ConnectedPerson } from '../../schema/people/queries.ts';
import type { StoredWeights } from '../../schema/users/table.ts';
import { DEFAULT_ENERGY_PATTERN, DEFAULT_WEIGHTS } from '../scheduling/defaults.ts';
import type { Taste } from '../scheduling/taste.ts';
import type { LearnedWeights } from '../scheduling/types.ts';

/** What a stored person likes, as the engine reads it; what nobody set or taught has its default. */
export function tasteOf(person: Pick<ConnectedPerson, 'preferences' | 'weights'>): Taste {
  return {
    energyPattern: person.preferences.energy_pattern ?? DEFAULT_ENERGY_PATTERN,
    weights: weightsOf(person.weights),
  };
}

/** Stored weights whole: a missing one is 1. */
export function weightsOf(stored: StoredWeights): LearnedWeights {
  return {
    timeOfDay: { ...DEFAULT_WEIGHTS.timeOfDay, ...stored.time_of_day_preference },
    dayOfWeek: { ...DEFAULT_WEIGHTS.dayOfWeek, ...stored.day_of_week_preference },
    bufferImportance: stored.buffer_importance ?? DEFAULT_WEIGHTS.bufferImportance,
  };
}
