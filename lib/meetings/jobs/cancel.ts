import { listMeetingPeople } from '../../../schema/meetings/change.ts';
import { isFinishedBy } from '../../../schema/meetings/finish.ts';
import { failIdleJob, findJobToCancel, isFailedBy, type JobToCancel, lockJob } from '../../../schema/meetings/jobs.ts';
import { takeOverBooking } from '../../../schema/meetings/lease.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { AppError, jobNotFound, meetingBusy } from '../../kit/errors.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { deleteEvent } from '../protocol/calendar-event.ts';
import { cancelledJob } from '../protocol/commit-source.ts';
import { BookIntent } from '../protocol/intents.ts';
import { LEASE_MS, undo, VERIFY_AFTER_MS } from '../protocol/operation.ts';
import { JobRequest } from './job.ts';

/** `withdrawn` means that the job had begun a booking, which was undone. */
interface CancelledJob {
  id: string;
  booking: 'none' | 'withdrawn';
  completedAt: number;
}

const TRIES = 10;

/**
 * A call that creates the calendar event may still be on its way, so the event is deleted right after the batch, and
 * again when no such call can arrive any more. A repeated call returns the same answer. Throws `job_not_found`,
 * `job_ended` for a job that ended by itself, and `meeting_busy` if the job began or gave up a booking in each try.
 */
export async function cancelJob(ctx: Ctx, platform: PlatformRef, id: string): Promise<CancelledJob> {
  for (let tries = 0; tries < TRIES; tries++) {
    const job = await findJobToCancel(ctx.db, { platformId: platform.id, id });
    if (job === undefined) throw jobNotFound();
    if (job.status !== 'processing') return earlierAnswer(job);
    const isDone = job.bookingId === null ? await endIdle(ctx, platform, job) : await withdraw(ctx, platform, job);
    if (!isDone) continue;
    const ended = await findJobToCancel(ctx.db, { platformId: platform.id, id });
    if (ended !== undefined) return earlierAnswer(ended);
  }
  throw meetingBusy();
}

/** Throws `job_ended` for a job that ended otherwise. */
function earlierAnswer({ id, status, completedAt, result }: JobToCancel): CancelledJob {
  if (result !== null && !result.success && result.booking !== undefined && completedAt !== null)
    return { id, booking: result.booking, completedAt };
  const stays =
    result?.success === true
      ? `Its meeting ${result.meeting_id} stays. To cancel the meeting, call DELETE /v1/meetings/${result.meeting_id}.`
      : 'It booked nothing, so there is nothing to cancel.';
  throw new AppError('job_ended', `This job has already ${status}, so it can no longer be cancelled. ${stays}`);
}

/** Returns false if the job has begun a booking or has ended. */
async function endIdle(ctx: Ctx, platform: PlatformRef, job: JobToCancel): Promise<boolean> {
  const owner = ctx.ids.id('end_');
  const guard = isFailedBy({ id: job.id, owner });
  const end = cancelledJob(ctx, { ...ofJob(platform, job), booking: 'none' }, guard);
  const [, failed] = await ctx.db.batch([
    lockJob(ctx.db, job),
    failIdleJob(ctx.db, { id: job.id, owner, result: end.result, now: ctx.clock.now() }),
    end.event.statement,
  ]);
  if (failed.length === 0) return false;
  ctx.later(publishDelivery(ctx, end.event.deliveryId));
  return true;
}

/** Ends the booking even while another process works on it. Returns false if it succeeded or was undone meanwhile. */
async function withdraw(ctx: Ctx, platform: PlatformRef, job: JobToCancel): Promise<boolean> {
  if (job.bookingId === null) return false;
  const now = ctx.clock.now();
  const lease = { id: job.bookingId, owner: ctx.ids.id('own_') };
  const intent = BookIntent.parse(job.intent);
  const guard = isFinishedBy(lease);
  const end = cancelledJob(ctx, { ...ofJob(platform, job), booking: 'withdrawn' }, guard);
  const isUndone = await undo(
    ctx,
    { lease, intent },
    {
      verifyAt: now + VERIFY_AFTER_MS,
      first: [takeOverBooking(ctx.db, { ...lease, jobId: job.id, leaseUntil: now + LEASE_MS })],
      also: [end.statement(now), end.event.statement],
    },
  );
  if (!isUndone) return false;
  ctx.later(publishDelivery(ctx, end.event.deliveryId));
  ctx.later(deleteSoon(ctx, { meetingId: lease.id, eventId: job.eventId }));
  return true;
}

const ofJob = (platform: PlatformRef, { id, request, createdAt }: JobToCancel) => {
  const { attendees, metadata } = JobRequest.parse(request);
  return { id, platformId: platform.id, attendees, metadata, acceptedAt: createdAt };
};

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
