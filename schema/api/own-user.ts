import * as z from 'zod';
import { instant } from './fields.ts';
import { LearnedWeights, LearningEntry, timesOfDay } from './learning.ts';
import { Meeting } from './meetings.ts';
import { operation } from './operation.ts';
import { Preferences } from './preferences.ts';

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

export const getUserInfo = operation({
  method: 'get',
  path: '/v1/user/info',
  id: 'getUserInfo',
  key: 'user',
  summary: 'Read the user, their preferences and statistics',
  answer: { is: 'The user.', schema: UserInfo },
});

/** Everything held about a person. */
export const UserExport = z.object({
  exported_at: instant,
  email: z.string(),
  provider_id: z.string(),
  created_at: instant,
  onboarding_completed: z.boolean(),
  calendar: z.object({
    provider: z.string(),
    status: z.enum(['connected', 'needs_reauthorization', 'disconnected']),
    scope: z.string().describe('What the person allowed, in the words of the provider'),
    timezone: z.string(),
  }),
  preferences: Preferences,
  learned_weights: LearnedWeights,
  learning: z.array(LearningEntry),
  platforms: z.array(
    z.object({
      platform_id: z.string(),
      name: z.string(),
      connected_at: instant,
      last_used_at: instant,
      disconnected_at: instant.nullable().describe('Null while the platform has access'),
    }),
  ),
  api_keys: z.array(
    z
      .object({ masked: z.string(), created_at: instant, revoked_at: instant.nullable() })
      .describe('Never the key itself'),
  ),
  meetings: z.array(Meeting.extend({ platform_id: z.string() })),
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

export const DeletedUser = z.object({ success: z.literal(true), message: z.string() });

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
