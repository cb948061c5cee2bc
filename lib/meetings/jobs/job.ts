import * as z from 'zod';
import { insistOnKey } from '../../../schema/access/api-keys.ts';
import type { Rows } from '../../../schema/api/paging.ts';
import { batch, type Guard, refusalOf } from '../../../schema/db.ts';
import { listMeetingPeople } from '../../../schema/meetings/change.ts';
import { isFinishedBy } from '../../../schema/meetings/finish.ts';
import {
  endJob,
  failJob,
  findJob,
  findJobToCancel,
  insertJob,
  isFailedBy,
  type JobFilter,
  type JobToCancel,
  type LeasedJob,
  type ListedJob,
  listEndedJobs,
  listRunningJobs,
  lockJob,
  selectJob,
  takeDueJobs,
} from '../../../schema/meetings/jobs.ts';
import { takeOverBooking } from '../../../schema/meetings/lease.ts';
import { jobs } from '../../../schema/tables/batches.ts';
import { type TimesAsked, type TimesGiven, timesReader } from '../../availability/asked-times.ts';
import { CONTEXTS, type MeetingContext } from '../../engine/rank/contexts.ts';
import type { AskedInWords } from '../../engine/wish/narrowing.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { AppError, errorOf, meetingBusy, userGone } from '../../kit/errors.ts';
import { ID_PREFIX, isMeetingId } from '../../kit/ids.ts';
import { MEETINGS_PER_MONTH } from '../../kit/plans.ts';
import type { Ids, QueueMessage } from '../../kit/ports.ts';
import { pageOf } from '../../kit/read-page.ts';
import { bothInKnownZones, loadBothConnected } from '../../person/person.ts';
import { monthOf, quotaExceeded } from '../../usage/usage.ts';
import { publishEvents } from '../../webhooks/outbox.ts';
import { deleteEvent } from '../protocol/calendar-event.ts';
import { SUGGESTIONS } from '../protocol/failure.ts';
import { BookIntent } from '../protocol/intents.ts';
import { inBytes, keepAtOnce, type Request, toAcceptedAnswer } from '../protocol/kept-answer.ts';
import { LEASE_MS, undo, VERIFY_AFTER_MS } from '../protocol/operation.ts';
import { type Queued, queueOf } from '../protocol/queued.ts';
import { failedJob } from '../protocol/webhook-events.ts';

