import * as z from 'zod';
import type { BatchMeetingState } from '../../../schema/api/states.ts';
import { pick } from '../../../schema/columns.ts';
import { refusalOf } from '../../../schema/db.ts';
import * as batchRows from '../../../schema/meetings/batches.ts';
import { cancelBatch as cancelStatements, commitPlanned } from '../../../schema/meetings/batches.ts';
import {
  type BatchMeetingRow,
  countUnbooked,
  insertBatch,
  type LeasedBatch,
  type NewBatch,
  takeDueBatches,
} from '../../../schema/meetings/batches-run.ts';
import { type BatchReason, batches } from '../../../schema/tables/batches.ts';
import { datesRefused } from '../../availability/search-window.ts';
import { CONTEXTS, type MeetingContext } from '../../engine/rank/contexts.ts';
import { HOUR } from '../../engine/time/dates.ts';
import { searchWindow } from '../../engine/time/window.ts';
import type { Ctx, Platform, PlatformRef } from '../../kit/context.ts';
import { AppError, batchNotPlanned, errorOf, hasCode } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { planLimitsOf } from '../../kit/plans.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { type PageRequest, pageOf, readPage } from '../../kit/read-page.ts';
import { batchTooLarge, monthOf } from '../../usage/usage.ts';
import { failureOf, inBatch } from '../protocol/failure.ts';
import { inBytes, keepAtOnce, type Request, toAcceptedBatch } from '../protocol/kept-answer.ts';
import { type Queued, queueOf } from '../protocol/queued.ts';

const MeetingRequest = z.object({
  durationMinutes: z.number(),
  title: z.string().optional(),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
  priority: z.number(),
  metadata: z.record(z.string(), z.string()),
});
export type MeetingRequest = z.infer<typeof MeetingRequest>;

export type Run = { id: string; owner: string; batch: LeasedBatch; platform: Platform };

/** A meeting of a batch that has no end yet. */
export type BatchMeeting = ReturnType<typeof meetingOf>;

/** `start` and `end` are those of its place, 0 without one. */
export const meetingOf = ({ request, ...row }: BatchMeetingRow) => ({
  ...MeetingRequest.parse(request),
  ...pick(row, 'position', 'failures', 'misses'),
  attendees: [row.requesterEmail, row.otherEmail] as [string, string],
  start: row.startsAt ?? 0,
  end: row.endsAt ?? 0,
});

const AT_ONCE = 50;
const OF_ONE_PLATFORM = 10;
/** Largest number of concurrent runs of one platform's batches. A batch itself has one run at a time. */
const PARALLELISM = 2;

const messageFor = ({ id, platformId }: Queued): QueueMessage => ({
  path: '/internal/run-batch',
  body: { batch_id: id },
  lane: { key: `batches.${platformId}`, parallelism: PARALLELISM },
});

export const { publish: publishBatch, sweep: sweepBatches } = queueOf({
  chore: 'batches',
  atOnce: { limit: AT_ONCE, each: OF_ONE_PLATFORM },
  take: takeDueBatches,
  messageFor,
  table: batches,
  leave: (ctx, id, error) => ctx.log('warn', 'batch left to the sweep', { batch_id: id, error }),
});

interface BatchPageRequest {
  id: string;
  limit: number;
  after?: number | undefined;
  states?: readonly BatchMeetingState[] | undefined;
}

/** Largest position that the database can compare with. A cursor of another list may hold a larger number. */
const LAST = 2 ** 31 - 1;

/** Returns a platform's batch with a page of its meetings, in the order of the request. Throws `batch_not_found`. */
export async function readBatch(ctx: Ctx, platform: PlatformRef, { id, limit, after, states }: BatchPageRequest) {
  const of = { platformId: platform.id, id };
  const [[batch], [counts], rows] = await ctx.db.batch([
    batchRows.selectBatch(ctx.db, of),
    batchRows.countBatch(ctx.db, of),
    batchRows.listBatchMeetings(ctx.db, { ...of, after: Math.min(after ?? -1, LAST), limit: limit + 1, states }),
  ]);
  if (batch === undefined || counts === undefined) throw errorOf('batch_not_found');
  const { rows: meetings, next } = pageOf(rows, limit, ({ position: at }) => ({ at, id }));
  return { batch, counts, meetings, next };
}

export type BatchPage = Awaited<ReturnType<typeof readBatch>>;

export async function listPlatformBatches(ctx: Ctx, { id: platformId }: PlatformRef, asked: PageRequest) {
  const placeOf = ({ createdAt: at, id }: batchRows.ListedBatch) => ({ at, id });
  return readPage({ ...asked, placeOf }, (page) => batchRows.listBatches(ctx.db, { platformId, ...page }));
}

const MOST_FAILURES = 3;
const MOST_MISSES = 5;

