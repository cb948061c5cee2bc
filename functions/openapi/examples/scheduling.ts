import type * as availabilityApi from '../../../schema/api/availability.ts';
import type * as batchesApi from '../../../schema/api/batches.ts';
import type * as scheduleApi from '../../../schema/api/schedule.ts';
import { BOTH, type ExamplesOf } from './people.ts';

export const scheduling: ExamplesOf<typeof availabilityApi> & ExamplesOf<typeof scheduleApi> = {
  findAvailability: {
    body: {
      attendees: BOTH,
      duration_minutes: 60,
      date_range: { start_date: '2030-01-08', end_date: '2030-01-08' },
      context: 'Intro call about the pilot',
    },
    answer: {
      slots: [
        {
          start_time: '2030-01-08T13:30:00+00:00',
          end_time: '2030-01-08T14:30:00+00:00',
          score: 1,
          product: 1.1,
          comfort: 0.7706,
          merit: 0.8477,
          timezone: 'Europe/London',
          reason: 'Tuesday, 8 January at 13:30 in London, 8:30 in New York: with room to breathe before and after.',
          factors: [{ name: 'recency', multiplier: 1.1 }],
          attendees: [
            { email: 'ada@example.com', start_time: '2030-01-08T13:30:00+00:00', timezone: 'Europe/London' },
            { email: 'bob@example.com', start_time: '2030-01-08T08:30:00-05:00', timezone: 'America/New_York' },
          ],
        },
      ],
      total_found: 1,
      search_window: { start: '2030-01-08', end: '2030-01-08', days: 1 },
      suggested_title: 'Intro call about the pilot: Ada and Bob',
      calendars: [
        { email: 'ada@example.com', read_at: '2030-01-07T09:00:03.397Z', source: 'google' },
        { email: 'bob@example.com', read_at: '2030-01-07T09:00:03.397Z', source: 'google' },
      ],
    },
  },
  explainAvailability: {
    body: { attendees: BOTH, start_time: '2030-01-08T19:00:00Z', duration_minutes: 30 },
    answer: {
      offered: false,
      free: false,
      against: [
        {
          email: 'ada@example.com',
          rule: 'work_hours',
          detail: '19:00 to 19:30 in London on Tuesday, 8 January is outside the work hours.',
        },
      ],
      search_window: { start: '2030-01-07', end: '2030-01-20', days: 14 },
      calendars: [
        { email: 'ada@example.com', read_at: '2030-01-07T09:00:03.447Z', source: 'google' },
        { email: 'bob@example.com', read_at: '2030-01-07T09:00:03.447Z', source: 'google' },
      ],
    },
  },
  scheduleMeeting: {
    body: {
      attendees: BOTH,
      start_time: '2030-01-08T14:00:00Z',
      duration_minutes: 30,
      title: 'Intro call',
      description: 'The pilot, and who does what.',
      metadata: { deal: 'D-1042' },
      require_free: true,
    },
    answer: {
      success: true,
      meeting_id: 'meet_Du2tUB9D8AAldLrjMX0K',
      start_time: '2030-01-08T14:00:00Z',
      end_time: '2030-01-08T14:30:00Z',
      title: 'Intro call',
      attendees: BOTH,
      location: 'Google Meet',
      meet_link: 'https://meet.google.com/exz-trsb-bsj',
      metadata: { deal: 'D-1042' },
      conflicts: [],
    },
  },
  scheduleAutomatically: {
    body: {
      attendees: BOTH,
      duration_minutes: 45,
      context: 'client_demo',
      description: 'The dashboard, live.',
      auto: true,
    },
    answer: {
      job_id: 'sched_QR2tiQl5aDEehzCAsEXd',
      status: 'processing',
      message: 'Tandem is choosing a time. The result arrives by webhook and at GET /v1/jobs/{job_id}.',
      estimated_completion_seconds: 10,
      webhook_event: 'meeting.scheduling.completed',
    },
  },
  cancelJob: {
    params: { job_id: 'sched_b7Wm2XkPqL0vTzYc4RjN' },
    answer: {
      success: true,
      job_id: 'sched_b7Wm2XkPqL0vTzYc4RjN',
      status: 'failed',
      booking: 'none',
      completed_at: '2030-01-07T09:02:31.502Z',
    },
  },
  getJob: {
    params: { job_id: 'sched_QR2tiQl5aDEehzCAsEXd' },
    answer: {
      job_id: 'sched_QR2tiQl5aDEehzCAsEXd',
      status: 'completed',
      created_at: '2030-01-07T09:02:25.019Z',
      completed_at: '2030-01-07T09:03:35.388Z',
      result: {
        job_id: 'sched_QR2tiQl5aDEehzCAsEXd',
        success: true,
        attendees: BOTH,
        metadata: {},
        meet_link: 'https://meet.google.com/yne-mbme-sln',
        meeting_id: 'meet_W0ZwBlCA6b3v10x2tBAI',
        chosen_slot: {
          score: 0.7837,
          comfort: 0.8333,
          end_time: '2030-01-09T15:45:00+00:00',
          start_time: '2030-01-09T15:00:00+00:00',
          match_quality: 'good',
        },
        agent_reasoning:
          "The meeting is on Wednesday, 9 January at 15:00 in London, 10:00 in New York. It's in the morning, which Bob would rather avoid.",
        provider_event_id: '1638213f55231f26585d7bf326b2308dee5cf602',
        processing_time_ms: 70369,
      },
    },
  },
};

