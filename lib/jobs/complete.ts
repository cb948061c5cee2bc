import type { Guard } from '../../schema/db.ts';
import { completeJob, failJobOfMeeting } from '../../schema/jobs/queries.ts';
import type { Ctx } from '../context.ts';
import { isoUtc } from '../meetings/answers.ts';
import type { JobIntent } from '../meetings/operation.ts';
import { insertEvent } from '../webhooks/outbox.ts';
import { SUGGESTIONS } from './failure.ts';

interface Made {
  id: string;
  platformId: string;
  attendees: string[];
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
    agent_reasoning: job.reasoning,
    fairness: job.fairness,
    processing_time_ms: Math.max(0, Math.round(now - job.acceptedAt)),
  };
  const { platformId } = meeting;
  const event = insertEvent(ctx, { platformId, type: 'meeting.scheduling.completed', data, guard });
  return {
    statements: [completeJob(ctx.db, { id: job.jobId, result: data, now, guard }), event.statement],
    deliveryId: event.deliveryId,
  };
}

interface Lost {
  platformId: string;
  attendees: [string, string];
}

/** The end of a job whose booking's outcome stayed unknown: its row and event, for the batch that ends the booking. */
export function lostJob(ctx: Ctx, { platformId, attendees }: Lost, job: JobIntent, guard: Guard) {
  const now = ctx.clock.now();
  const data = {
    job_id: job.jobId,
    success: false as const,
    error_code: 'GOOGLE_API_ERROR' as const,
    error_message: `The calendar of ${attendees[0]} did not say for a day what became of the booking, so it counts as not made.`,
    attendees,
    suggestions: SUGGESTIONS.GOOGLE_API_ERROR,
    processing_time_ms: Math.max(0, Math.round(now - job.acceptedAt)),
  };
  const event = insertEvent(ctx, { platformId, type: 'meeting.scheduling.failed', data, guard });
  return {
    statements: [failJobOfMeeting(ctx.db, { id: job.jobId, result: data, now, guard }), event.statement],
    deliveryId: event.deliveryId,
  };
}
