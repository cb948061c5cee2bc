import * as z from 'zod';
import { answer, docs } from '#docs';
import * as f from './fields.ts';
import { Meeting } from './meetings.ts';
import { userOperation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { onEachWeekday, preferences, StandingRule } from './preferences.ts';

const weight = f.described(
  z.number().min(0.2).max(2),
  docs(
    'Learned weight from 0.2 to 2. With a weight below 1, Tandem avoids this part of the day or week. With a weight above 1, Tandem prefers this part of the day or week. A weight of 1 means that nothing was learned.',
  ),
);

export const LearnedWeights = answer(() => ({
  time_of_day_preference: f.objectOf(
    'Learned weights by time of day. Morning ends at noon, and afternoon ends at 17:00.',
    { morning: weight, afternoon: weight, evening: weight },
  ),
  day_of_week_preference: f.objectOf('Learned weights by weekday.', onEachWeekday(weight)),
  buffer_importance: weight.describe(
    'Learned weight of pauses between meetings, from 0.2 to 2. The higher this weight, the more Tandem avoids times right before or after another meeting.',
  ),
}));
export type LearnedWeights = z.infer<typeof LearnedWeights>;

export const LearningEntry = answer(() => ({
  id: z.string().describe('ID of the change of a learned weight, `learn_…`.'),
  source: z
    .enum(['reschedule', 'scheduling_context'])
    .describe('Text that caused the change: a reason for rescheduling or a `scheduling_context`.'),
  meeting_id: f.stringOrNull('ID of the meeting that was rescheduled. Null if `source` is `scheduling_context`.'),
  pattern: z.string().describe("Pattern in the person's words that caused the change, such as `too early`."),
  weight: z.string().describe('Name of the changed weight, such as `time_of_day_preference.morning`.'),
  before: weight.describe('Learned weight before the change, 0.2 to 2.'),
  after: weight.describe('Learned weight after the change, 0.2 to 2.'),
  created_at: f.instantOf('Time of the change'),
  undone_at: f.instantOrNull('Time the change was undone', 'Null while the change is in effect.'),
}));
export type LearningEntry = z.infer<typeof LearningEntry>;

export const ResetLearning = answer(() => ({
  success: f.success,
  learned_weights: LearnedWeights.describe(
    'Learned weights, which Tandem uses when it chooses a time in automatic scheduling and rescheduling.',
  ),
}));

export const Learning = answer(() => ({
  email: f.address,
  learned_weights: ResetLearning.shape.learned_weights,
  entries: f.arrayOf(LearningEntry, 'Changes of learned weights, newest first.'),
  pagination: Pagination,
}));

export const getLearning = userOperation('get /v1/user/learning', {
  summary: docs("Get the user's learned weights and every change of them"),
  description: docs(
    "A person's learned weights change when the person gives a reason for rescheduling and when they save a `scheduling_context`.",
  ),
  query: z.object(pageQuery('learn_')),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the learned weights, and their changes, newest first.'), schema: Learning },
});

export const UndoneLearning = answer(() => ({
  ...ResetLearning.shape,
  entry: LearningEntry.describe('Change of a learned weight that was undone.'),
}));

export const undoLearning = userOperation('post /v1/user/learning/{id}/undo', {
  summary: docs('Undo one change of a learned weight'),
  description: docs(
    'Sets the learned weight back as if the change had not been made. Undoing one change leaves all other changes of learned weights in effect. Undoing a change that is already undone has no effect.',
  ),
  params: z.object({ id: f.id(docs('ID of the change of a learned weight, from getLearning.')) }),
  answer: {
    is: docs('Returns the undone change, and the learned weights without the change.'),
    schema: UndoneLearning,
  },
  errors: ['not_found'],
});

export const resetLearning = userOperation('delete /v1/user/learning', {
  summary: docs('Forget everything that Tandem learned about the user'),
  description: docs(
    'Sets every learned weight back to 1. Reasons for rescheduling that the person gives later change the weights again.',
  ),
  answer: { is: docs('Returns the learned weights, which are all 1.'), schema: ResetLearning },
});

const partOfDay = f.shareOf(
  docs(
    "Share of the person's meetings that start in this part of the day, 0 to 1. Without any meetings, the shares of morning, afternoon and evening are all 0.",
  ),
);
const onboardingCompleted = z.boolean().describe(docs('True if the person has set their preferences.'));
const createdAt = f.instantOf('Time the person first connected a calendar');

export const UserInfo = answer(() => ({
  email: f.address,
  preferences,
  stats: f.objectOf("Statistics of the person's meetings on all platforms.", {
    total_meetings_scheduled: f.intOf('Number of meetings ever created, including cancelled meetings.'),
    meetings_this_month: z.int().describe('Number of meetings created in this UTC calendar month.'),
    average_acceptance_time_hours: f.numberOf(
      "Average number of hours between a booking and the person's acceptance of the invitation. 0 if the person accepted no invitation.",
    ),
    reschedule_rate: f.shareOf("Share of all the person's meetings that were rescheduled, 0 to 1."),
    fast_acceptance_rate: f.shareOf(
      'Of the invitations that the person accepted, the share that the person accepted within 2 hours, 0 to 1.',
    ),
    preferred_times: f.objectOf(
      "Share of the person's meetings that start in each part of the person's day. Cancelled and replaced meetings do not count.",
      { morning: partOfDay, afternoon: partOfDay, evening: partOfDay },
    ),
  }),
  onboarding_completed: onboardingCompleted,
  created_at: createdAt,
}));

export const getUserInfo = userOperation('get /v1/user/info', {
  summary: docs('Get the user with preferences and statistics'),
  description: docs('Returns the user who owns the API key.'),
  answer: { is: docs('Returns the user with preferences and statistics.'), schema: UserInfo },
});

const platformId = z.string().describe(docs('ID of the platform, `plat_…`.'));

export const UserExport = answer(() => ({
  exported_at: f.instantOf('Time of the export'),
  email: f.address,
  provider_id: f.providerId,
  created_at: createdAt,
  onboarding_completed: onboardingCompleted,
  calendar: f.objectOf("Tandem's access to the person's calendar.", {
    provider: f.provider,
    status: z
      .enum(['connected', 'needs_reauthorization', 'disconnected'])
      .describe("State of Tandem's access to the calendar."),
    scope: z.string().describe('OAuth scopes the person granted, as the calendar provider names them.'),
    timezone: z.string().describe("IANA time zone of the person's calendar."),
    blocking_calendars: f.stringsOf(
      "IDs of the calendars whose events make the person busy, as the provider names them. `primary` is the person's main calendar.",
    ),
    ticked_calendars: f.stringsOf(
      'IDs of the calendars that the person selected on their page, so that events on them make the person busy.',
    ),
    unticked_calendars: f.stringsOf(
      'IDs of the calendars that the person deselected on their page, so that they do not make the person busy.',
    ),
  }),
  preferences,
  rules: f.arrayOf(StandingRule, "Rules that Tandem derived from the person's own words."),
  learned_weights: LearnedWeights.describe("The person's current learned weights."),
  learning: f.arrayOf(LearningEntry, 'Every change of a learned weight, newest first.'),
  platforms: f.arrayOf(
    z.object({
      platform_id: platformId,
      name: z.string().describe('Name of the platform.'),
      connected_at: f.instantOf('Time the person connected to the platform'),
      last_used_at: f.instantOf("Time the platform last used the person's calendar"),
      disconnected_at: f.instantOrNull("Time the platform's access ended", 'Null while the platform has access.'),
    }),
    'Every platform the person ever connected to.',
  ),
  api_keys: f.arrayOf(
    z.object({
      masked: f.stringOf(
        'Masked API key: its prefix and last four characters. Tandem never returns the whole API key.',
      ),
      agent: f.stringOrNull(
        'Host of the agent that holds the API key. Null for a key that the person made for themselves.',
      ),
      created_at: f.instantOf('Time the API key was created'),
      revoked_at: f.instantOrNull(
        'Time from which the API key is refused, which lies ahead for the key of an agent',
        'Null for a key that does not expire.',
      ),
    }),
    "The person's API keys.",
  ),
  meetings: f.arrayOf(
    Meeting.omit({ metadata: true }).extend({ platform_id: platformId }),
    "The person's meetings on every platform, without the platforms' metadata.",
  ),
  held_times: f.arrayOf(
    z.object({
      platform_id: platformId,
      proposal_id: z.string().describe('ID of the open proposal that holds the times.'),
      with: f.address,
      times: f.arrayOf(
        z.object({ start_time: f.instantOf('Start of the time'), end_time: f.instantOf('End of the time') }),
        'Times that the proposal holds.',
      ),
      held_until: f.instantOf('Time until which the proposal holds the times'),
    }),
    'Times of the person that open proposals hold, on every platform.',
  ),
  not_included: f.stringsOf('Sentences that each name one kind of data that the export does not contain.'),
}));
export type UserExport = z.infer<typeof UserExport>;

export const exportUser = userOperation('get /v1/user/export', {
  summary: docs('Export everything stored about the user'),
  description: docs(
    "The export has the user's data from all platforms. The export never includes calendar tokens or whole API keys.",
  ),
  answer: { is: docs('Returns everything stored about the user.'), schema: UserExport },
});

export const DeletedUser = answer(() => ({
  success: f.success,
  message: f.note,
  stays: f.arrayOf(
    z.object({
      what: z.string().describe('Kind of data that stays.'),
      kept: z.string().describe('How long it stays.'),
    }),
    'What stays after the deletion, and for how long.',
  ),
}));

export const deleteUser = userOperation('delete /v1/user', {
  summary: docs('Delete the user'),
  description: docs(
    "Revokes access to the person's calendar and sends the event `user.calendar.disconnected` to every platform that had access. The person's API keys, preferences and learned weights are deleted at once. The answer lists what stays, and for how long. The deletion cannot be undone.",
  ),
  answer: {
    is: docs('Confirms that the user is deleted. The API key that sent the request no longer works.'),
    schema: DeletedUser,
  },
});

export const operations = { getLearning, undoLearning, resetLearning, getUserInfo, exportUser, deleteUser };
