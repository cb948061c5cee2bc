import * as z from 'zod';
import { PreferencesRequest } from '../preferences.ts';

const instant = z.string().describe('ISO 8601 in UTC');
const weight = z.number().min(0.2).max(2);
const timesOfDay = z.object({ morning: weight, afternoon: weight, evening: weight });

/** Preferences whole; what the user did not set has its default. */
export const Preferences = PreferencesRequest.required();

export const UserPreferences = z.object({ email: z.string(), preferences: Preferences });
export const UpdatedPreferences = UserPreferences.extend({ success: z.literal(true) });

export const UserInfo = z.object({
  email: z.string(),
  preferences: Preferences,
  stats: z.object({
    total_meetings_scheduled: z.int(),
    meetings_this_month: z.int(),
    average_acceptance_time_hours: z.number(),
    reschedule_rate: z.number().min(0).max(1),
    fast_acceptance_rate: z.number().min(0).max(1).describe('Share accepted within 2 hours'),
    preferred_times: timesOfDay,
  }),
  onboarding_completed: z.boolean(),
  created_at: instant,
});

/** Learned weights, each 0.2 to 2; 1 says nothing was learned. */
export const LearnedWeights = z.object({
  time_of_day_preference: timesOfDay,
  day_of_week_preference: z.object({
    ...{ monday: weight, tuesday: weight, wednesday: weight, thursday: weight, friday: weight },
    ...{ saturday: weight, sunday: weight },
  }),
  buffer_importance: weight,
});

/** One change of one weight. */
export const LearningEntry = z.object({
  id: z.string(),
  source: z.enum(['reschedule', 'scheduling_context']),
  meeting_id: z.string().nullable(),
  pattern: z.string(),
  weight: z.string().describe('Path of the weight, as time_of_day_preference.morning'),
  before: weight,
  after: weight,
  created_at: instant,
  undone_at: instant.nullable(),
});

export const Learning = z.object({
  email: z.string(),
  learned_weights: LearnedWeights,
  entries: z.array(LearningEntry),
});

export const ResetLearning = z.object({ success: z.literal(true), learned_weights: LearnedWeights });
export const UndoneLearning = ResetLearning.extend({ entry: LearningEntry });