export const JobRequest = z.object({
  attendees: z.tuple([z.string(), z.string()]),
  durationMinutes: z.number(),
  title: z.string().optional(),
  description: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
  /** Times that the request asks for, as they were understood. The text itself is not stored. */
  asked: z
    .object({
      words: z.custom<AskedInWords>((words) => typeof words === 'object').optional(),
      ranges: z.array(z.object({ start: z.number(), end: z.number() })).optional(),
    })
    .optional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/** The run has leased the job, so that no other run works on it. */
export interface JobRun {
  owner: string;
  job: LeasedJob;
  request: JobRequest;
}

const AT_ONCE = 100;
const OF_ONE_PLATFORM = 25;
/** A lane runs one job at a time, so that jobs on slow calendars leave capacity to others and to webhooks. */
const LANES = 3;

/** The id tells the lane without a query. Jobs of one requester share a lane, or all would pick the same best time. */
export function newJobId(ids: Ids, requester: string): string {
  const sum = [...requester].reduce((total, character) => total + character.charCodeAt(0), 0);
  return ids.id(`${ID_PREFIX.job}${sum % LANES}`);
}

const messageFor = ({ id, platformId }: Queued): QueueMessage => ({
  path: '/internal/run-job',
  body: { job_id: id },
  lane: { key: `jobs.${platformId}.${id.charAt(ID_PREFIX.job.length)}`, parallelism: 1 },
});

/** Throws `job_not_found` for an unknown id and for another platform's job. */
export async function readJob(ctx: Ctx, platform: PlatformRef, id: string) {
  const job = await findJob(ctx.db, { platformId: platform.id, id });
  if (job === undefined) throw errorOf('job_not_found');
  return job;
}

export const { publish: publishJob, sweep: sweepJobs } = queueOf({
  chore: 'jobs',
  atOnce: { limit: AT_ONCE, each: OF_ONE_PLATFORM },
  take: takeDueJobs,
  messageFor,
  table: jobs,
  leave: (ctx, id, error) => ctx.log('warn', 'job left to the sweep', { job_id: id, error }),
});

interface JobQuery extends Rows {
  status?: JobFilter['status'] | 'processing';
}

/** Lists jobs in progress first, then ended ones, the last to end first. */
export async function listDashboardJobs(ctx: Ctx, { id: platformId }: PlatformRef, { status, limit, after }: JobQuery) {
  const found = await batch(ctx.db, {
    running: listRunningJobs(ctx.db, { platformId, limit: after === undefined ? limit : 0 }),
    ended: listEndedJobs(ctx.db, {
      ...{ platformId, after, limit: status === 'processing' ? 0 : limit + 1 },
      status: status === 'processing' ? undefined : status,
    }),
  });
  const { rows, next } = pageOf(found.ended, limit, ({ completedAt, id }) => ({ at: completedAt ?? 0, id }));
  const running = status === undefined || status === 'processing' ? found.running : [];
  return { rows: [...running, ...rows].map(toShown), next };
}

/** Throws `job_not_found`. */
export async function readDashboardJob(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  if (!isMeetingId(id)) throw errorOf('job_not_found');
  const [row] = await selectJob(ctx.db, { platformId, id });
  if (row === undefined) throw errorOf('job_not_found');
  return { ...toShown(row), meetingId: row.meetingId };
}

function toShown({ request, result, ...job }: ListedJob) {
  const failure = result?.success === false ? result : undefined;
  const isCancelled = failure?.error_code === 'CANCELLED';
  return {
    ...job,
    status: isCancelled ? ('cancelled' as const) : job.status,
    request: JobRequest.parse(request),
    failure,
  };
}

export type ShownJob = ReturnType<typeof toShown>;

/** Reads on the first attendee's clock. Throws what `timesReader`, `loadBothConnected` and `bothInKnownZones` throw. */
export async function readAsked(
  ctx: Ctx,
  platform: PlatformRef,
  { attendees, durationMinutes, times }: Pick<JobRequest, 'attendees' | 'durationMinutes'> & { times: TimesGiven },
): Promise<TimesAsked | undefined> {
  const read = timesReader(ctx, times);
  if (times.when === undefined) return read({ timeZone: 'UTC' }, durationMinutes);
  const [requester] = bothInKnownZones(await loadBothConnected(ctx, platform, attendees));
  return read(requester, durationMinutes);
}

/**
 * Serves `POST /v1/schedule/auto`. The batch checks the caller's API key too. Throws `unauthorized`, `user_not_found`,
 * `calendar_reconnect_required`, `quota_exceeded`, and Postgres' refusal of a used idempotency key.
 */
export async function acceptJob(
  ctx: Ctx,
  platform: PlatformRef,
  given: Omit<JobRequest, 'asked'>,
  { idempotency, warnings, times = {} }: Request & { times?: TimesGiven | undefined },
) {
  const now = ctx.clock.now();
  const { attendees, durationMinutes } = given;
  const id = newJobId(ctx.ids, attendees[0]);
  const { read, words, ranges } = (await readAsked(ctx, platform, { attendees, durationMinutes, times })) ?? {};
  const answer = toAcceptedAnswer(id, read, warnings);
  // The job's result and webhooks quote nobody.
  const asked = { ranges, words: words && { ...words, quotes: [] } };
  const request: JobRequest = { ...given, ...((words ?? ranges) && { asked }) };
  const { credential } = ctx.actor;
  try {
    await batch(ctx.db, {
      // Comes first, so that a caller whose key no longer works learns nothing else, not even an earlier answer.
      ...(credential !== undefined &&
        'key' in credential && { key: insistOnKey(ctx.db, { hash: credential.key, now }) }),
      ...(idempotency && { kept: keepAtOnce(ctx, idempotency, inBytes(202, answer), id) }),
      accepted: insertJob(ctx.db, {
        id,
        platformId: platform.id,
        attendees,
        request,
        month: monthOf(now),
        quotas: MEETINGS_PER_MONTH,
        now,
      }),
    });
  } catch (error) {
    switch (refusalOf(error)) {
      case 'not_connected':
        await loadBothConnected(ctx, platform, attendees);
        throw error;
      case 'quota_exhausted':
        throw await quotaExceeded(ctx, platform);
      case 'credential_ended':
        throw userGone();
      default:
        throw error;
    }
  }
  ctx.later(publishJob(ctx, { id, platformId: platform.id }));
  return answer;
}

const TRIES = 10;

/**
 * A call that creates the calendar event may still be on its way, so the event is deleted right after the batch, and
 * again when no such call can arrive any more. A repeated call returns the same answer. Throws `job_not_found`,
 * `job_ended` for a job that ended by itself, and `meeting_busy` if the job began or gave up a booking in each try.
 */
export async function cancelJob(ctx: Ctx, platform: PlatformRef, id: string) {
  for (let left = TRIES; ; left -= 1) {
    const job = await findJobToCancel(ctx.db, { platformId: platform.id, id });
    if (job === undefined) throw errorOf('job_not_found');
    if (job.status !== 'processing') return earlierAnswer(job);
    if (left === 0) throw meetingBusy();
    if (job.bookingId === null) await endIdle(ctx, platform, job);
    else await withdraw(ctx, platform, job, job.bookingId);
  }
}

/** Throws `job_ended` for a job that ended otherwise. */
function earlierAnswer({ id, status, completedAt, result }: JobToCancel) {
  if (result !== null && !result.success && result.booking !== undefined && completedAt !== null)
    return { id, booking: result.booking, completedAt };
  const stays =
    result?.success === true
      ? `Its meeting ${result.meeting_id} stays. To cancel the meeting, call DELETE /v1/meetings/${result.meeting_id}.`
      : 'It booked nothing, so there is nothing to cancel.';
  throw new AppError('job_ended', `This job has already ${status}, so it can no longer be cancelled. ${stays}`);
}

/** Does nothing if the job has begun a booking or has ended. */
async function endIdle(ctx: Ctx, platform: PlatformRef, job: JobToCancel): Promise<void> {
  const owner = ctx.ids.id('end_');
  const event = cancelledJob(ctx, platform, job, 'none', isFailedBy({ id: job.id, owner }));
  const [, failed] = await ctx.db.batch([
    lockJob(ctx.db, job),
    failJob(ctx.db, { id: job.id, owner, byPlatform: true, result: event.data, now: ctx.clock.now() }),
    event.statement,
  ]);
  if (failed.length > 0) publishEvents(ctx, event);
}

/** Ends the booking even while another process works on it. Does nothing if it succeeded or was undone meanwhile. */
async function withdraw(ctx: Ctx, platform: PlatformRef, job: JobToCancel, meetingId: string): Promise<void> {
  const now = ctx.clock.now();
  const lease = { id: meetingId, owner: ctx.ids.id('own_') };
  const guard = isFinishedBy(lease);
  const event = cancelledJob(ctx, platform, job, 'withdrawn', guard);
  const operation = { lease, intent: BookIntent.parse(job.intent) };
  const isUndone = await undo(ctx, operation, {
    verifyAt: now + VERIFY_AFTER_MS,
    first: [takeOverBooking(ctx.db, { ...lease, jobId: job.id, leaseUntil: now + LEASE_MS })],
    also: [endJob(ctx.db, { id: job.id, result: event.data, now, guard }), event.statement],
  });
  if (!isUndone) return;
  publishEvents(ctx, event);
  ctx.later(deleteSoon(ctx, { meetingId, eventId: job.eventId }));
}

function cancelledJob(ctx: Ctx, platform: PlatformRef, job: JobToCancel, booking: 'none' | 'withdrawn', guard: Guard) {
  const { id: jobId, createdAt: acceptedAt } = job;
  const { attendees, metadata } = JobRequest.parse(job.request);
  const message =
    booking === 'none'
      ? 'The job was cancelled before it booked a meeting.'
      : 'The job was cancelled while it was booking a meeting, so the booking was withdrawn.';
  const failure = { code: 'CANCELLED' as const, message, suggestions: SUGGESTIONS.CANCELLED, booking };
  return failedJob(ctx, { jobId, platformId: platform.id, attendees, metadata, acceptedAt, ...failure }, guard);
}

/** Never throws. If the deletion fails, a later check of the calendar deletes the event. */
async function deleteSoon(ctx: Ctx, { meetingId, eventId }: { meetingId: string; eventId: string | null }) {
  try {
    const [requester] = await listMeetingPeople(ctx.db, { meetingId });
    if (requester !== undefined && eventId !== null)
      await deleteEvent(ctx, requester, { id: eventId, eventEtag: '*', start: 0, end: 0 });
  } catch (error) {
    ctx.log('warn', 'the event of a cancelled job is left to the sweep', { meeting_id: meetingId, error });
  }
}
