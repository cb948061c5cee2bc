import type * as z from 'zod';
import type * as calendarsApi from '../../../schema/api/calendars.ts';
import type { Meeting } from '../../../schema/api/meetings.ts';
import type { Operation, PartOf } from '../../../schema/api/operation.ts';
import type { Preferences } from '../../../schema/api/preferences.ts';

export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
  named?: Named;
  others?: (Named & { body?: unknown; answer?: unknown })[];
}

type Named = { name: string; summary: string };

type BodyOf<O extends Operation> = O['body'] extends z.ZodType ? { body: z.input<O['body']> } : { body?: never };
type ParamsOf<O extends Operation> =
  PartOf<O, 'params'> extends object ? { params: Record<keyof PartOf<O, 'params'>, string> } : { params?: never };
type QueryOf<O extends Operation> = O['query'] extends z.ZodType
  ? { query?: { [Name in keyof z.input<O['query']>]?: string } }
  : { query?: never };
type AnswerOf<O extends Operation> = O['answer'] extends { schema: infer S extends z.ZodType }
  ? { answer: z.output<S> }
  : { answer?: never };

type OthersOf<O extends Operation> =
  | { named?: never; others?: never }
  | { named: Named; others: (Named & BodyOf<O> & AnswerOf<O>)[] };
type ExampleOf<O extends Operation> = ParamsOf<O> & QueryOf<O> & BodyOf<O> & AnswerOf<O> & OthersOf<O>;

export type ExamplesOf<Api> = {
  [Name in keyof Api as Api[Name] extends Operation ? Name : never]: Api[Name] extends Operation
    ? ExampleOf<Api[Name]>
    : never;
};

export function shownIn({ named, others, ...example }: Example, part: 'body' | 'answer') {
  if (named === undefined || others === undefined) return { example: example[part] };
  const all = [{ ...named, body: example.body, answer: example.answer }, ...others];
  return {
    examples: Object.fromEntries(all.map(({ name, summary, ...one }) => [name, { summary, value: one[part] }])),
  };
}

// Values that several examples share: two people and the platform Acme on Monday, 7 January 2030.

const workday = { enabled: true, start: '08:00', end: '18:00' };
const dayOff = { enabled: false, start: '08:00', end: '18:00' };

export const BOTH = ['ada@example.com', 'bob@example.com'];
export const LAST_PAGE = { next_cursor: null, has_more: false };

export const ADA_PREFERENCES: Preferences = {
  work_hours: {
    monday: workday,
    tuesday: workday,
    wednesday: workday,
    thursday: workday,
    friday: workday,
    saturday: dayOff,
    sunday: dayOff,
  },
  timezone: 'Europe/London',
  buffer_minutes: 0,
  availability_window_days: 14,
  max_meetings_per_day: 10,
  energy_pattern: 'flexible',
  holidays: 'GB-ENG',
  scheduling_context: '',
  focus_blocks: [],
};

export const BOB_PREFERENCES: Preferences = { ...ADA_PREFERENCES, timezone: 'America/New_York', holidays: 'US' };

export const BOB_CHANGES = {
  work_hours: { friday: { enabled: true, start: '09:00', end: '15:00' } },
  buffer_minutes: 15 as const,
  energy_pattern: 'afternoon_person' as const,
  scheduling_context: 'No meetings before 10am, please.',
  focus_blocks: [{ day: 'wednesday' as const, start: '13:00', end: '15:00', reason: 'Deep work' }],
};

export const BOB_PREFERS: Preferences = {
  ...BOB_PREFERENCES,
  ...BOB_CHANGES,
  work_hours: { ...BOB_PREFERENCES.work_hours, ...BOB_CHANGES.work_hours },
};

export const regenerated = (key: string) => ({
  body: { keep_old_for_hours: 24 },
  answer: {
    success: true as const,
    api_key: key,
    old_key_valid_until: '2030-01-08T09:00:02.306Z',
    message:
      'Store this key now, because it is not shown again. The previous key still works until the time in old_key_valid_until.',
  },
});

export const BOB_RULES = [
  {
    id: 'rule_4bS0oWqX2mYzT7kLcDfA',
    quote: 'No meetings before 10am',
    meaning: 'Never before 10:00',
    source: 'scheduling_context' as const,
    created_at: '2030-01-07T09:00:30.000Z',
  },
];

export const NOTHING_LEARNED = {
  time_of_day_preference: { morning: 1, afternoon: 1, evening: 1 },
  day_of_week_preference: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1, sunday: 1 },
  buffer_importance: 1,
};

export const INTRO: Meeting = {
  meeting_id: 'meet_Du2tUB9D8AAldLrjMX0K',
  status: 'scheduled',
  title: 'Intro call',
  description: 'The pilot, and who does what.',
  start_time: '2030-01-08T14:00:00Z',
  end_time: '2030-01-08T14:30:00Z',
  duration_minutes: 30,
  attendees: BOTH,
  rsvps: [
    { email: 'ada@example.com', response_status: 'accepted', responded_at: null },
    { email: 'bob@example.com', response_status: 'needsAction', responded_at: null },
  ],
  location: 'Google Meet',
  meet_link: 'https://meet.google.com/exz-trsb-bsj',
  metadata: { deal: 'D-1042' },
  created_at: '2030-01-07T09:00:03.480Z',
  updated_at: '2030-01-07T09:00:03.587Z',
};

