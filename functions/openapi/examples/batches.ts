import type * as batchesApi from '../../../schema/api/batches.ts';
import type { ExamplesOf } from './example.ts';

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
  commitBatch: {
    params: { batch_id: BATCH_ID },
    answer: { batch_id: BATCH_ID, status: 'processing', total: 2 },
  },
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
