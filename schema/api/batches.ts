import * as z from 'zod';
import { answer, docs } from '#docs';
import { DateRange, Relaxation } from './availability.ts';
import * as f from './fields.ts';
import { NewMetadata } from './metadata.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageLimit, pageQuery, shownPage } from './paging.ts';
import { ofChosenTime } from './schedule.ts';
import { BATCH_MEETING_STATES, BATCH_REASONS, BATCH_STATUSES } from './states.ts';

export const MOST_MEETINGS = 2_000;
/** Largest body of a batch in bytes. It fits the most meetings with about a thousand bytes each. */
export const LARGEST_BODY = 2 * 1024 * 1024;
export const USUAL_PAGE = 100;

const BatchMeetingRequest = z.object({
  reference: f.described(
    f.line(100),
    docs(
      'Your name of the meeting, one line of at most 100 characters. No two meetings of a batch may have the same one.',
    ),
  ),
  ...ofChosenTime,
  priority: f.described(
    f.minutes(0, 9).default(0),
    docs('Priority, 0 to 9. Meetings with a higher priority are placed first, and no other costs them their place.'),
  ),
  metadata: NewMetadata,
});

export const BatchRequest = z
  .object({
    meetings: f
      .someOf(BatchMeetingRequest, MOST_MEETINGS, 'meetings')
      .describe(docs(`Meetings to book, 1 to ${MOST_MEETINGS}. Their order does not matter for their times.`)),
    date_range: DateRange.optional().describe(
      docs(
        "Dates to search for every meeting. By default, each search starts today and covers the number of days in the requester's preference `availability_window_days`.",
      ),
    ),
    max_per_person: f
      .minutes(1, MOST_MEETINGS)
      .optional()
      .describe(docs('Most meetings of this batch for one person. Without it, there is no such limit.')),
    max_per_day: f.optionalOf(
      f.minutes(1, 50),
      docs(
        "Most meetings of this batch for one person on one day. Each person's own `max_meetings_per_day` applies as well.",
      ),
    ),
    dry_run: f.flagOf(docs('True to place the meetings without booking them. Book them later with commitBatch.')),
  })
  .superRefine(({ meetings }, issues) => {
    const seen = new Map<string, number>();
    for (const [index, { reference }] of meetings.entries()) {
      const first = seen.get(reference);
      if (first === undefined) seen.set(reference, index);
      else
        issues.addIssue({
          code: 'custom',
          path: ['meetings', index, 'reference'],
          message: `must not be the same as that of \`meetings.${first}\``,
        });
    }
  });

const batchId = z.string().describe(docs('ID of the batch, `batch_…`.'));
const total = z.int().describe(docs('Number of meetings in the batch.'));

export const AcceptedBatch = answer(() => ({
  batch_id: batchId,
  status: z.literal('processing').describe('State of the batch, which runs in the background.'),
  total,
  warnings: f.warnings,
}));
export type AcceptedBatch = z.infer<typeof AcceptedBatch>;

export const scheduleBatch = platformOperation('post /v1/schedule/batch', {
  summary: docs('Book many meetings at once'),
  description: docs(
    'Places up to 2,000 meetings of two people together, so that people with few free times do not lose them to others, and then books them in the background. Returns the ID of the batch at once. Poll getBatch for progress and results, or subscribe to the event `batch.completed` by name. Each booked meeting also emits `meeting.scheduled` and counts toward your monthly limit. A batch with more meetings than the limit has left is refused as a whole, unless it is a dry run. A meeting that cannot be booked does not hold up the others: it ends with a reason.',
  ),
  body: BatchRequest,
  largestBody: LARGEST_BODY,
  takesIdempotencyKey: true,
  answer: { status: 202, is: docs('Returns the accepted batch, which runs in the background.'), schema: AcceptedBatch },
  errors: ['quota_exceeded'],
});

const counts = f.objectOf(docs('Numbers of meetings by state.'), {
  open: z.int().describe(docs('Number of meetings without a time so far.')),
  placed: z.int().describe(docs('Number of meetings with a provisional time that are not booked yet.')),
  booked: z.int().describe(docs('Number of booked meetings.')),
  unplaced: z.int().describe(docs('Number of meetings for which no time was found.')),
  failed: z.int().describe(docs('Number of meetings that could not be searched or booked.')),
  cancelled: z.int().describe(docs('Number of meetings that were not booked because you cancelled the batch.')),
});