export type Outcome = { again: true } | { again: false; state: 'unplaced' | 'failed'; reason: BatchReason };

export function outcomeOf(error: unknown, { attendees, failures }: BatchMeeting): Outcome {
  if (hasCode(error, 'invalid_date_range'))
    return { again: false, state: 'unplaced', reason: reasonOf('NO_AVAILABILITY', error.message) };
  const { code, message, suggestions, mayPass } = failureOf(error, attendees);
  if (mayPass && failures + 1 < MOST_FAILURES) return { again: true };
  const reason = { code, message, suggestions: inBatch(suggestions), relaxations: [] };
  return { again: false, state: 'failed', reason };
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

interface Given extends Request, Pick<NewBatch, 'options' | 'isDryRun'> {
  meetings: { reference: string; attendees: [string, string]; request: MeetingRequest }[];
}

/** The zone in which a date ends last on earth, so that dates that are past there are past for everybody. */
const LAST_ZONE = 'Etc/GMT+12';

/**
 * Serves `POST /v1/schedule/batch`. Throws `quota_exceeded` for a batch larger than what is left or with too many other
 * batches that are not booked, `invalid_date_range`, and Postgres' refusal of a used idempotency key.
 */
export async function acceptBatch(ctx: Ctx, platform: Platform, { idempotency, warnings, ...given }: Given) {
  const now = ctx.clock.now();
  const { dateRange } = given.options;
  const searched = searchWindow({ now, timeZone: LAST_ZONE, windowDays: 1, dateRange });
  if (!searched.ok) throw datesRefused(searched, 'date_range.');
  const id = ctx.ids.id(ID_PREFIX.batch);
  const total = given.meetings.length;
  const answer = toAcceptedBatch({ id, total }, warnings);
  // A dry run books nothing, so it may be larger than what is left.
  const quota = given.isDryRun ? null : planLimitsOf(platform.plan).meetingsPerMonth;
  const of = { platformId: platform.id, now };
  const { openBatchMeetings: mostOpen } = planLimitsOf(platform.plan);
  const inserted = insertBatch(ctx.db, { ...given, ...of, id, month: monthOf(now), quota, mostOpen });
  try {
    await ctx.db.batch(
      idempotency ? [keepAtOnce(ctx, idempotency, inBytes(202, answer), id), ...inserted] : [...inserted],
    );
  } catch (error) {
    if (refusalOf(error) === 'quota_exhausted') throw await batchTooLarge(ctx, platform, total);
    if (refusalOf(error) === 'too_many_open') throw tooManyInBatches(await countUnbooked(ctx.db, of), mostOpen, now);
    throw error;
  }
  ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  return answer;
}

const tooManyInBatches = (used: number, limit: number, now: number) =>
  new AppError(
    'quota_exceeded',
    `Your batches that are not booked yet have ${used} ${used === 1 ? 'meeting' : 'meetings'}, and your plan allows ${limit} with this batch. Commit or cancel a batch. Meetings that an ended batch did not book count for an hour after it was sent.`,
    { retryAfterSeconds: HOUR / 1_000, usage: { limit, used, resetsAt: now + HOUR } },
  );

/**
 * Places meetings anew whose times no longer hold. A repeated call has no further effect. Throws `batch_not_found`,
 * `batch_not_planned` and `quota_exceeded`.
 */
export async function commitBatch(ctx: Ctx, platform: Platform, id: string) {
  const now = ctx.clock.now();
  const quota = planLimitsOf(platform.plan).meetingsPerMonth;
  let isCommitted = false;
  try {
    const committed = await commitPlanned(ctx.db, { platformId: platform.id, id, month: monthOf(now), quota, now });
    isCommitted = committed.length > 0;
  } catch (error) {
    if (refusalOf(error) !== 'quota_exhausted') throw error;
    const { counts } = await readBatch(ctx, platform, { id, limit: 0 });
    throw await batchTooLarge(ctx, platform, counts.placed);
  }
  const { batch } = await readBatch(ctx, platform, { id, limit: 0 });
  if (isCommitted) ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  else if (batch.committedAt === null || batch.status === 'cancelled') throw batchNotPlanned(batch);
  return { id, total: batch.total };
}

/**
 * Leaves the meetings that are booked or being booked. A repeated call does nothing. Throws `batch_not_found`, and
 * `batch_ended` for a batch that was completed.
 */
export async function cancelBatch(ctx: Ctx, platform: PlatformRef, id: string) {
  const [cancelled] = await ctx.db.batch([
    ...cancelStatements(ctx.db, { platformId: platform.id, id, now: ctx.clock.now() }),
  ]);
  const found = await readBatch(ctx, platform, { id, limit: 0 });
  if (cancelled.length > 0) ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  else if (found.batch.status !== 'cancelled') throw errorOf('batch_ended');
  return found;
}
