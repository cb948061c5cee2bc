import { Hono } from 'hono';
import { readJob } from '../../lib/jobs/read-job.ts';
import { isoUtc } from '../../lib/meetings/times.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { idParam } from '../params.ts';

export const jobs = new Hono<AppEnv>();

jobs.get('/v1/jobs/:job_id', async (c) => {
  const job = await readJob(c.var.ctx, platformOf(c), idParam(c, 'job_id'));
  return c.json({
    job_id: job.id,
    status: job.status,
    created_at: isoUtc(job.createdAt),
    completed_at: job.completedAt === null ? null : isoUtc(job.completedAt),
    result: job.result,
  });
});
