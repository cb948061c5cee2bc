import { refusalOf } from '../../../schema/db.ts';
import { cancelBatch as cancelStatements, commitPlanned } from '../../../schema/meetings/batches.ts';
import { countUnbooked, insertBatch } from '../../../schema/meetings/batches-booking.ts';
import type { IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import type { BatchOptions } from '../../../schema/tables/batches.ts';
import { datesRefused } from '../../availability/search-window.ts';
import { HOUR } from '../../engine/time/dates.ts';
import { searchWindow } from '../../engine/time/window.ts';
import type { Ctx, Platform, PlatformRef } from '../../kit/context.ts';
import { AppError, batchEnded, batchNotPlanned } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { planLimitsOf } from '../../kit/plans.ts';
import { batchTooLarge, monthOf } from '../../usage/usage.ts';
import { inBytes, keepAtOnce, toAcceptedBatch } from '../protocol/kept-answer.ts';
import { findBatch, type MeetingRequest, publishBatch } from './batch.ts';

interface Given {
  options: BatchOptions;
  isDryRun: boolean;
  meetings: { reference: string; attendees: [string, string]; request: MeetingRequest }[];
  idempotency: IdempotentRequest | undefined;
  warnings?: string[] | undefined;
}

/** The zone in which a date ends last on earth, so that dates that are past there are past for everybody. */
const LAST_ZONE = 'Etc/GMT+12';

/**
 * Accepts a batch. Serves `POST /v1/schedule/batch`. Inserts the batch with its meetings first and sends the queue
 * message afterwards. Throws `quota_exceeded` for a batch larger than what is left or with too many other batches that
 * are not booked, `invalid_date_range`, and Postgres' refusal of an idempotency key that was claimed before.
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
 * Serves `POST /v1/batches/{batch_id}/commit`. Books meetings as far as their times still hold, and places the others
 * anew. A repeated call has no further effect. Throws `batch_not_found`, `batch_not_planned`, `quota_exceeded`.
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
    const { counts } = await findBatch(ctx, platform, id);
    throw await batchTooLarge(ctx, platform, counts.placed);
  }
  const { batch } = await findBatch(ctx, platform, id);
  if (isCommitted) ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  else if (batch.committedAt === null || batch.status === 'cancelled') throw batchNotPlanned(batch);
  return { id, total: batch.total };
}

/**
 * Serves `DELETE /v1/batches/{batch_id}`. Booked meetings, and those being booked, stay. A repeated call has no further
 * effect. Throws `batch_not_found`, and `batch_ended` for a batch that completed.
 */
export async function cancelBatch(ctx: Ctx, platform: PlatformRef, id: string) {
  const [cancelled] = await ctx.db.batch([
    ...cancelStatements(ctx.db, { platformId: platform.id, id, now: ctx.clock.now() }),
  ]);
  const found = await findBatch(ctx, platform, id);
  if (cancelled.length > 0) ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  else if (found.batch.status !== 'cancelled') throw batchEnded();
  return found;
}
