import * as z from 'zod';
import type { BatchMeetingState } from '../../../schema/api/states.ts';
import * as batchRows from '../../../schema/meetings/batches.ts';
import {
  type BatchMeetingRow,
  forgetAskingForBatches,
  type LeasedBatch,
  takeDueBatches,
} from '../../../schema/meetings/batches-run.ts';
import type { BatchReason } from '../../../schema/tables/batches.ts';
import { CONTEXTS, type MeetingContext } from '../../engine/rank/contexts.ts';
import type { Ctx, Platform, PlatformRef } from '../../kit/context.ts';
import { batchNotFound, hasCode } from '../../kit/errors.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { type PageRequest, readPage } from '../../kit/read-page.ts';
import { say } from '../../words/patterns.ts';
import { ADVICE, failureOf, IN_NEW_BATCH, REFUSED, SUGGESTIONS } from '../protocol/failure.ts';
import { type Queued, queueOf } from '../protocol/queued.ts';

const MeetingRequest = z.object({
  durationMinutes: z.number(),
  title: z.string().optional(),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
  priority: z.number(),
  metadata: z.record(z.string(), z.string()),
});
export type MeetingRequest = z.infer<typeof MeetingRequest>;

export interface Run {
  id: string;
  owner: string;
  batch: LeasedBatch;
  platform: Platform;
}

/** A meeting of a batch that has no end yet. `start` and `end` are those of its place, 0 without one. */
export interface BatchMeeting extends MeetingRequest {
  position: number;
  attendees: [string, string];
  failures: number;
  misses: number;
  start: number;
  end: number;
}

export const meetingOf = (row: BatchMeetingRow): BatchMeeting => ({
  ...MeetingRequest.parse(row.request),
  position: row.position,
  attendees: [row.requesterEmail, row.otherEmail],
  failures: row.failures,
  misses: row.misses,
  start: row.startsAt ?? 0,
  end: row.endsAt ?? 0,
});

const RUN_BATCH_PATH = '/internal/run-batch';

const AT_ONCE = 50;
const OF_ONE_PLATFORM = 10;
/** Largest number of concurrent runs of one platform's batches. A batch itself has one run at a time. */
const PARALLELISM = 2;

const messageFor = ({ id, platformId }: Queued): QueueMessage => ({
  path: RUN_BATCH_PATH,
  body: { batch_id: id },
  lane: { key: `batches.${platformId}`, parallelism: PARALLELISM },
});

export const { publish: publishBatch, sweep: sweepBatches } = queueOf({
  chore: 'batches',
  atOnce: { limit: AT_ONCE, each: OF_ONE_PLATFORM },
  take: takeDueBatches,
  messageFor,
  forgetAsking: forgetAskingForBatches,
  leave: (ctx, id, error) => ctx.log('warn', 'batch left to the sweep', { batch_id: id, error }),
});

export interface BatchPage {
  batch: batchRows.FoundBatch;
  counts: batchRows.BatchCounts;
  meetings: batchRows.ListedMeeting[];
  next: { at: number; id: string } | undefined;
}

interface Asked {
  id: string;
  limit: number;
  after?: number | undefined;
  states?: readonly BatchMeetingState[] | undefined;
}

/** Largest position that the database can compare with. A cursor of another list may hold a larger number. */
const LAST = 2 ** 31 - 1;

/** Returns a platform's batch with a page of its meetings, in the order of the request. Throws `batch_not_found`. */
export async function readBatch(
  ctx: Ctx,
  platform: PlatformRef,
  { id, limit, after, states }: Asked,
): Promise<BatchPage> {
  const of = { platformId: platform.id, id };
  const [[batch], [counts], rows] = await ctx.db.batch([
    batchRows.selectBatch(ctx.db, of),
    batchRows.countBatch(ctx.db, of),
    batchRows.listBatchMeetings(ctx.db, { ...of, after: Math.min(after ?? -1, LAST), limit: limit + 1, states }),
  ]);
  if (batch === undefined || counts === undefined) throw batchNotFound();
  const meetings = rows.slice(0, limit);
  const last = meetings.at(-1);
  return { batch, counts, meetings, next: rows.length > limit && last ? { at: last.position, id } : undefined };
}

export async function findBatch(ctx: Ctx, platform: PlatformRef, id: string) {
  const of = { platformId: platform.id, id };
  const [[batch], [counts]] = await ctx.db.batch([batchRows.selectBatch(ctx.db, of), batchRows.countBatch(ctx.db, of)]);
  if (batch === undefined || counts === undefined) throw batchNotFound();
  return { batch, counts };
}

export async function listPlatformBatches(ctx: Ctx, { id: platformId }: PlatformRef, asked: PageRequest) {
  const placeOf = ({ createdAt: at, id }: batchRows.ListedBatch) => ({ at, id });
  const { rows: batches, next } = await readPage({ ...asked, placeOf }, (page) =>
    batchRows.listBatches(ctx.db, { platformId, ...page }),
  );
  return { batches, next };
}

const MOST_FAILURES = 3;
const MOST_MISSES = 5;

const REFUSED_IN_BATCH = [say('advice.check_calendar'), IN_NEW_BATCH, say('advice.other_first')];

/** Consequence of an error for a meeting of a batch: Tandem tries the meeting again, or ends it with a reason. */
export type Outcome = { again: true } | { again: false; state: 'unplaced' | 'failed'; reason: BatchReason };

export function outcomeOf(error: unknown, { attendees, failures }: BatchMeeting): Outcome {
  if (hasCode(error, 'invalid_date_range'))
    return { again: false, state: 'unplaced', reason: reasonOf('NO_AVAILABILITY', error.message) };
  const { code, message, suggestions, mayPass } = failureOf(error, attendees);
  if (mayPass && failures + 1 < MOST_FAILURES) return { again: true };
  const usual = suggestions === SUGGESTIONS[code] ? ADVICE[code] : suggestions;
  const advice = suggestions === REFUSED ? REFUSED_IN_BATCH : usual;
  return { again: false, state: 'failed', reason: { code, message, suggestions: advice, relaxations: [] } };
}

export const outcomeOfMiss = ({ misses }: BatchMeeting): Outcome =>
  misses < MOST_MISSES
    ? { again: true }
    : {
        again: false,
        state: 'unplaced',
        reason: reasonOf(
          'TIMES_TAKEN',
          'Each time at which this meeting was placed was taken before it could be booked. Send a new request for it.',
        ),
      };

export const reasonOf = (code: BatchReason['code'], message: string): BatchReason => ({
  ...{ code, message },
  suggestions: [],
  relaxations: [],
});
