import type { Metadata } from '../../schema/api/metadata.ts';
import { touchConnections } from '../../schema/connections/queries.ts';
import type { Limits } from '../../schema/holds/queries.ts';
import { claimKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { listConflicts } from '../../schema/meetings/read-queries.ts';
import { insertPendingMeeting } from '../../schema/meetings/reserve-queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import { refusalOf, retrySerializationFailure } from '../../schema/refusals.ts';
import { findAlternatives } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { slotUnavailable } from '../errors.ts';
import { ID_PREFIX } from '../ids.ts';
import { sha256 } from '../keys.ts';
import { monthOf, quotaExceeded, takeQuota } from '../usage/quota.ts';
import { bothConnected } from '../users/person.ts';
import { putEvent } from './calendar-event.ts';
import { commitBooking } from './commits/booking.ts';
import type { JobIntent } from './intents.ts';
import { limitsAt } from './limits.ts';
import { DayFull, JobTaken, LEASE_MS, runOperation, SlotTaken } from './operation.ts';
import { assertStillFree } from './still-free.ts';

interface Input {
  attendees: [string, string];
  /** Epoch milliseconds. */
  start: number;
  durationMinutes: number;
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  requireFree: boolean;
  idempotency?: KeyClaim | undefined;
}

/**
 * Books the time it is given, free or not (`interface.md`, POST /v1/schedule); with `requireFree` only a free one, else
 * `slot_unavailable` with fresh alternatives. Throws `user_not_found`, `quota_exceeded`, `calendar_*`, and Postgres'
 * refusal of an idempotency key that was claimed before.
 */
export async function scheduleMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { durationMinutes, requireFree, ...booking } = input;
  const end = input.start + durationMinutes * 60_000;
  try {
    const limits = requireFree ? await readLimits(ctx, platform, input) : undefined;
    return await bookMeeting(ctx, platform, { ...booking, end, limits });
  } catch (error) {
    if (!(error instanceof SlotTaken)) throw error;
    const { attendees, start } = input;
    const alternatives = await findAlternatives(ctx, platform, { attendees, durationMinutes, start });
    throw slotUnavailable(alternatives, { isDayFull: error instanceof DayFull });
  }
}

async function readLimits(ctx: Ctx, platform: Platform, { attendees, start }: Input) {
  const people = await listConnectedPeople(ctx.db, { platformId: platform.id, emails: attendees });
  return limitsAt(bothConnected(attendees, people), start);
}

interface Booking {
  attendees: [string, string];
  /** Epoch milliseconds. */
  start: number;
  end: number;
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  /** For a meeting that keeps to both people's limits and never overlaps another live meeting of either. */
  limits: [Limits, Limits] | undefined;
  idempotency?: KeyClaim | undefined;
  /** For which job, and the run that has it in hand. */
  job?: { run: string; intent: JobIntent } | undefined;
}

/**
 * Books a meeting: reserved, put on the calendar, committed. One with limits is checked against both calendars in
 * between, with the buffers of both when a job picked its time. Throws what reserving throws, `SlotTaken`, `calendar_*`.
 */
export async function bookMeeting(ctx: Ctx, platform: Platform, booking: Booking) {
  const { operation, meeting, people } = await reserve(ctx, platform, booking);
  const withBuffers = booking.job !== undefined;
  const caller = { email: people[0].email, isKeyed: booking.idempotency !== undefined };
  return runOperation(ctx, operation, caller, async (trace) => {
    if (booking.limits !== undefined) await assertStillFree(ctx, people, booking, { withBuffers });
    const { id: meetingId, providerEventId: id } = meeting;
    const event = await putEvent(ctx, people[0], { ...booking, meetingId, id }, trace);
    return commitBooking(ctx, operation, { ...meeting, people }, event);
  });
}

/** The calendar's name for a meeting's event, so that a retry finds it: 40 hex digits are a valid event id. */
const eventIdOf = async (meetingId: string): Promise<string> => (await sha256(`event:${meetingId}`)).slice(0, 40);

/**
 * One batch: the key, the quota, the pending meeting, both holds and the pending operation, or nothing. Throws
 * `SlotTaken`, `JobTaken`, `quota_exceeded`, `user_not_found`, `calendar_reconnect_required`, and the refusal of the key.
 */
async function reserve(ctx: Ctx, platform: Platform, { idempotency, job, ...booking }: Booking) {
  const now = ctx.clock.now();
  const lease = { id: ctx.ids.id(ID_PREFIX.meeting), owner: ctx.ids.id('own_') };
  const leaseUntil = now + LEASE_MS;
  const usageMonth = monthOf(now);
  const operation = { lease, intent: { kind: 'book' as const, job: job?.intent } };
  const meeting = {
    ...booking,
    id: lease.id,
    platformId: platform.id,
    plan: platform.plan,
    providerEventId: await eventIdOf(lease.id),
    usageMonth,
  };
  const { attendees } = booking;
  try {
    const [people, conflicts] = await retrySerializationFailure(() =>
      ctx.db.batch([
        listConnectedPeople(ctx.db, { platformId: platform.id, emails: attendees }),
        listConflicts(ctx.db, meeting),
        ...(idempotency ? [claimKey(ctx.db, { ...idempotency, ...lease, leaseUntil, resourceId: lease.id, now })] : []),
        takeQuota(ctx, { platformId: platform.id, plan: platform.plan, month: usageMonth }),
        ...insertPendingMeeting(ctx.db, {
          ...meeting,
          ...lease,
          intent: operation.intent,
          job: job && { id: job.intent.jobId, run: job.run },
          leaseUntil,
          now,
        }),
        touchConnections(ctx.db, { platformId: platform.id, emails: attendees, now }),
      ]),
    );
    return { operation, meeting: { ...meeting, conflicts }, people: bothConnected(attendees, people) };
  } catch (error) {
    switch (refusalOf(error)) {
      case 'slot_taken':
        throw new SlotTaken();
      case 'day_full':
        throw new DayFull();
      case 'not_in_hand':
        throw new JobTaken();
      case 'quota_exhausted':
        throw await quotaExceeded(ctx, platform);
      case 'not_connected':
        bothConnected(attendees, await listConnectedPeople(ctx.db, { platformId: platform.id, emails: attendees }));
        throw error;
      case 'duplicate_key':
      case 'serialization_failure':
      case undefined:
        throw error;
    }
  }
}
