import * as z from 'zod';
import { address, id, instantOf, instantOrNull, success } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';

const weight = z
  .number()
  .min(0.2)
  .max(2)
  .describe('0.2 to 2; below 1 to be avoided, above 1 liked, 1 says nothing was learned');
const timesOfDay = z
  .object({ morning: weight, afternoon: weight, evening: weight })
  .describe('Before noon, from noon to 17:00, and after');

/** Learned weights, each 0.2 to 2; 1 says nothing was learned. */
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
    .describe('By weekday'),
  buffer_importance: weight.describe('0.2 to 2; above 1 what stands back to back counts the more against a time'),
});
const learnedWeights = LearnedWeights.describe('What automatic scheduling and rescheduling reckon with');
export type LearnedWeights = z.infer<typeof LearnedWeights>;

/** One change of one weight. */
export const LearningEntry = z.object({
  id: z.string().describe('The id of the change, `learn_…`'),
  source: z.enum(['reschedule', 'scheduling_context']).describe('What taught it'),
  meeting_id: z.string().nullable().describe('The meeting that was rescheduled; null for a scheduling_context'),
  pattern: z.string().describe('What was read in the text'),
  weight: z.string().describe('Path of the weight, as time_of_day_preference.morning'),
  before: weight.describe('The weight before'),
  after: weight.describe('The weight after'),
  created_at: instantOf('When it was learned'),
  undone_at: instantOrNull('When it was taken back; null while it stands'),
});
export type LearningEntry = z.infer<typeof LearningEntry>;

export const Learning = z.object({
  email: address,
  learned_weights: learnedWeights,
  entries: z.array(LearningEntry).describe('The changes, newest first'),
  pagination: Pagination,
});

export const getLearning = operation({
  method: 'get',
  path: '/v1/user/learning',
  id: 'getLearning',
  key: 'user',
  summary: 'Read the learned weights and every change that made them',
  description: 'Changes come from reasons given for rescheduling and from scheduling_context.',
  query: z.object(pageQuery('learn_')),
  shown: { limit: shownLimit },
  answer: { is: 'The weights, and the changes, newest first.', schema: Learning },
});

export const ResetLearning = z.object({ success, learned_weights: learnedWeights });
export const UndoneLearning = ResetLearning.extend({ entry: LearningEntry.describe('The change that was taken back') });

export const undoLearning = operation({
  method: 'post',
  path: '/v1/user/learning/{id}/undo',
  id: 'undoLearning',
  key: 'user',
  summary: 'Undo one learned change',
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
  summary: 'Forget everything learned',
  description: 'Every weight is 1 again; later reasons teach anew.',
  answer: { is: 'The weights, all 1.', schema: ResetLearning },
});

export const operations = [getLearning, undoLearning, resetLearning];