export const BatchResult = answer(() => ({
  reference: z.string().describe('Your name of the meeting.'),
  attendees: f.bothAttendees,
  state: f.oneOf(
    BATCH_MEETING_STATES,
    'State of the meeting. `open`: it has no time so far. `placed`: it has a provisional time. Every other state is an end.',
  ),
  start_time: f.instantOrNull('Start of the meeting', 'Null without a time. Provisional while the state is `placed`.'),
  end_time: f.instantOrNull('End of the meeting', 'Null without a time. Provisional while the state is `placed`.'),
  meeting_id: f.stringOrNull('ID of the meeting. Null unless it is booked.'),
  reason: z
    .object({
      code: f.oneOf(
        BATCH_REASONS,
        'Code of the reason. `TIMES_TAKEN`: other meetings took all times that suit both people. `ROUND_LIMIT`: a person has as many meetings as `max_per_person` allows. The other codes are those of `meeting.scheduling.failed`.',
      ),
      message: z.string().describe('Reason in a sentence.'),
      suggestions: f.arrayOf(z.string(), 'Suggestions for what to do, one sentence each.'),
      relaxations: f.arrayOf(
        Relaxation,
        "Changes to one person's rules or to the search. Each of them alone would open free times.",
      ),
    })
    .nullable()
    .describe('Reason why the meeting has no time. Null unless its state is `unplaced` or `failed`.'),
}));

export const Batch = answer(() => ({
  batch_id: batchId,
  status: f.oneOf(
    BATCH_STATUSES,
    'State of the batch. `planned`: a dry run whose meetings are placed, and that you can commit. `cancelled`: you cancelled it. `completed`: every meeting has ended.',
  ),
  dry_run: z.boolean().describe('True if the batch was sent as a dry run.'),
  total,
  counts,
  progress: f.numberOf(
    'Part of the work that is done, from 0 to 1. Searching a pair counts as half of its work, and placing or booking it as the other half.',
  ),
  created_at: f.instantOf('Time the batch was accepted'),
  committed_at: f.instantOrNull('Time the dry run was committed', 'Null for other batches.'),
  ended_at: f.instantOrNull('Time the batch ended', 'Null before.'),
  meetings: f.arrayOf(BatchResult, 'Meetings of the batch, in the order of the request.'),
  pagination: Pagination,
}));

const batchPath = z.object({ batch_id: f.id(docs('ID of the batch, returned by scheduleBatch.')) });

export const getBatch = platformOperation('get /v1/batches/{batch_id}', {
  summary: docs('Get a batch'),
  description: docs(
    'Returns the counts and one page of the meetings. Tandem keeps a batch for 30 days after its end, and a dry run that nobody commits for 30 days.',
  ),
  params: batchPath,
  query: z.object({ ...pageQuery('batch_'), limit: pageLimit.default(USUAL_PAGE) }),
  shown: shownPage(docs('Most meetings per page, 1 to 200.'), USUAL_PAGE),
  answer: { is: docs('Returns the batch with a page of its meetings.'), schema: Batch },
  errors: ['batch_not_found'],
});

export const commitBatch = platformOperation('post /v1/batches/{batch_id}/commit', {
  summary: docs('Book the meetings of a dry run'),
  description: docs(
    'Books the meetings of a planned dry run in the background. Each time is checked once more. A meeting whose time is no longer free is placed anew among the times that are left. If you send the call again, you get the same answer.',
  ),
  params: batchPath,
  answer: { status: 202, is: docs('Returns the batch, which runs in the background.'), schema: AcceptedBatch },
  errors: ['batch_not_found', 'batch_not_planned', 'quota_exceeded'],
});

export const CancelledBatch = answer(() => ({
  success: f.success,
  batch_id: batchId,
  status: z.literal('cancelled').describe('State of the batch.'),
  counts: counts.describe(
    'Numbers of meetings by state. A meeting that is being booked at this moment counts as `placed`, and ends as `booked` or `cancelled`.',
  ),
}));

export const cancelBatch = platformOperation('delete /v1/batches/{batch_id}', {
  summary: docs('Cancel a batch'),
  description: docs(
    'Stops everything that is not booked yet. Booked meetings stay. A repeated call has no further effect. You receive `batch.completed` with the status `cancelled` if you subscribed to it.',
  ),
  params: batchPath,
  answer: { is: docs('Returns the cancelled batch.'), schema: CancelledBatch },
  errors: ['batch_not_found', 'batch_ended'],
});

export const operations = { scheduleBatch, getBatch, commitBatch, cancelBatch };
