import type { DayPart } from './moment.ts';
import type { EnergyPattern, LearnedWeights } from './types.ts';

/** What one person likes, beside what their rules allow. */
export interface Preferences {
  energyPattern: EnergyPattern;
  weights: LearnedWeights;
}

/** How each part of the day suits an energy pattern. */
export const ENERGY: Record<EnergyPattern, Record<DayPart, number>> = {
  flexible: { morning: 1, afternoon: 1, evening: 1 },
  morning_person: { morning: 1.2, afternoon: 0.9, evening: 0.7 },
  afternoon_person: { morning: 0.9, afternoon: 1.2, evening: 0.9 },
  evening_person: { morning: 0.7, afternoon: 0.9, evening: 1.2 },
};
