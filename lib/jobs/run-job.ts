import {
  type ClaimedJob,
  claimJob,
  failJob,
  findMeetingOfJob,
  isFailedBy,
  postponeJob,
} from '../../schema/jobs/queries.ts';
import { postgresRefusal } from '../adapters/neon.ts';
import type { Ctx } from '../context.ts';
import { AppError, calendarUnavailable } from '../errors.ts';
import { bookMeeting } from '../meetings/book.ts';
import { SlotTaken } from '../meetings/conflicts.ts';
import { settleMeeting } from '../meetings/settle.ts';
import { defaultTitle } from '../scheduling/title.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import type { JobRequest } from './accept-job.ts';
import { failureOf, type JobFailure } from './job-failure.ts';
import { kickJob } from './kick-job.ts';
import { pickSlots, reasoningOf } from './pick-slots.ts';

const LEASE_MS = 90_000;
/** No further slot is tried later than this into a run. */
const BUDGET_MS = 20_000;
const MOST_RUNS = 3;
const RETRY_SECONDS = [5, 20] as const;
const SEARCHES = 3;

/** A meeting of this job is under way; the next run finds out what became of it. */
class Underway extends Error {}

/**
 * Runs a job once: picks the best time and books it, and whichever slot is lost to another makes place for the next.
 * Ends the job, or sees to its next run. Nothing when the job has ended or is in other hands.
 */
export async function runJob(ctx: Ctx, jobId: string): Promise<void> {
  const now = ctx.clock.now();
  const owner = ctx.ids.id('run_');
  const job = await claimJob(ctx.db, { id: jobId, owner, now, leaseUntil: now + LEASE_MS });
  if (job === undefined) return;
  try {
    await settleEarlier(ctx, jobId);
    if (job.attempts > MOST_RUNS) throw calendarUnavailable(requestOf(job).attendees[0]);
    await bookBest(ctx, job, owner);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'INTERNAL_ERROR' && !(error instanceof Underway))
      ctx.log('error', 'job failed', { job_id: jobId, error: String(error) });
    const isOver = !(error instanceof Underway) && (!failure.mayPass || job.attempts >= MOST_RUNS);
    if (isOver && (await fail(ctx, job, owner, failure))) return;
    const delaySeconds = RETRY_SECONDS[job.attempts - 1] ?? 60;
    await postponeJob(ctx.db, { id: jobId, owner, nextRunAt: ctx.clock.now() + delaySeconds * 1_000 });
    await kickJob(ctx, jobId, delaySeconds);
  }
}

const requestOf = (job: ClaimedJob) => job.request as unknown as JobRequest;

/** A meeting an earlier run began is finished or undone before another is begun. */
async function settleEarlier(ctx: Ctx, jobId: string): Promise<void> {
  const begun = await findMeetingOfJob(ctx.db, { id: jobId });
  if (begun === undefined) return;
  await settleMeeting(ctx, begun.id);
  if ((await findMeetingOfJob(ctx.db, { id: jobId })) !== undefined) throw new Underway();
}

async function bookBest(ctx: Ctx, job: ClaimedJob, run: string): Promise<void> {
  const request = requestOf(job);
  const lastStart = ctx.clock.now() + BUDGET_MS;
  const title = request.title ?? defaultTitle(request.context, request.attendees);
  for (let search = 0; search < SEARCHES; search++) {
    for (const slot of await pickSlots(ctx, job.platform, request)) {
      if (ctx.clock.now() > lastStart) throw new Underway();
      const { startTime: start_time, endTime: end_time, score, matchQuality: match_quality } = slot;
      try {
        await bookMeeting(ctx, job.platform, {
          ...{ attendees: request.attendees, start: slot.start, end: slot.end, guarded: true },
          ...{ title, description: request.description ?? null, location: 'Google Meet' },
          job: {
            run,
            jobId: job.id,
            acceptedAt: job.createdAt,
            chosenSlot: { start_time, end_time, score, match_quality },
            reasoning: reasoningOf(slot, request.context),
          },
        });
        return;
      } catch (error) {
        if (isWithAnother(error)) throw new Underway();
        if (!(error instanceof SlotTaken)) throw error;
      }
    }
  }
  throw new AppError('no_availability', 'Every common time was taken by another meeting before it could be booked.');
}

/** Whether the job has a meeting already, or is another run's by now. */
function isWithAnother(error: unknown): boolean {
  const { constraint, column } = postgresRefusal(error);
  return constraint === 'meetings_one_per_job' || column === 'platform_id';
}

/** False when a meeting of the job is under way after all, or another run has it. */
async function fail(ctx: Ctx, job: ClaimedJob, owner: string, failure: JobFailure): Promise<boolean> {
  const now = ctx.clock.now();
  const data = {
    job_id: job.id,
    success: false as const,
    error_code: failure.code,
    error_message: failure.message,
    attendees: requestOf(job).attendees,
    suggestions: failure.suggestions,
    processing_time_ms: Math.max(0, Math.round(now - job.createdAt)),
  };
  const event = insertEvent(ctx, {
    ...{ platformId: job.platform.id, type: 'meeting.scheduling.failed', data },
    onlyIf: isFailedBy({ id: job.id, owner }),
  });
  const [failed] = await ctx.db.batch([failJob(ctx.db, { id: job.id, owner, result: data, now }), event.statement]);
  if (failed.length === 0) return false;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  return true;
}
