import { and, eq } from 'drizzle-orm';
import type { Db } from '../db.ts';
import type { OnlyIf } from '../deliveries/queries.ts';
import { jobs } from './table.ts';

/** The job ends with its meeting; `result` is the data of the event that says so. */
export const completeJob = (
  db: Db,
  { id, result, now, onlyIf }: { id: string; result: Record<string, unknown>; now: number; onlyIf: OnlyIf },
) =>
  db
    .update(jobs)
    .set({ status: 'completed', result, completedAt: now, owner: null, leaseUntil: null, nextRunAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), onlyIf));
