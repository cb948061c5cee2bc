import * as z from 'zod';
import { address, id, instantOf, instantOrNull, success } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';

const weight = z
  .number()
  .min(0.2)
  .max(2)
  .describe(
    'Learned weight from 0.2 to 2. Below 1 Tandem avoids the time, above 1 it prefers the time. 1 means nothing was learned.',
  );
const timesOfDay = z
  .object({ morning: weight, afternoon: weight, evening: weight })
  .describe('Weights by time of day. Morning ends at noon and afternoon ends at 17:00.');

/** Learned weights, each from 0.2 to 2. 1 means nothing was learned. */
export const LearnedWeights = z.object({
  time_of_day_preference: timesOfDay,
  day_of_week_preference: z
    .object({
      monday: weight,
      tuesday: weight,
      wednesday: weight,
      thursday: weight,
      friday: weight,
      saturday: weight,
      sunday: weight,
    })
    .describe('Weights by weekday.'),
  buffer_importance: weight.describe(
    'Weight from 0.2 to 2. Above 1, back-to-back meetings count more heavily against a time.',
  ),
});
const learnedWeights = LearnedWeights.describe('Weights that automatic scheduling and rescheduling use.');
export type LearnedWeights = z.infer<typeof LearnedWeights>;

/** One recorded change of one learned weight of a user. */
export const LearningEntry = z.object({
  id: z.string().describe('ID of the change, `learn_…`.'),
  source: z
    .enum(['reschedule', 'scheduling_context'])
    .describe('Source of the change: a reason for rescheduling or a `scheduling_context`.'),
  meeting_id: z
    .string()
    .nullable()
    .describe('ID of the rescheduled meeting. Null if the source is scheduling_context.'),
  pattern: z.string().describe('Pattern that caused the change, such as `too early`.'),
  weight: z.string().describe('Path of the weight, such as time_of_day_preference.morning.'),
  before: weight.describe('Weight before the change, 0.2 to 2.'),
  after: weight.describe('Weight after the change, 0.2 to 2.'),
  created_at: instantOf('Time of the change'),
  undone_at: instantOrNull('Time the change was undone', 'Null while the change is in effect.'),
});
export type LearningEntry = z.infer<typeof LearningEntry>;

export const Learning = z.object({
  email: address,
  learned_weights: learnedWeights,
  entries: z.array(LearningEntry).describe('Changes, newest first.'),
  pagination: Pagination,
});

export const getLearning = operation({
  method: 'get',
  path: '/v1/user/learning',
  id: 'getLearning',
  key: 'user',
  summary: 'Get the learned weights and the changes behind them',
  description:
    'Learned weights of preferences change when a person gives a reason for rescheduling and when they save a `scheduling_context`.',
  query: z.object(pageQuery('learn_')),
  shown: { limit: shownLimit },
  answer: { is: 'Returns the weights and the changes, newest first.', schema: Learning },
});

export const ResetLearning = z.object({ success, learned_weights: learnedWeights });
export const UndoneLearning = ResetLearning.extend({ entry: LearningEntry.describe('The change that was undone.') });

export const undoLearning = operation({
  method: 'post',
  path: '/v1/user/learning/{id}/undo',
  id: 'undoLearning',
  key: 'user',
  summary: 'Undo one change of a learned preference',
  description: 'All other changes of learned weights stay in effect. Undoing a change again has no further effect.',
  params: z.object({ id: id('ID of a change, from getLearning.') }),
  answer: { is: 'Returns the change and the weights without it.', schema: UndoneLearning },
  errors: ['not_found'],
});

export const resetLearning = operation({
  method: 'delete',
  path: '/v1/user/learning',
  id: 'resetLearning',
  key: 'user',
  summary: 'Forget everything learned',
  description: 'Sets every weight back to 1. Later reasons change the weights again.',
  answer: { is: 'Returns the weights, all 1.', schema: ResetLearning },
});

export const operations = [getLearning, undoLearning, resetLearning];
