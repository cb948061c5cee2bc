import { toChosenSlot, toFairness } from '../../../schema/answers/meeting-answers.ts';
import { DEFAULT_LOCATION } from '../../../schema/api/schedule.ts';
import { batch } from '../../../schema/db.ts';
import {
  attendeesOfJob,
  failJob,
  findMeetingOfJob,
  isFailedBy,
  leaseJob,
  postponeJob,
} from '../../../schema/meetings/jobs.ts';
import { type LoadedInBatch, loadInBatch, peopleOfBatch } from '../../availability/read-people.ts';
import type { AutoSlot } from '../../engine/rank/rank-auto.ts';
import type { Ctx } from '../../kit/context.ts';
import { calendarUnavailable, InternalError } from '../../kit/errors.ts';
import { publishEvents } from '../../webhooks/outbox.ts';
import { describePick } from '../../words/reasoning.ts';
import { defaultTitle } from '../../words/title.ts';
import { failureOf, type JobFailure } from '../protocol/failure.ts';
import { JobTaken } from '../protocol/operation.ts';
import { reconcileMeeting } from '../protocol/reconcile.ts';
import { failedJob } from '../protocol/webhook-events.ts';
import { type Limited, rankTimes, takeBest } from '../verbs/best-time.ts';
import { bookMeeting } from '../verbs/schedule.ts';
import { JobRequest, type JobRun, publishJob } from './job.ts';

const LEASE_MS = 90_000;
const MOST_RUNS = 3;
const RETRY_SECONDS = [5, 20] as const;
/** A job that waits to learn whether its booking reached the calendar runs as soon as that is known. */
const LONGEST_WAIT_SECONDS = 3_600;

/** An earlier run's booking has an unknown outcome. The next run finds out if it succeeded. */
class Underway extends Error {}

/** Does nothing if the job has ended or another run is working on it. */
export async function runJob(ctx: Ctx, jobId: string): Promise<void> {
  const now = ctx.clock.now();
  const owner = ctx.ids.id('run_');
  const {
    leased: [job],
    ...rows
  } = await batch(ctx.db, {
    leased: leaseJob(ctx.db, { id: jobId, owner, now, leaseUntil: now + LEASE_MS }),
    // What the request asks for may lie as far ahead as any meeting.
    ...loadInBatch(ctx, attendeesOfJob(jobId)),
  });
  if (job === undefined) return;
  const run: JobRun = { owner, job, request: JobRequest.parse(job.request) };
  try {
    if (job.attempts > 1) await reconcileEarlier(ctx, jobId);
    if (job.attempts > MOST_RUNS) throw lastReason(run);
    // From the second run on, people are loaded again: the end of an earlier booking may have changed their meetings.
    await bookBest(ctx, run, job.attempts > 1 ? undefined : await peopleOfBatch(ctx, job.platform, rows));
  } catch (error) {
    await endOrPostpone(ctx, run, error);
  }
}

async function endOrPostpone(ctx: Ctx, run: JobRun, error: unknown): Promise<void> {
  const { owner, job, request } = run;
  const { id, attempts } = job;
  const isUnderway = error instanceof Underway || error instanceof JobTaken;
  const failure = failureOf(error, request.attendees);
  const isOver = !isUnderway && (!failure.mayPass || attempts >= MOST_RUNS);
  const isOurs = failure.code === 'INTERNAL_ERROR' && !isUnderway;
  if (isOver && (await endAsFailed(ctx, run, failure))) {
    if (isOurs) ctx.log('error', 'job failed', { job_id: id, error });
    return;
  }
  const delaySeconds = RETRY_SECONDS[attempts - 1] ?? Math.min(LONGEST_WAIT_SECONDS, 60 * 2 ** (attempts - MOST_RUNS));
  const nextRunAt = ctx.clock.now() + delaySeconds * 1_000;
  const postponed = await postponeJob(ctx.db, { id, owner, nextRunAt });
  // No row was updated, because the platform cancelled the job meanwhile or another run has taken it over.
  if (postponed.length === 0) return;
  if (isOurs) ctx.log('error', 'job failed', { job_id: id, error });
  await publishJob(ctx, { id, platformId: job.platform.id }, delaySeconds);
}

/** Either every allowed run was interrupted, or the calendar never confirmed the booking. */
const lastReason = ({ job, request }: JobRun): Error =>
  job.wasLost ? new InternalError('Every run of the job was interrupted.') : calendarUnavailable(request.attendees[0]);

/** A job never books two meetings. */
async function reconcileEarlier(ctx: Ctx, jobId: string): Promise<void> {
  const begun = await findMeetingOfJob(ctx.db, { id: jobId });
  if (begun === undefined) return;
  await reconcileMeeting(ctx, begun.id);
  if ((await findMeetingOfJob(ctx.db, { id: jobId })) !== undefined) throw new Underway();
}

/** A further search does not use `loaded`, because something has changed since. */
async function bookBest(ctx: Ctx, run: JobRun, loaded: LoadedInBatch | undefined): Promise<void> {
  let known = loaded;
  await takeBest(ctx, {
    search: () => {
      const searched = rankTimes(ctx, run.job.platform, run.request, known);
      known = undefined;
      return searched;
    },
    take: (slot) => book(ctx, run, slot),
    tooLate: () => new Underway(),
  });
}

function book(ctx: Ctx, { owner, job, request }: JobRun, slot: Limited<AutoSlot>) {
  const { attendees, title, description, metadata, context } = request;
  const facts = slot.facts();
  return bookMeeting(ctx, job.platform, {
    attendees,
    start: slot.start,
    end: slot.end,
    limits: slot.limits,
    readAt: slot.readAt,
    title: title ?? defaultTitle(context, attendees),
    description: description ?? null,
    location: DEFAULT_LOCATION,
    metadata,
    job: {
      run: owner,
      intent: {
        jobId: job.id,
        acceptedAt: job.createdAt,
        chosenSlot: toChosenSlot(slot),
        reasoning: describePick(facts),
        fairness: toFairness(facts.fairness?.carried),
      },
    },
  });
}

/** Returns false if a booking of the job is in progress after all, or if another run has taken over the job. */
async function endAsFailed(ctx: Ctx, { owner, job, request }: JobRun, failure: JobFailure): Promise<boolean> {
  const { id, createdAt: acceptedAt, platform } = job;
  const { attendees, metadata } = request;
  const ended = { jobId: id, platformId: platform.id, attendees, metadata, acceptedAt, ...failure };
  const event = failedJob(ctx, ended, isFailedBy({ id, owner }));
  const now = ctx.clock.now();
  const [failed] = await ctx.db.batch([failJob(ctx.db, { id, owner, result: event.data, now }), event.statement]);
  if (failed.length > 0) publishEvents(ctx, event);
  return failed.length > 0;
}