const BATCH_ID = 'batch_Rd2tiQl5aDEehzCAsEXQ';
const PAIRS = [
  ['ada@example.com', 'bob@example.com'],
  ['ada@example.com', 'carol@example.com'],
] as const;

export const batches: ExamplesOf<typeof batchesApi> = {
  scheduleBatch: {
    body: {
      meetings: [
        { reference: 'mentoring-1', attendees: [...PAIRS[0]], duration_minutes: 30, title: 'Mentoring' },
        { reference: 'mentoring-2', attendees: [...PAIRS[1]], duration_minutes: 30, priority: 5 },
      ],
      max_per_day: 2,
      dry_run: true,
    },
    answer: { batch_id: BATCH_ID, status: 'processing', total: 2 },
  },
  getBatch: {
    params: { batch_id: BATCH_ID },
    query: { limit: '100' },
    answer: {
      batch_id: BATCH_ID,
      status: 'planned',
      dry_run: true,
      total: 2,
      counts: { open: 0, placed: 1, booked: 0, unplaced: 0, failed: 1, cancelled: 0 },
      progress: 1,
      created_at: '2030-01-07T09:03:35.388Z',
      committed_at: null,
      ended_at: null,
      meetings: [
        {
          reference: 'mentoring-1',
          attendees: [...PAIRS[0]],
          state: 'placed',
          start_time: '2030-01-07T15:00:00Z',
          end_time: '2030-01-07T15:30:00Z',
          meeting_id: null,
          reason: null,
        },
        {
          reference: 'mentoring-2',
          attendees: [...PAIRS[1]],
          state: 'failed',
          start_time: null,
          end_time: null,
          meeting_id: null,
          reason: {
            code: 'CALENDAR_NOT_FOUND',
            message: 'Carol has no calendar connected to this platform.',
            suggestions: [
              'Send the person the link from GET /v1/platform/oauth-url, so that they can connect their calendar.',
              'Then send the meeting in a new batch.',
            ],
            relaxations: [],
          },
        },
      ],
      pagination: { next_cursor: null, has_more: false },
    },
  },
  commitBatch: { params: { batch_id: BATCH_ID }, answer: { batch_id: BATCH_ID, status: 'processing', total: 2 } },
  cancelBatch: {
    params: { batch_id: BATCH_ID },
    answer: {
      success: true,
      batch_id: BATCH_ID,
      status: 'cancelled',
      counts: { open: 0, placed: 0, booked: 0, unplaced: 0, failed: 1, cancelled: 1 },
    },
  },
};
