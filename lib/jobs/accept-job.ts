import type { AcceptedJob } from '../../schema/api/schedule.ts';
import { claimAnsweredKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { insertJob } from '../../schema/jobs/queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import { postgresRefusal } from '../adapters/neon.ts';
import type { Ctx, Platform } from '../context.ts';
import { KeyTaken } from '../meetings/conflicts.ts';
import { limitsOf } from '../plans.ts';
import type { MeetingContext } from '../scheduling/contexts.ts';
import { monthOf, quotaExceeded } from '../usage/quota.ts';
import { bothConnected } from '../users/person.ts';
import { kickJob } from './kick-job.ts';

/** What a job is to schedule; kept as it was asked for. */
export interface JobRequest {
  attendees: [string, string];
  durationMinutes: number;
  title?: string | undefined;
  description?: string | undefined;
  context?: MeetingContext | undefined;
}

const ESTIMATED_SECONDS = 10;

/**
 * Accepts an automatic scheduling (`interface.md`, POST /v1/schedule/auto): a row first, then a message. Throws
 * `user_not_found`, `calendar_reconnect_required`, `quota_exceeded`; `KeyTaken` when the idempotency key has a row.
 */
export async function acceptJob(ctx: Ctx, platform: Platform, request: JobRequest, idempotency: KeyClaim | undefined) {
  const now = ctx.clock.now();
  const id = ctx.ids.id('sched_');
  const answer: AcceptedJob = {
    job_id: id,
    status: 'processing',
    message: 'The best time is being picked; a webhook tells the result, and so does GET /v1/jobs/{job_id}.',
    estimated_completion_seconds: ESTIMATED_SECONDS,
    webhook_event: 'meeting.scheduling.completed',
  };
  const kept = { resourceId: id, status: 202, body: JSON.stringify(answer), now };
  const { attendees } = request;
  const quota = limitsOf(platform.plan).meetingsPerMonth;
  const job = { id, platformId: platform.id, attendees, request: { ...request }, month: monthOf(now), quota, now };
  try {
    const accept = insertJob(ctx.db, job);
    await (idempotency ? ctx.db.batch([claimAnsweredKey(ctx.db, { ...idempotency, ...kept }), accept]) : accept);
  } catch (error) {
    const { code, constraint } = postgresRefusal(error);
    if (constraint === 'idempotency_keys_pkey') throw new KeyTaken();
    if (code !== '23502') throw error;
    const emails = attendees;
    bothConnected(emails, await listConnectedPeople(ctx.db, { platformId: platform.id, emails }));
    throw await quotaExceeded(ctx, platform);
  }
  ctx.later(kickJob(ctx, id));
  return answer;
}
