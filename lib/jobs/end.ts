import type { Metadata } from '../../schema/api/metadata.ts';
import type { Guard } from '../../schema/db.ts';
import { completeJob, failJob, failJobOfMeeting, isFailedBy } from '../../schema/jobs/queries.ts';
import type { Ctx } from '../context.ts';
import { isoUtc } from '../meetings/answers.ts';
import type { JobIntent } from '../meetings/intents.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import { type JobFailure, SUGGESTIONS } from './failure.ts';
import type { JobRun } from './job.ts';

interface Made {
  id: string;
  platformId: string;
  attendees: string[];
  metadata: Metadata;
  providerEventId: string;
  meetLink: string | null;
  start: number;
  end: number;
}

/** What was chosen, at the time the calendar has it. */
function slotAt({ chosenSlot }: JobIntent, { start, end }: Made): JobIntent['chosenSlot'] {
  if (Date.parse(chosenSlot.start_time) === start && Date.parse(chosenSlot.end_time) === end) return chosenSlot;
  return { ...chosenSlot, start_time: isoUtc(start), end_time: isoUtc(end) };
}

/** The end of a job whose meeting stands: its row and `meeting.scheduling.completed`, for the batch that confirms it. */
export function completedJob(ctx: Ctx, meeting: Made, job: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const data = {
    job_id: job.jobId,
    success: true as const,
    meeting_id: meeting.id,
    provider_event_id: meeting.providerEventId,
    meet_link: meeting.meetLink,
    chosen_slot: slotAt(job, meeting),
    attendees: meeting.attendees,
    metadata: meeting.metadata,
    agent_reasoning: job.reasoning,
    fairness: job.fairness,
    processing_time_ms: processingTime(job.acceptedAt, now),
  };
  const { platformId } = meeting;
  const event = insertEvent(ctx, { platformId, type: 'meeting.scheduling.completed', data, guard });
  return {
    statements: [completeJob(ctx.db, { id: job.jobId, result: data, now, guard }), event.statement],
    deliveryId: event.deliveryId,
  };
}

interface Failed {
  id: string;
  attendees: string[];
  metadata: Metadata;
  /** Epoch milliseconds. */
  acceptedAt: number;
}

/**
 * Ends a job whose runs made no meeting: its row and `meeting.scheduling.failed`. False when a meeting of the job is
 * under way after all, or another run has it.
 */
export async function endAsFailed(ctx: Ctx, { owner, job, request }: JobRun, failure: JobFailure): Promise<boolean> {
  const { id, createdAt: acceptedAt } = job;
  const now = ctx.clock.now();
  const { attendees, metadata } = request;
  const data = failedData({ id, attendees, metadata, acceptedAt }, failure, now);
  const guard = isFailedBy({ id, owner });
  const event = insertEvent(ctx, { platformId: job.platform.id, type: 'meeting.scheduling.failed', data, guard });
  const [failed] = await ctx.db.batch([failJob(ctx.db, { id, owner, result: data, now }), event.statement]);
  if (failed.length === 0) return false;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  return true;
}

interface Lost {
  platformId: string;
  attendees: [string, string];
  metadata: Metadata;
}

/** The end of a job whose booking's outcome stayed unknown: its row and event, for the batch that ends the booking. */
export function lostJob(ctx: Ctx, { platformId, attendees, metadata }: Lost, job: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const failure = {
    code: 'GOOGLE_API_ERROR' as const,
    message: `The calendar of ${attendees[0]} did not say for a day what became of the booking, so it counts as not made.`,
    suggestions: SUGGESTIONS.GOOGLE_API_ERROR,
  };
  const data = failedData({ id: job.jobId, attendees, metadata, acceptedAt: job.acceptedAt }, failure, now);
  const event = insertEvent(ctx, { platformId, type: 'meeting.scheduling.failed', data, guard });
  return {
    statements: [failJobOfMeeting(ctx.db, { id: job.jobId, result: data, now, guard }), event.statement],
    deliveryId: event.deliveryId,
  };
}

const failedData = (
  { id, attendees, metadata, acceptedAt }: Failed,
  { code, message, suggestions }: Omit<JobFailure, 'mayPass'>,
  now: number,
) => ({
  job_id: id,
  success: false as const,
  error_code: code,
  error_message: message,
  attendees,
  metadata,
  suggestions,
  processing_time_ms: processingTime(acceptedAt, now),
});

const processingTime = (acceptedAt: number, now: number) => Math.max(0, Math.round(now - acceptedAt));
