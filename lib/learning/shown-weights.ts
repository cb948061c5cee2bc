import type { StoredWeights } from '../../schema/users/table.ts';
import { weightsOf } from '../users/taste.ts';

/** Learned weights as the API shows them, whole: a missing one is 1. */
export function shownWeights(stored: StoredWeights) {
  const { timeOfDay, dayOfWeek, bufferImportance } = weightsOf(stored);
  return {
    time_of_day_preference: timeOfDay,
    day_of_week_preference: dayOfWeek,
    buffer_importance: bufferImportance,
  };
}
