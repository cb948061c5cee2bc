import * as z from 'zod';
import { id, instant } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';

const weight = z.number().min(0.2).max(2);
export const timesOfDay = z.object({ morning: weight, afternoon: weight, evening: weight });

/** Learned weights, each 0.2 to 2; 1 says nothing was learned. */
export const LearnedWeights = z.object({
  time_of_day_preference: timesOfDay,
  day_of_week_preference: z.object({
    monday: weight,
    tuesday: weight,
    wednesday: weight,
    thursday: weight,
    friday: weight,
    saturday: weight,
    sunday: weight,
  }),
  buffer_importance: weight,
});
export type LearnedWeights = z.infer<typeof LearnedWeights>;

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
export type LearningEntry = z.infer<typeof LearningEntry>;

export const Learning = z.object({
  email: z.string(),
  learned_weights: LearnedWeights,
  entries: z.array(LearningEntry),
  pagination: Pagination,
});

export const getLearning = operation({
  method: 'get',
  path: '/v1/user/learning',
  id: 'getLearning',
  key: 'user',
  summary: 'Read the learned weights and every change that made them',
  query: z.object(pageQuery('learn_')),
  shown: { limit: shownLimit },
  answer: { is: 'The weights, and the changes, newest first.', schema: Learning },
});

export const ResetLearning = z.object({ success: z.literal(true), learned_weights: LearnedWeights });
export const UndoneLearning = ResetLearning.extend({ entry: LearningEntry });

export const undoLearning = operation({
  method: 'post',
  path: '/v1/user/learning/{id}/undo',
  id: 'undoLearning',
  key: 'user',
  summary: 'Take one learned change back',
  description: 'The others stand. Asking again changes nothing more.',
  params: z.object({ id: id('The id of a change, from getLearning') }),
  answer: { is: 'The change, and the weights without it.', schema: UndoneLearning },
  errors: ['not_found'],
});

export const resetLearning = operation({
  method: 'delete',
  path: '/v1/user/learning',
  id: 'resetLearning',
  key: 'user',
  summary: 'Take everything learned back',
  answer: { is: 'The weights, all 1.', schema: ResetLearning },
});

export const operations = [getLearning, undoLearning, resetLearning];
