import { expect, test } from 'vitest';
import { preferencesOf } from '../../../lib/users/person.ts';

const ONES = { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1, sunday: 1 };

test('someone who set and taught nothing is flexible and weighs everything 1', () => {
  expect(preferencesOf({ preferences: {}, weights: {} })).toEqual({
    energyPattern: 'flexible',
    weights: { timeOfDay: { morning: 1, afternoon: 1, evening: 1 }, dayOfWeek: ONES, bufferImportance: 1 },
  });
});

test('what was set and taught is kept, the rest has its default', () => {
  const weights = {
    time_of_day_preference: { morning: 0.64 },
    day_of_week_preference: { friday: 0.8 },
    buffer_importance: 1.25,
  };
  expect(preferencesOf({ preferences: { energy_pattern: 'evening_person' }, weights })).toEqual({
    energyPattern: 'evening_person',
    weights: {
      timeOfDay: { morning: 0.64, afternoon: 1, evening: 1 },
      dayOfWeek: { ...ONES, friday: 0.8 },
      bufferImportance: 1.25,
    },
  });
});
