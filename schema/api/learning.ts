import * as z from 'zod';
import { docs } from '#docs';
import { address, id, instantOf, instantOrNull, success } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { stringOrNull } from './plain.ts';

const weight = z
  .number()
  .min(0.2)
  .max(2)
  .describe(
    docs(
      'Learned weight from 0.2 to 2. With a weight below 1, Tandem avoids this part of the day or week. With a weight above 1, Tandem prefers this part of the day or week. A weight of 1 means that nothing was learned.',
    ),
  );
const timesOfDay = z
  .object({ morning: weight, afternoon: weight, evening: weight })
  .describe(docs('Learned weights by time of day. Morning ends at noon, and afternoon ends at 17:00.'));

/** Each is from 0.2 to 2. A weight of 1 means that nothing was learned. */
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
    .describe(docs('Learned weights by weekday.')),
  buffer_importance: weight.describe(
    docs(
      'Learned weight of pauses between meetings, from 0.2 to 2. The higher this weight, the more Tandem avoids times right before or after another meeting.',
    ),
  ),
});
const learnedWeights = LearnedWeights.describe(
  docs('Learned weights, which Tandem uses when it chooses a time in automatic scheduling and rescheduling.'),
);
export type LearnedWeights = z.infer<typeof LearnedWeights>;

export const LearningEntry = z.object({
  id: z.string().describe(docs('ID of the change of a learned weight, `learn_…`.')),
  source: z
    .enum(['reschedule', 'scheduling_context'])
    .describe(docs('Text that caused the change: a reason for rescheduling or a `scheduling_context`.')),
  meeting_id: stringOrNull(docs('ID of the meeting that was rescheduled. Null if `source` is `scheduling_context`.')),
  pattern: z.string().describe(docs("Pattern in the person's words that caused the change, such as `too early`.")),
  weight: z.string().describe(docs('Name of the changed weight, such as `time_of_day_preference.morning`.')),
  before: weight.describe(docs('Learned weight before the change, 0.2 to 2.')),
  after: weight.describe(docs('Learned weight after the change, 0.2 to 2.')),
  created_at: instantOf('Time of the change'),
  undone_at: instantOrNull('Time the change was undone', 'Null while the change is in effect.'),
});
export type LearningEntry = z.infer<typeof LearningEntry>;

export const Learning = z.object({
  email: address,
  learned_weights: learnedWeights,
  entries: z.array(LearningEntry).describe(docs('Changes of learned weights, newest first.')),
  pagination: Pagination,
});

export const getLearning = operation({
  method: 'get',
  path: '/v1/user/learning',
  id: 'getLearning',
  key: 'user',
  summary: docs("Get the user's learned weights and every change of them"),
  description: docs(
    "A person's learned weights change when the person gives a reason for rescheduling and when they save a `scheduling_context`.",
  ),
  query: z.object(pageQuery('learn_')),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the learned weights, and their changes, newest first.'), schema: Learning },
});

export const ResetLearning = z.object({ success, learned_weights: learnedWeights });
export const UndoneLearning = ResetLearning.extend({
  entry: LearningEntry.describe(docs('Change of a learned weight that was undone.')),
});

export const undoLearning = operation({
  method: 'post',
  path: '/v1/user/learning/{id}/undo',
  id: 'undoLearning',
  key: 'user',
  summary: docs('Undo one change of a learned weight'),
  description: docs(
    'Sets the learned weight back as if the change had not been made. Undoing one change leaves all other changes of learned weights in effect. Undoing a change that is already undone has no effect.',
  ),
  params: z.object({ id: id('ID of the change of a learned weight, from getLearning.') }),
  answer: {
    is: docs('Returns the undone change, and the learned weights without the change.'),
    schema: UndoneLearning,
  },
  errors: ['not_found'],
});

export const resetLearning = operation({
  method: 'delete',
  path: '/v1/user/learning',
  id: 'resetLearning',
  key: 'user',
  summary: docs('Forget everything that Tandem learned about the user'),
  description: docs(
    'Sets every learned weight back to 1. Reasons for rescheduling that the person gives later change the weights again.',
  ),
  answer: { is: docs('Returns the learned weights, which are all 1.'), schema: ResetLearning },
});

export const operations = [getLearning, undoLearning, resetLearning];
