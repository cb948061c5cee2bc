import { DEFAULT_LOCATION } from '../../schema/api/schedule.ts';
import { claimJob, findMeetingOfJob, postponeJob } from '../../schema/jobs/queries.ts';
import type { Ctx } from '../context.ts';
import { calendarUnavailable, InternalError } from '../errors.ts';
import { type Limited, rankTimes, takeBest, toFairness } from '../meetings/best-time.ts';
import { JobTaken } from '../meetings/operation.ts';
import { reconcileMeeting } from '../meetings/reconcile.ts';
import { bookMeeting } from '../meetings/schedule.ts';
import type { AutoSlot } from '../scheduling/rank-auto.ts';
import { defaultTitle } from '../scheduling/title.ts';
import { describePick } from '../wording/reasoning.ts';
import { endAsFailed } from './end.ts';
import { failureOf } from './failure.ts';
import { JobRequest, type JobRun, publishJob } from './job.ts';

const LEASE_MS = 90_000;
const MOST_RUNS = 3;
const RETRY_SECONDS = [5, 20] as const;
/** A booking of a job whose outcome is not known wakes the job when it ends. */
const LONGEST_WAIT_SECONDS = 3_600;

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
  const run: JobRun = { owner, job, request: JobRequest.parse(job.request) };
  try {
    if (job.attempts > 1) await reconcileEarlier(ctx, jobId);
    if (job.attempts > MOST_RUNS) throw lastReason(run);
    await bookBest(ctx, run);
  } catch (error) {
    const isUnderway = error instanceof Underway || error instanceof JobTaken;
    const failure = failureOf(error);
    if (failure.code === 'INTERNAL_ERROR' && !isUnderway) ctx.log('error', 'job failed', { job_id: jobId, error });
    const isOver = !isUnderway && (!failure.mayPass || job.attempts >= MOST_RUNS);
    if (isOver && (await endAsFailed(ctx, run, failure))) return;
    const delaySeconds =
      RETRY_SECONDS[job.attempts - 1] ?? Math.min(LONGEST_WAIT_SECONDS, 60 * 2 ** (job.attempts - MOST_RUNS));
    await postponeJob(ctx.db, { id: jobId, owner, nextRunAt: ctx.clock.now() + delaySeconds * 1_000 });
    await publishJob(ctx, { id: jobId, platformId: job.platform.id }, delaySeconds);
  }
}

/** What ended the last of all runs: it died, or the calendar never said what came of its booking. */
const lastReason = ({ job, request }: JobRun): Error =>
  job.wasLost ? new InternalError('every run of the job was cut short') : calendarUnavailable(request.attendees[0]);

/** A meeting an earlier run began is finished or undone before another is begun. */
async function reconcileEarlier(ctx: Ctx, jobId: string): Promise<void> {
  const begun = await findMeetingOfJob(ctx.db, { id: jobId });
  if (begun === undefined) return;
  await reconcileMeeting(ctx, begun.id);
  if ((await findMeetingOfJob(ctx.db, { id: jobId })) !== undefined) throw new Underway();
}

async function bookBest(ctx: Ctx, run: JobRun): Promise<void> {
  await takeBest(ctx, {
    search: () => rankTimes(ctx, run.job.platform, run.request),
    take: (slot) => book(ctx, run, slot),
    tooLate: () => new Underway(),
  });
}

function book(ctx: Ctx, { owner, job, request }: JobRun, slot: Limited<AutoSlot>) {
  const { startTime: start_time, endTime: end_time, score, matchQuality: match_quality } = slot;
  const { attendees, title, description, metadata, context } = request;
  const facts = slot.facts();
  return bookMeeting(ctx, job.platform, {
    attendees,
    start: slot.start,
    end: slot.end,
    limits: slot.limits,
    title: title ?? defaultTitle(context, attendees),
    description: description ?? null,
    location: DEFAULT_LOCATION,
    metadata,
    job: {
      run: owner,
      intent: {
        jobId: job.id,
        acceptedAt: job.createdAt,
        chosenSlot: { start_time, end_time, score, match_quality },
        reasoning: describePick(facts),
        fairness: toFairness(facts),
      },
    },
  });
}
