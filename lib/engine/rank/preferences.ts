import type { DayPart } from '../time/moment.ts';
import type { EnergyPattern, LearnedWeights } from '../types.ts';

/** A person's tastes, which rank the times that their rules allow: an energy setting and learned weights. */
export interface Preferences {
  energyPattern: EnergyPattern;
  weights: LearnedWeights;
}

/** The multiplier for each part of the day, keyed by energy pattern. Above 1 suits the person, below 1 does not. */
export const ENERGY: Record<EnergyPattern, Record<DayPart, number>> = {
  flexible: { morning: 1, afternoon: 1, evening: 1 },
  morning_person: { morning: 1.2, afternoon: 0.9, evening: 0.7 },
  afternoon_person: { morning: 0.9, afternoon: 1.2, evening: 0.9 },
  evening_person: { morning: 0.7, afternoon: 0.9, evening: 1.2 },
};
