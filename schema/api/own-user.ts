import * as z from 'zod';
import { address, instantOf, instantOrNull, note, provider, providerId, success } from './fields.ts';
import { LearnedWeights, LearningEntry } from './learning.ts';
import { Meeting } from './meetings.ts';
import { operation } from './operation.ts';
import { Preferences } from './preferences.ts';

const share = z.number().min(0).max(1);
const partOfDay = share.describe('The share of meetings in that part of the day, 0 to 1; all three 0 without any');
const preferences = Preferences.describe('All preferences; what was never set has its default');
const onboardingCompleted = z.boolean().describe('Whether they have set their preferences');
const createdAt = instantOf('When they first connected a calendar');

export const UserInfo = z.object({
  email: address,
  preferences,
  stats: z
    .object({
      total_meetings_scheduled: z.int().describe('Meetings ever made, cancelled ones too'),
      meetings_this_month: z.int().describe('Those of the calendar month, in UTC'),
      average_acceptance_time_hours: z
        .number()
        .describe('Hours from a booking until they accepted, where they were invited; 0 without any'),
      reschedule_rate: share.describe('The share of all meetings ever made that were rescheduled, 0 to 1'),
      fast_acceptance_rate: share.describe('The share accepted within 2 hours, 0 to 1'),
      preferred_times: z
        .object({ morning: partOfDay, afternoon: partOfDay, evening: partOfDay })
        .describe('When the meetings that take place start, by the part of their day'),
    })
    .describe('Over all platforms'),
  onboarding_completed: onboardingCompleted,
  created_at: createdAt,
});

export const getUserInfo = operation({
  method: 'get',
  path: '/v1/user/info',
  id: 'getUserInfo',
  key: 'user',
  summary: 'Read the user, their preferences and statistics',
  description: 'Whoever the key is of.',
  answer: { is: 'The user.', schema: UserInfo },
});

const platformId = z.string().describe('The platform, `plat_…`');

/** Everything held about a person. */
export const UserExport = z.object({
  exported_at: instantOf('When this was read'),
  email: address,
  provider_id: providerId,
  created_at: createdAt,
  onboarding_completed: onboardingCompleted,
  calendar: z
    .object({
      provider,
      status: z.enum(['connected', 'needs_reauthorization', 'disconnected']).describe('How the access to it stands'),
      scope: z.string().describe('What the person allowed, in the words of the provider'),
      timezone: z.string().describe("The calendar's own time zone, an IANA name"),
      blocking_calendars: z
        .array(z.string())
        .describe('The calendars that block time, by their ids at the provider; `primary` is the main one'),
      ticked_calendars: z.array(z.string()).describe('Those the person ticked on their page'),
      unticked_calendars: z.array(z.string()).describe('Those the person unticked'),
    })
    .describe('Their calendar'),
  preferences,
  learned_weights: LearnedWeights.describe('The weights as they are now'),
  learning: z.array(LearningEntry).describe('Every change of a weight, newest first'),
  platforms: z
    .array(
      z.object({
        platform_id: platformId,
        name: z.string().describe('The name of the platform'),
        connected_at: instantOf('When they connected with it'),
        last_used_at: instantOf('When it last did something with their calendar'),
        disconnected_at: instantOrNull('When its access ended; null while it has access'),
      }),
    )
    .describe('Every platform they ever connected with'),
  api_keys: z
    .array(
      z.object({
        masked: z.string().describe('Prefix and last four characters; never the key itself'),
        created_at: instantOf('When it was made'),
        revoked_at: instantOrNull('When it ended; null while it works'),
      }),
    )
    .describe('Their keys'),
  meetings: z.array(Meeting.extend({ platform_id: platformId })).describe('Their meetings with every platform'),
  not_included: z.array(z.string()).describe('What is held for a short time and is not in here, in words'),
});
export type UserExport = z.infer<typeof UserExport>;

export const exportUser = operation({
  method: 'get',
  path: '/v1/user/export',
  id: 'exportUser',
  key: 'user',
  summary: 'Read everything held about the user',
  description: 'Of all platforms. Tokens and keys themselves are in no answer.',
  answer: { is: 'Everything.', schema: UserExport },
});

export const DeletedUser = z.object({ success, message: note });

export const deleteUser = operation({
  method: 'delete',
  path: '/v1/user',
  id: 'deleteUser',
  key: 'user',
  summary: 'Delete the user and everything held about them',
  description:
    "The calendar's grant is revoked and every platform with access gets user.calendar.disconnected; keys, preferences and what was learned are gone at once. Meetings stay as the other person's record, with a former user in their place, and on the calendars they stand on. It cannot be undone.",
  answer: { is: 'The user is deleted; the key works no more.', schema: DeletedUser },
});

export const operations = [getUserInfo, exportUser, deleteUser];
