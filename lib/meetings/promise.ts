import { touchConnections } from '../../schema/connections/queries.ts';
import { claimKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { insertPendingMeeting } from '../../schema/meetings/book-queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import { takeQuota } from '../../schema/usage/queries.ts';
import { onceMoreIfTorn, postgresRefusal } from '../adapters/neon.ts';
import type { Ctx, Platform } from '../context.ts';
import type { JobIntent } from '../jobs/job-completed.ts';
import { sha256 } from '../keys.ts';
import { limitsOf } from '../plans.ts';
import { monthOf, quotaExceeded } from '../usage/quota.ts';
import { bothConnected } from '../users/person.ts';
import { KeyTaken, SlotTaken } from './conflicts.ts';

/** How long a writer may be silent before its work may be taken over. */
export const LEASE_MS = 60_000;

export interface Booking {
  attendees: [string, string];
  /** Epoch milliseconds. */
  start: number;
  end: number;
  title: string;
  description: string | null;
  location: string;
  /** Never overlaps another live meeting of either person. */
  guarded: boolean;
  idempotency?: KeyClaim | undefined;
  /** With the run that has the job in hand. */
  job?: (JobIntent & { run: string }) | undefined;
}

/** The calendar's name for a meeting's event, so that a retry finds it: 40 hex digits are a valid event id. */
export const eventIdOf = async (meetingId: string): Promise<string> =>
  (await sha256(`event:${meetingId}`)).slice(0, 40);

/**
 * Step A of a booking, one batch: the key, the quota, the pending meeting, both holds and the settlement, or nothing.
 * Throws `KeyTaken`, `SlotTaken`, `quota_exceeded`, `user_not_found`, `calendar_reconnect_required`.
 */
export async function promiseMeeting(ctx: Ctx, platform: Platform, booking: Booking) {
  const now = ctx.clock.now();
  const id = ctx.ids.id('meet_');
  const owner = ctx.ids.id('own_');
  const leaseUntil = now + LEASE_MS;
  const { idempotency, job, ...meeting } = booking;
  const usageMonth = monthOf(now);
  const providerEventId = await eventIdOf(id);
  const promised = {
    ...meeting,
    id,
    platformId: platform.id,
    plan: platform.plan,
    owner,
    providerEventId,
    usageMonth,
    job,
  };
  const pending = { ...promised, leaseUntil, now, job: job && { id: job.jobId, run: job.run, intent: { ...job } } };
  const quota = limitsOf(platform.plan).meetingsPerMonth;
  try {
    const claims = idempotency ? [claimKey(ctx.db, { ...idempotency, owner, leaseUntil, resourceId: id, now })] : [];
    const [people] = await onceMoreIfTorn(() =>
      ctx.db.batch([
        listConnectedPeople(ctx.db, { platformId: platform.id, emails: booking.attendees }),
        ...claims,
        takeQuota(ctx.db, { platformId: platform.id, month: usageMonth, quota }),
        ...insertPendingMeeting(ctx.db, pending),
        touchConnections(ctx.db, { platformId: platform.id, emails: booking.attendees, now }),
      ]),
    );
    return { ...promised, people: bothConnected(booking.attendees, people) };
  } catch (error) {
    throw await refusalOf(ctx, platform, booking, error);
  }
}

async function refusalOf(ctx: Ctx, platform: Platform, booking: Booking, error: unknown): Promise<unknown> {
  const { code, constraint } = postgresRefusal(error);
  switch (constraint) {
    case 'idempotency_keys_pkey':
      return new KeyTaken();
    case 'usage_within_quota':
      return quotaExceeded(ctx, platform);
    case 'holds_no_overlap':
    case 'hold_is_free':
      return new SlotTaken();
    default:
  }
  // A person who is not connected is a null where an id must stand.
  if (code !== '23502') return error;
  const emails = booking.attendees;
  bothConnected(emails, await listConnectedPeople(ctx.db, { platformId: platform.id, emails }));
  return error;
}
