import type { BatchMeetingState } from '../../../schema/api/states.ts';
import {
  type BatchCounts,
  countBatch,
  type FoundBatch,
  type ListedBatch,
  type ListedMeeting,
  listBatches,
  listBatchMeetings,
  selectBatch,
} from '../../../schema/meetings/batches.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { batchNotFound } from '../../kit/errors.ts';
import { type PageRequest, readPage } from '../../kit/read-page.ts';

export interface BatchPage {
  batch: FoundBatch;
  counts: BatchCounts;
  meetings: ListedMeeting[];
  next: { at: number; id: string } | undefined;
}

interface Asked {
  id: string;
  limit: number;
  after?: number | undefined;
  /** States of the meetings to list. Without them, the page has meetings of all states. */
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
    selectBatch(ctx.db, of),
    countBatch(ctx.db, of),
    listBatchMeetings(ctx.db, { ...of, after: Math.min(after ?? -1, LAST), limit: limit + 1, states }),
  ]);
  if (batch === undefined || counts === undefined) throw batchNotFound();
  const meetings = rows.slice(0, limit);
  const last = meetings.at(-1);
  return { batch, counts, meetings, next: rows.length > limit && last ? { at: last.position, id } : undefined };
}

/** Returns a platform's batch with the counts of its meetings. Throws `batch_not_found`. */
export async function findBatch(ctx: Ctx, platform: PlatformRef, id: string) {
  const of = { platformId: platform.id, id };
  const [[batch], [counts]] = await ctx.db.batch([selectBatch(ctx.db, of), countBatch(ctx.db, of)]);
  if (batch === undefined || counts === undefined) throw batchNotFound();
  return { batch, counts };
}

export async function listPlatformBatches(ctx: Ctx, { id: platformId }: PlatformRef, asked: PageRequest) {
  const placeOf = ({ createdAt: at, id }: ListedBatch) => ({ at, id });
  const { rows: batches, next } = await readPage({ ...asked, placeOf }, (page) =>
    listBatches(ctx.db, { platformId, ...page }),
  );
  return { batches, next };
}
