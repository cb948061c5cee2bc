import type { Metadata } from '../../schema/api/metadata.ts';
import { touchConnections } from '../../schema/connections/last-used-queries.ts';
import type { Limits } from '../../schema/holds/queries.ts';
import { claimKey, type IdempotentRequest } from '../../schema/idempotency/queries.ts';
import { listConflicts } from '../../schema/meetings/conflict-queries.ts';
import { insertPendingMeeting } from '../../schema/meetings/reserve-queries.ts';
import { keepFromErasure, listConnectedPeople } from '../../schema/people/queries.ts';
import { refusalOf, retrySerializationFailure } from '../../schema/refusals.ts';
import { findAlternatives } from '../availability/search.ts';
import { MINUTE } from '../engine/time/dates.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { slotUnavailable } from '../kit/errors.ts';
import { ID_PREFIX } from '../kit/ids.ts';
import { loadBothConnected } from '../person/load.ts';
import { bothInKnownZones, toPerson } from '../person/person.ts';
import { requireBothConnected } from '../person/require-connected.ts';
import { monthOf, quotaExceeded, takeQuota } from '../usage/quota.ts';
import { eventIdOf, putEvent } from './calendar-event.ts';
import { commitBooking } from './commits/booking.ts';
import type { JobIntent, ProposalIntent } from './intents.ts';
import { limitsAt } from './limits.ts';
import { withPeople } from './meeting.ts';
import { DayFull, JobTaken, LEASE_MS, ProposalTaken, runOperation, SlotTaken } from './operation.ts';
import { assertOutsideFocus, timeWarnings } from './protected-time.ts';
import { assertStillFree } from './still-free.ts';

interface Input {
  attendees: [string, string];
  /** Start of the meeting in epoch milliseconds. */
  start: number;
  durationMinutes: number;
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  requireFree: boolean;
  idempotency?: IdempotentRequest | undefined;
  /** Warnings about the request that its API answer contains. */
  warnings?: string[] | undefined;
}

/**
 * Books a meeting at the given time, free or not. Serves `POST /v1/schedule`. With `requireFree`, books only a free
 * time and otherwise throws `slot_unavailable` with fresh alternatives. A free time outside somebody's work hours, or
 * on their public holiday, is booked with a warning. Throws `user_not_found`, `quota_exceeded`, `calendar_*`, and
 * Postgres' refusal of an idempotency key that was claimed before.
 */
export async function scheduleMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { durationMinutes, requireFree, ...booking } = input;
  const end = input.start + durationMinutes * MINUTE;
  try {
    if (!requireFree) return await bookMeeting(ctx, platform, { ...booking, end, limits: undefined });
    const people = bothInKnownZones(await loadBothConnected(ctx, platform, input.attendees));
    const time = { start: input.start, end };
    const sentences = [...(input.warnings ?? []), ...timeWarnings(people, time)];
    const warnings = sentences.length === 0 ? undefined : sentences;
    return await bookMeeting(ctx, platform, { ...booking, end, limits: limitsAt(people, input.start), warnings });
  } catch (error) {
    if (!(error instanceof SlotTaken)) throw error;
    const { attendees, start } = input;
    const alternatives = await findAlternatives(ctx, platform, { attendees, durationMinutes, start });
    throw slotUnavailable(alternatives, { isDayFull: error instanceof DayFull });
  }
}

interface Booking {
  attendees: [string, string];
  /** Start of the meeting in epoch milliseconds. */
  start: number;
  end: number;
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  /**
   * Buffers and daily limits of both people that the meeting must respect. A meeting with limits never overlaps another
   * live meeting of either person. Undefined for a meeting that may be booked at any time.
   */
  limits: [Limits, Limits] | undefined;
  idempotency?: IdempotentRequest | undefined;
  /** Warnings about the request that its API answer contains. */
  warnings?: string[] | undefined;
  /** The scheduling job that books the meeting, and the run that holds the job. */
  job?: { run: string; intent: JobIntent } | undefined;
  /** The time of a proposal that the booking accepts. The proposal already holds the time for both people. */
  proposal?: ProposalIntent | undefined;
}

/**
 * Books a meeting: reserves it, puts it on the calendar and commits it. A booking with limits is checked against both
 * people's focus blocks and calendars after it is reserved, and so is one that accepts a proposal. If a job picked the
 * time, that check includes both people's buffers. Throws the errors of `reserve`, `SlotTaken`, `calendar_*`.
 */
export async function bookMeeting(ctx: Ctx, platform: Platform, booking: Booking) {
  const { operation, meeting } = await reserve(ctx, platform, booking);
  const [requester] = meeting.people;
  const withBuffers = booking.job !== undefined;
  const caller = { email: requester.email, isKeyed: booking.idempotency !== undefined };
  return runOperation(ctx, operation, caller, async (trace) => {
    if (booking.limits !== undefined || booking.proposal !== undefined) {
      assertOutsideFocus(meeting.people, booking);
      await assertStillFree(ctx, meeting.people, booking, { withBuffers });
    }
    const { id: meetingId, providerEventId: id } = meeting;
    const event = await putEvent(ctx, requester, { ...booking, meetingId, id }, trace);
    return commitBooking(ctx, operation, meeting, event);
  });
}

/**
 * Reserves a booking in one batch, all or nothing: the idempotency key, the quota, the pending meeting, the time of
 * both people and the pending operation. Throws `SlotTaken`, `JobTaken`, `ProposalTaken`, `quota_exceeded`, `user_not_found`,
 * `calendar_reconnect_required`, and Postgres' refusal of an idempotency key that was claimed before.
 */
async function reserve(ctx: Ctx, platform: Platform, { idempotency, job, warnings, ...booking }: Booking) {
  const { proposal } = booking;
  const now = ctx.clock.now();
  const lease = { id: ctx.ids.id(ID_PREFIX.meeting), owner: ctx.ids.id('own_') };
  const leaseUntil = now + LEASE_MS;
  const usageMonth = monthOf(now);
  const operation = { lease, intent: { kind: 'book' as const, job: job?.intent, proposal, warnings } };
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
    const [, rows, conflicts] = await retrySerializationFailure(() =>
      ctx.db.batch([
        keepFromErasure(ctx.db, { emails: attendees }),
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
    const people = requireBothConnected(attendees, rows.map(toPerson));
    return { operation, meeting: withPeople({ ...meeting, conflicts }, people) };
  } catch (error) {
    switch (refusalOf(error)) {
      case 'slot_taken':
        throw new SlotTaken();
      case 'day_full':
        throw new DayFull();
      case 'not_in_hand':
        throw proposal === undefined ? new JobTaken() : new ProposalTaken();
      case 'quota_exhausted':
        throw await quotaExceeded(ctx, platform);
      case 'not_connected':
        await loadBothConnected(ctx, platform, attendees);
        throw error;
      case 'duplicate_key':
      case 'too_many_open':
      case 'credential_ended':
      case 'serialization_failure':
      case undefined:
        throw error;
    }
  }
}
