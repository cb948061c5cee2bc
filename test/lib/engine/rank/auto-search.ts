import type { AutoSearch, Preferences } from '../../../../lib/engine/rank/auto-factors.ts';
import { DEFAULT_WEIGHTS } from '../../../../lib/engine/rules/defaults.ts';
import type { LearnedWeights, SearchedPerson } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, person } from '../people.ts';

export const flexible: Preferences = { energyPattern: 'flexible', weights: DEFAULT_WEIGHTS };
export const weighted = (weights: Partial<LearnedWeights>): Preferences => ({
  ...flexible,
  weights: { ...DEFAULT_WEIGHTS, ...weights },
});
export const noMornings = weighted({ timeOfDay: { morning: 0.64, afternoon: 1, evening: 1 } });
export const noMondays = weighted({ dayOfWeek: { ...DEFAULT_WEIGHTS.dayOfWeek, monday: 0.8 } });
const office = { timeZone: 'UTC', workHours: everyDay('08:00', '18:00') };
export const ada = (about: Partial<SearchedPerson> = {}) => person({ ...office, ...about });
export const bob = (about: Partial<SearchedPerson> = {}) => person({ email: 'bob@example.com', ...office, ...about });

/**
 * Returns a search for a half hour of two people with office hours in UTC. 2026-05-04 is a Monday, and every time lies
 * more than three days ahead.
 */
export function auto(more: Partial<AutoSearch> = {}): AutoSearch {
  return {
    requester: ada(),
    other: bob(),
    durationMinutes: 30,
    window: dates('2026-05-04', '2026-05-05'),
    now: at('2026-04-25T00:00Z'),
    requesterPreferences: flexible,
    otherPreferences: flexible,
    ...more,
  };
}
