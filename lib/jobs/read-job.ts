import { findJob } from '../../schema/jobs/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';

/** A platform's job with its result once it has ended; throws `job_not_found` for any other id. */
export async function readJob(ctx: Ctx, platform: Platform, id: string) {
  const job = await findJob(ctx.db, { platformId: platform.id, id });
  if (job === undefined) throw new AppError('job_not_found', 'There is no such job.');
  return job;
}
