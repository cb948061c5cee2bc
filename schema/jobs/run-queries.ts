import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import type { OnlyIf } from '../deliveries/queries.ts';
import { jobs } from './table.ts';

/** Statement: locks the job, so that whether a run has it stays what the next statements see. */
export const lockJob = (db: Db, { id }: { id: string }) =>
  db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id)).for('no key update');

/** Whether this run has the job in hand. */
export const isRunBy = ({ id, run }: { id: string; run: string }): OnlyIf =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.owner = ${run} and j.status = 'processing')`;
