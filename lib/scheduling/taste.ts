import { WEEKDAYS } from './dates.ts';
import { type DayPart, dayPartOf, type WallTime } from './moment.ts';
import type { EnergyPattern, Factor, LearnedWeights } from './types.ts';

/** What one person likes, beside what their rules allow. */
export interface Taste {
  energyPattern: EnergyPattern;
  weights: LearnedWeights;
}

const ENERGY: Record<EnergyPattern, Record<DayPart, number>> = {
  flexible: { morning: 1, afternoon: 1, evening: 1 },
  morning_person: { morning: 1.2, afternoon: 0.9, evening: 0.7 },
  afternoon_person: { morning: 0.9, afternoon: 1.2, evening: 0.9 },
  evening_person: { morning: 0.7, afternoon: 0.9, evening: 1.2 },
};

/** One person's multipliers for a meeting on their wall clock, back to back with another or not. */
export function tasteFactors(taste: Taste, wall: WallTime, isBackToBack: boolean): Factor[] {
  const { energyPattern, weights } = taste;
  const part = dayPartOf(wall);
  const weekday = WEEKDAYS[wall.weekday] ?? 'monday';
  return [
    { name: 'energy_pattern', multiplier: ENERGY[energyPattern][part] },
    { name: 'time_of_day_preference', multiplier: weights.timeOfDay[part] },
    { name: 'day_of_week_preference', multiplier: weights.dayOfWeek[weekday] },
    { name: 'buffer_importance', multiplier: isBackToBack ? Math.min(1, 1 / weights.bufferImportance) : 1 },
  ];
}
