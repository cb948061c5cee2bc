import { countUnbooked, insertBatch } from '../../../schema/meetings/batches-insert.ts';
import type { IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import { refusalOf } from '../../../schema/refusals.ts';
import type { BatchOptions } from '../../../schema/tables/batches.ts';
import { datesRefused } from '../../availability/search-window.ts';
import { HOUR } from '../../engine/time/dates.ts';
import { searchWindow } from '../../engine/time/window.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { planLimitsOf } from '../../kit/plans.ts';
import { batchTooLarge, monthOf } from '../../usage/quota.ts';
import { inBytes, keepAtOnce, toAcceptedBatch } from '../protocol/kept-answer.ts';
import { type MeetingRequest, publishBatch } from './batch.ts';

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
