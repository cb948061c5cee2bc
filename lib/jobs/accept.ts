import type { AcceptedJob } from '../../schema/api/schedule.ts';
import { claimAnsweredKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { insertJob } from '../../schema/jobs/queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import { refusalOf } from '../../schema/refusals.ts';
import type { Ctx, Platform } from '../context.ts';
import { ID_PREFIX } from '../ids.ts';
import { limitsOf } from '../plans.ts';
import { monthOf, quotaExceeded } from '../usage/quota.ts';
import { bothConnected } from '../users/person.ts';
import { type JobRequest, publishJob } from './job.ts';

const ESTIMATED_SECONDS = 10;

/**
 * Accepts an automatic scheduling (`interface.md`, POST /v1/schedule/auto): a row first, then a message. Throws
 * `user_not_found`, `calendar_reconnect_required`, `quota_exceeded`, and Postgres' refusal of an idempotency key that was
 * claimed before.
 */
export async function acceptJob(ctx: Ctx, platform: Platform, request: JobRequest, idempotency: KeyClaim | undefined) {
  const now = ctx.clock.now();
  const id = ctx.ids.id(ID_PREFIX.job);
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
  const accept = insertJob(ctx.db, {
    id,
    platformId: platform.id,
    attendees,
    request,
    month: monthOf(now),
    quota,
    now,
  });
  try {
    await (idempotency ? ctx.db.batch([claimAnsweredKey(ctx.db, { ...idempotency, ...kept }), accept]) : accept);
  } catch (error) {
    switch (refusalOf(error)) {
      case 'not_connected':
        bothConnected(attendees, await listConnectedPeople(ctx.db, { platformId: platform.id, emails: attendees }));
        throw error;
      case 'quota_exhausted':
        throw await quotaExceeded(ctx, platform);
      case 'duplicate_key':
      case 'slot_taken':
      case 'not_in_hand':
      case 'serialization_failure':
      case undefined:
        throw error;
    }
  }
  ctx.later(publishJob(ctx, { id, platformId: platform.id }));
  return answer;
}
