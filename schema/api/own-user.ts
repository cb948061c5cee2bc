import * as z from 'zod';
import { address, instantOf, instantOrNull, note, provider, providerId, success } from './fields.ts';
import { LearnedWeights, LearningEntry } from './learning.ts';
import { Meeting } from './meetings.ts';
import { operation } from './operation.ts';
import { Preferences, StandingRule } from './preferences.ts';

const share = z.number().min(0).max(1);
const partOfDay = share.describe(
  'Share of meetings that start in this part of the day, 0 to 1. The shares of all three parts are 0 if there are no meetings.',
);
const preferences = Preferences.describe('All preferences. Fields that were never set have their defaults.');
const onboardingCompleted = z.boolean().describe('True if the person has set their preferences.');
const createdAt = instantOf('Time the person first connected a calendar');

export const UserInfo = z.object({
  email: address,
  preferences,
  stats: z
    .object({
      total_meetings_scheduled: z.int().describe('Number of meetings ever created, including cancelled ones.'),
      meetings_this_month: z.int().describe('Number of meetings created in this UTC calendar month.'),
      average_acceptance_time_hours: z
        .number()
        .describe(
          'Average hours from a booking until the person accepted the invitation. 0 if the person accepted no invitation.',
        ),
      reschedule_rate: share.describe('Share of all meetings ever created that were rescheduled, 0 to 1.'),
      fast_acceptance_rate: share.describe('Share of acceptances that came within 2 hours, 0 to 1.'),
      preferred_times: z
        .object({ morning: partOfDay, afternoon: partOfDay, evening: partOfDay })
        .describe(
          "Share of the person's meetings that start in each part of their day. Cancelled and replaced meetings do not count.",
        ),
    })
    .describe('Statistics across all platforms.'),
  onboarding_completed: onboardingCompleted,
  created_at: createdAt,
});

export const getUserInfo = operation({
  method: 'get',
  path: '/v1/user/info',
  id: 'getUserInfo',
  key: 'user',
  summary: 'Get the user with preferences and statistics',
  description: 'Returns the user who owns the API key.',
  answer: { is: 'Returns the user.', schema: UserInfo },
});

const platformId = z.string().describe('ID of the platform, `plat_…`.');

/** The export of everything Tandem stores about a person. */
export const UserExport = z.object({
  exported_at: instantOf('Time of the export'),
  email: address,
  provider_id: providerId,
  created_at: createdAt,
  onboarding_completed: onboardingCompleted,
  calendar: z
    .object({
      provider,
      status: z
        .enum(['connected', 'needs_reauthorization', 'disconnected'])
        .describe('State of the access to the calendar.'),
      scope: z.string().describe('OAuth scopes the person granted, as the calendar provider names them.'),
      timezone: z.string().describe('IANA time zone of the calendar.'),
      blocking_calendars: z
        .array(z.string())
        .describe(
          "IDs of the calendars whose events make the person busy, as the provider names them. `primary` is the person's main calendar.",
        ),
      ticked_calendars: z.array(z.string()).describe('IDs of the calendars the person selected on their page.'),
      unticked_calendars: z.array(z.string()).describe('IDs of the calendars the person deselected on their page.'),
    })
    .describe("The person's calendar access."),
  preferences,
  rules: z.array(StandingRule).describe("Rules that were read in the person's own words."),
  learned_weights: LearnedWeights.describe('Current learned weights.'),
  learning: z.array(LearningEntry).describe('Every change of a learned weight, newest first.'),
  platforms: z
    .array(
      z.object({
        platform_id: platformId,
        name: z.string().describe('Name of the platform.'),
        connected_at: instantOf('Time the person connected to the platform'),
        last_used_at: instantOf("Time the platform last used the person's calendar"),
        disconnected_at: instantOrNull("Time the platform's access ended", 'Null while it has access.'),
      }),
    )
    .describe('Every platform the person ever connected to.'),
  api_keys: z
    .array(
      z.object({
        masked: z.string().describe('Prefix and last four characters of the key. The whole key is never returned.'),
        created_at: instantOf('Time the key was created'),
        revoked_at: instantOrNull('Time the key was revoked', 'Null while the key works.'),
      }),
    )
    .describe("The person's API keys."),
  meetings: z
    .array(Meeting.omit({ metadata: true }).extend({ platform_id: platformId }))
    .describe("The person's meetings on every platform, without the platforms' metadata."),
  not_included: z.array(z.string()).describe('Data that the export leaves out, one sentence each.'),
});
export type UserExport = z.infer<typeof UserExport>;

export const exportUser = operation({
  method: 'get',
  path: '/v1/user/export',
  id: 'exportUser',
  key: 'user',
  summary: 'Export everything stored about the user',
  description: 'The export covers all platforms. Calendar tokens and whole API keys are never included.',
  answer: { is: 'Returns everything stored about the user.', schema: UserExport },
});

export const DeletedUser = z.object({ success, message: note });

export const deleteUser = operation({
  method: 'delete',
  path: '/v1/user',
  id: 'deleteUser',
  key: 'user',
  summary: 'Delete the user and everything stored about them',
  description:
    "Revokes access to the calendar and sends `user.calendar.disconnected` to every platform that had access. Keys, preferences and learned weights are deleted at once. Meetings stay on the calendars and in the other person's records, where a placeholder for a deleted user replaces this person. The deletion cannot be undone.",
  answer: { is: 'Confirms that the user is deleted. The API key no longer works.', schema: DeletedUser },
});

export const operations = [getUserInfo, exportUser, deleteUser];
