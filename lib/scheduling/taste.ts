import { WEEKDAYS } from './dates.ts';
import type { WallTime } from './moment.ts';
import type { EnergyPattern, LearnedWeights } from './types.ts';

/** What one person likes, beside what their rules allow. */
export interface Taste {
  energyPattern: EnergyPattern;
  weights: LearnedWeights;
}

export type DayPart = 'morning' | 'afternoon' | 'evening';

const ENERGY: Record<EnergyPattern, Record<DayPart, number>> = {
  flexible: { morning: 1, afternoon: 1, evening: 1 },
  morning_person: { morning: 1.2, afternoon: 0.9, evening: 0.7 },
  afternoon_person: { morning: 0.9, afternoon: 1.2, evening: 0.9 },
  evening_person: { morning: 0.7, afternoon: 0.9, evening: 1.2 },
};

/** Morning is before 12:00, afternoon 12:00-17:00, evening after (decisions, Learning). */
export function dayPartOf(wall: WallTime): DayPart {
  if (wall.startMinute < 12 * 60) return 'morning';
  return wall.startMinute < 17 * 60 ? 'afternoon' : 'evening';
}

/** One person's multipliers for a meeting on their wall clock, back to back with another or not. */
export function tasteFactors(taste: Taste, email: string, wall: WallTime, isBackToBack: boolean) {
  const { energyPattern, weights } = taste;
  const part = dayPartOf(wall);
  const weekday = WEEKDAYS[wall.weekday] ?? 'monday';
  return [
    {
      name: 'energy_pattern',
      multiplier: ENERGY[energyPattern][part],
      reason: `${part} for ${email}, ${energyPattern.replace('_', ' ')}`,
    },
    {
      name: 'time_of_day_preference',
      multiplier: weights.timeOfDay[part],
      reason: `${email}'s learned weight of the ${part}`,
    },
    {
      name: 'day_of_week_preference',
      multiplier: weights.dayOfWeek[weekday],
      reason: `${email}'s learned weight of ${weekday[0]?.toUpperCase()}${weekday.slice(1)}`,
    },
    {
      name: 'buffer_importance',
      multiplier: isBackToBack ? Math.min(1, 1 / weights.bufferImportance) : 1,
      reason: `back to back for ${email}`,
    },
  ];
}
