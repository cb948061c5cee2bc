import { STAYS, sayStays } from '../../../lib/kit/kept-for.ts';
import { NOT_INCLUDED } from '../../../lib/people/account/export.ts';
import type * as keysApi from '../../../schema/api/keys.ts';
import type { Meeting } from '../../../schema/api/meetings.ts';
import type * as ownUserApi from '../../../schema/api/own-user.ts';
import type { LearningEntry } from '../../../schema/api/own-user.ts';
import type * as preferencesApi from '../../../schema/api/preferences.ts';
import type { ExamplesOf } from './people.ts';
import * as people from './people.ts';

const exported = ({ metadata: _, ...meeting }: Meeting) => ({ platform_id: 'plat_8gBvDdsyqfzuQGlVVBAi', ...meeting });
const { rescheduled_from, ...STOOD } = people.MOVED;

const LEARNED: LearningEntry = {
  id: 'learn_iK5BtCpDJi9nKR8pCkAI',
  source: 'reschedule',
  meeting_id: 'meet_Du2tUB9D8AAldLrjMX0K',
  pattern: 'too early',
  weight: 'time_of_day_preference.morning',
  before: 1,
  after: 0.8,
  created_at: '2030-01-07T09:01:14.584Z',
  undone_at: null,
};
const UNDONE: LearningEntry = { ...LEARNED, undone_at: '2030-01-07T09:05:56.981Z' };

export const user: ExamplesOf<typeof preferencesApi> &
  ExamplesOf<typeof ownUserApi> &
  Pick<ExamplesOf<typeof keysApi>, 'regenerateUserKey'> = {
  getPreferences: { answer: { email: 'bob@example.com', rules: [], preferences: people.BOB_PREFERENCES } },
  updatePreferences: {
    body: people.BOB_CHANGES,
    answer: {
      success: true,
      email: 'bob@example.com',
      rules: people.BOB_RULES,
      preferences: people.BOB_PREFERS,
      understood: [{ quote: 'No meetings before 10am', meaning: 'Never before 10:00', kind: 'standing' }],
      not_understood: [],
    },
  },
  getLearning: {
    query: { limit: '50' },
    answer: {
      email: 'bob@example.com',
      learned_weights: {
        ...people.NOTHING_LEARNED,
        time_of_day_preference: { ...people.NOTHING_LEARNED.time_of_day_preference, morning: 0.8 },
      },
      entries: [LEARNED],
      pagination: people.LAST_PAGE,
    },
  },
  undoLearning: {
    params: { id: 'learn_iK5BtCpDJi9nKR8pCkAI' },
    answer: { success: true, entry: UNDONE, learned_weights: people.NOTHING_LEARNED },
  },
  resetLearning: { answer: { success: true, learned_weights: people.NOTHING_LEARNED } },
  getUserInfo: {
    answer: {
      email: 'bob@example.com',
      preferences: people.BOB_PREFERS,
      stats: {
        total_meetings_scheduled: 2,
        meetings_this_month: 2,
        average_acceptance_time_hours: 0,
        reschedule_rate: 0.5,
        fast_acceptance_rate: 0,
        preferred_times: { morning: 1, afternoon: 0, evening: 0 },
      },
      onboarding_completed: true,
      created_at: '2030-01-07T09:00:02.157Z',
    },
  },
  exportUser: {
    answer: {
      exported_at: '2030-01-07T09:05:57.488Z',
      email: 'bob@example.com',
      provider_id: '106915383601577089388',
      created_at: '2030-01-07T09:00:02.157Z',
      onboarding_completed: true,
      calendar: {
        provider: 'google',
        status: 'connected',
        scope:
          'openid email https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.freebusy https://www.googleapis.com/auth/calendar.settings.readonly https://www.googleapis.com/auth/calendar.calendarlist.readonly',
        timezone: 'America/New_York',
        blocking_calendars: ['primary'],
        ticked_calendars: [],
        unticked_calendars: [],
      },
      preferences: people.BOB_PREFERS,
      rules: [],
      learned_weights: people.NOTHING_LEARNED,
      learning: [UNDONE],
      platforms: [
        {
          platform_id: 'plat_8gBvDdsyqfzuQGlVVBAi',
          name: 'Acme',
          connected_at: '2030-01-07T09:00:02.157Z',
          last_used_at: '2030-01-07T09:00:02.157Z',
          disconnected_at: null,
        },
      ],
      api_keys: [{ masked: 'sk_user_…21fc', agent: null, created_at: '2030-01-07T09:00:02.186Z', revoked_at: null }],
      meetings: [
        exported(people.DEMO),
        exported({
          ...people.INTRO,
          status: 'rescheduled',
          start_time: '2030-01-09T15:15:00Z',
          end_time: '2030-01-09T16:00:00Z',
          duration_minutes: 45,
          updated_at: people.MOVED.updated_at,
          rescheduled_to: people.MOVED.meeting_id,
        }),
        exported({
          ...STOOD,
          status: 'cancelled',
          updated_at: '2030-01-07T09:03:35.579Z',
          cancelled_at: '2030-01-07T09:03:35.579Z',
          rescheduled_from,
        }),
      ],
      held_times: [
        {
          platform_id: 'plat_8gBvDdsyqfzuQGlVVBAi',
          proposal_id: 'prop_x8Jc1mVbX0wq3TqYl2Zn',
          with: 'ada@example.com',
          times: [{ start_time: '2030-01-14T15:00:00.000Z', end_time: '2030-01-14T15:30:00.000Z' }],
          held_until: '2030-01-09T09:05:00.000Z',
        },
      ],
      not_included: NOT_INCLUDED,
    },
  },
  deleteUser: {
    answer: {
      success: true,
      message: `Your account is deleted, and your calendar is disconnected from all platforms. ${sayStays()}`,
      stays: [...STAYS],
    },
  },
  regenerateUserKey: people.regenerated('sk_user_example'),
};