export const DEMO: Meeting = {
  ...INTRO,
  meeting_id: 'meet_W0ZwBlCA6b3v10x2tBAI',
  title: 'Demo: Ada and Bob',
  description: 'The dashboard, live.',
  start_time: '2030-01-09T15:00:00Z',
  end_time: '2030-01-09T15:45:00Z',
  duration_minutes: 45,
  meet_link: 'https://meet.google.com/yne-mbme-sln',
  metadata: {},
  created_at: '2030-01-07T09:03:35.336Z',
  updated_at: '2030-01-07T09:03:35.388Z',
  job_id: 'sched_QR2tiQl5aDEehzCAsEXd',
};

export const MOVED: Meeting = {
  ...INTRO,
  meeting_id: 'meet_6ElPr3zRlcwqj3wA3jCQ',
  start_time: '2030-01-10T16:15:00Z',
  end_time: '2030-01-10T17:00:00Z',
  duration_minutes: 45,
  metadata: { deal: 'D-1042', stage: 'pilot' },
  created_at: '2030-01-07T09:01:14.664Z',
  updated_at: '2030-01-07T09:01:14.726Z',
  rescheduled_from: INTRO.meeting_id,
};

export const calendars: ExamplesOf<typeof calendarsApi> = {
  authorizeCalendar: {
    query: {
      platform_key: 'pk_live_example',
      user_email: 'ada@example.com',
      redirect_uri: 'https://app.acme.example/connected',
      state: 'n7Xq2',
    },
  },
  getOauthUrl: {
    query: { user_email: 'ada@example.com', redirect_uri: 'https://app.acme.example/connected', state: 'n7Xq2' },
    answer: {
      oauth_url:
        'https://api.tandem.example/v1/auth/calendar/authorize?platform_key=pk_live_example&user_email=ada%40example.com&redirect_uri=https%3A%2F%2Fapp.acme.example%2Fconnected&state=n7Xq2',
      instructions:
        'Send this link to ada@example.com. They sign in with that Google account and allow access to their calendar. Then you can schedule meetings for them.',
    },
  },
  getUserStatus: {
    params: { email: 'ada@example.com' },
    answer: {
      email: 'ada@example.com',
      calendar_connected: true,
      last_sync: '2030-01-07T09:00:01.394Z',
      provider: 'google',
    },
  },
  eraseGuest: {
    params: { email: 'grace@example.org' },
    answer: {
      success: true,
      email: 'grace@example.org',
      message: 'The guest was erased from your meetings and proposals.',
    },
  },
  getUserAvailability: {
    params: { email: 'bob@example.com' },
    query: { start_date: '2030-01-08', end_date: '2030-01-09', duration_minutes: '60' },
    answer: {
      email: 'bob@example.com',
      timezone: 'America/New_York',
      duration_minutes: 60,
      search_window: { start: '2030-01-08', end: '2030-01-09', days: 2 },
      intervals: [
        { start_time: '2030-01-08T08:00:00-05:00', end_time: '2030-01-08T10:00:00-05:00' },
        { start_time: '2030-01-08T13:00:00-05:00', end_time: '2030-01-08T18:00:00-05:00' },
        { start_time: '2030-01-09T08:00:00-05:00', end_time: '2030-01-09T18:00:00-05:00' },
      ],
      calendars: [{ email: 'bob@example.com', read_at: '2030-01-07T09:00:03.071Z', source: 'google' }],
    },
  },
  listCalendars: {
    query: { limit: '50' },
    answer: {
      success: true,
      connections: [
        {
          user_email: 'ada@example.com',
          provider_id: '113113503435055299040',
          calendar_provider: 'google',
          status: 'connected',
          connected_at: '2030-01-07T09:00:01.394Z',
          last_used_at: '2030-01-07T09:00:01.394Z',
          onboarding_complete: false,
          timezone: 'Europe/London',
        },
        {
          user_email: 'bob@example.com',
          provider_id: '106915383601577089388',
          calendar_provider: 'google',
          status: 'connected',
          connected_at: '2030-01-07T09:00:02.157Z',
          last_used_at: '2030-01-07T09:00:02.157Z',
          onboarding_complete: false,
          timezone: 'America/New_York',
        },
      ],
      count: 2,
      pagination: LAST_PAGE,
    },
  },
  disconnectCalendar: {
    params: { email: 'ada@example.com' },
    answer: {
      success: true,
      message:
        'The calendar of ada@example.com is now disconnected from all platforms. To connect the calendar again, send the person the link from GET /v1/platform/oauth-url.',
      email: 'ada@example.com',
      platform_id: 'plat_8gBvDdsyqfzuQGlVVBAi',
    },
  },
};
