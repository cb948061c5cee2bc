import type { OnlyIf } from '../../schema/deliveries/queries.ts';
import { completeJob } from '../../schema/jobs/queries.ts';
import type { Ctx } from '../context.ts';
import { insertEvent } from '../webhooks/outbox.ts';

/** What a job decided, kept with its booking so that whoever settles it can tell. */
export interface JobIntent {
  jobId: string;
  /** Epoch milliseconds of the request. */
  acceptedAt: number;
  chosenSlot: { start_time: string; end_time: string; score: number; match_quality: string };
  reasoning: string;
}

interface Made {
  id: string;
  platformId: string;
  attendees: string[];
  providerEventId: string;
  meetLink: string | null;
}

/** The end of a job whose meeting stands, as statements for the batch that confirms it. */
export function jobCompleted(ctx: Ctx, meeting: Made, job: JobIntent, onlyIf: OnlyIf) {
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
    processing_time_ms: Math.max(0, Math.round(now - job.acceptedAt)),
  };
  const event = insertEvent(ctx, {
    platformId: meeting.platformId,
    type: 'meeting.scheduling.completed',
    data,
    onlyIf,
  });
  return {
    statements: [completeJob(ctx.db, { id: job.jobId, result: data, now, onlyIf }), event.statement],
    deliveryId: event.deliveryId,
  };
}
