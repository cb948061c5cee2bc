import type { Guard } from '../../schema/db.ts';
import { completeJob } from '../../schema/jobs/queries.ts';
import type { Ctx } from '../context.ts';
import type { JobIntent } from '../meetings/operation.ts';
import { insertEvent } from '../webhooks/outbox.ts';

interface Made {
  id: string;
  platformId: string;
  attendees: string[];
  providerEventId: string;
  meetLink: string | null;
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
    chosen_slot: job.chosenSlot,
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
