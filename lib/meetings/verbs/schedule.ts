import { touchConnections } from '../../../schema/access/connections.ts';
import { keepFromErasure } from '../../../schema/access/people.ts';
import { batch, refusalOf, retrySerializationFailure } from '../../../schema/db.ts';
import { listMeetingPeople } from '../../../schema/meetings/change.ts';
import { type Limits, listMeetingsAround } from '../../../schema/meetings/holds.ts';
import { claimKey, selectKey } from '../../../schema/meetings/idempotency.ts';
import { listConflicts } from '../../../schema/meetings/list.ts';
import type { GivenByGuest } from '../../../schema/meetings/proposals-accept.ts';
import { type About, insertPendingMeeting } from '../../../schema/meetings/reserve.ts';
import { findAlternatives } from '../../availability/search.ts';
import { looksOf } from '../../availability/shared-reads.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { slotUnavailable, withOutcome } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { loadInvited } from '../../person/guest.ts';
import { bothInKnownZones, loadBothConnected, requireBothConnected, toPerson } from '../../person/person.ts';
import { assertQuotaLeft, monthOf, quotaExceeded, takeQuota } from '../../usage/usage.ts';
import { sayTaken } from '../../words/explanation.ts';
import { eventIdOf, putEvent } from '../protocol/calendar-event.ts';
import { commitBooking } from '../protocol/commit.ts';
import type { BatchIntent, JobIntent, ProposalIntent } from '../protocol/intents.ts';
import type { Request } from '../protocol/kept-answer.ts';
import { withPeopleOf } from '../protocol/meeting.ts';
import {
  DayFull,
  JobTaken,
  LEASE_MS,
  ProposalTaken,
  runOperation,
  SlotTaken,
  TimeHeld,
  UNDONE,
} from '../protocol/operation.ts';
import {
  assertOutsideFocus,
  assertStillFree,
  type Known,
  knownInBatch,
  limitsAt,
  lookFirst,
  refusalOfDay,
  timeWarnings,
  withoutLimits,
} from './still-free.ts';

interface Input extends About, Request {
  start: number;
  durationMinutes: number;
  requireFree: boolean;
}

/**
 * Serves `POST /v1/schedule`. `requireFree` throws `slot_unavailable` with alternatives for a time that is not free. A
 * free time outside work hours, or on a holiday, is booked with a warning. Throws `user_not_found`, `quota_exceeded`,
 * `calendar_*`, and Postgres' refusal of a used idempotency key.
 */
export async function scheduleMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { durationMinutes, requireFree, ...booking } = input;
  const end = input.start + durationMinutes * MINUTE;
  try {
    if (!requireFree) return (await bookMeeting(ctx, platform, { ...booking, end, limits: undefined })).answer;
    const time = { start: input.start, end };
    const { keys, rows, live, usage } = await batch(ctx.db, {
      ...knownInBatch(ctx, { platformId: platform.id, emails: input.attendees }, [input.start, end]),
      ...(input.idempotency && { keys: selectKey(ctx.db, input.idempotency) }),
    });
    const people = bothInKnownZones(requireBothConnected(input.attendees, rows.map(toPerson)));
    // A retry gets the first answer, though the meeting takes the time by now. The reservation fails by its key.
    const isRetry = Array.isArray(keys) && keys.length > 0;
    if (!isRetry) await assertQuotaLeft(ctx, platform, usage[0]);
    const known = isRetry ? undefined : { people, live };
    const sentences = [...(input.warnings ?? []), ...timeWarnings(people, time, true)];
    const warnings = sentences.length === 0 ? undefined : sentences;
    const limits = limitsAt(people, input.start);
    return (await bookMeeting(ctx, platform, { ...booking, end, limits, warnings, known })).answer;
  } catch (error) {
    if (!(error instanceof SlotTaken)) throw error;
    const { attendees, start } = input;
    const { alternatives, against } = await findAlternatives(ctx, platform, { attendees, durationMinutes, start });
    throw slotUnavailable(alternatives, sayTaken(against, attendees, error.by));
  }
}

interface Booking extends About, Request, Interval {
  /** Such a meeting never overlaps another live one of either person. Undefined to book a time that is not free too. */
  limits: [Limits, Limits] | undefined;
  /** The look before the reservation is at them. Undefined if the search that found the time has just looked. */
  known?: Known | undefined;
  /** Instant at which that search read both calendars. */
  readAt?: number | undefined;
  job?: { run: string; intent: JobIntent } | undefined;
  batch?: { run: string; intent: BatchIntent } | undefined;
  /** Time of a proposal at which the meeting is booked. The proposal has already reserved this time. */
  proposal?: ProposalIntent | undefined;
  /** Email of the person who asked for the time, so that their buffer and daily limit do not count. */
  aside?: string | undefined;
  guest?: GivenByGuest | undefined;
}

/**
 * If the meeting must respect limits or accepts a proposal, first checks both people's focus blocks, calendars, buffers
 * and daily limits, and then what may have changed while it reserved. Throws the errors of `reserve`, `SlotTaken`,
 * `calendar_*`.
 */
export async function bookMeeting(ctx: Ctx, platform: Platform, { known, ...booking }: Booking) {
  const sharedBy = booking.batch === undefined ? looksOf(platform) : undefined;
  const look = { sharedBy, accepts: booking.proposal?.proposalId };
  const seen = known && lookFirst(ctx, known, booking, look);
  const readAt = await (seen ?? Promise.resolve(booking.readAt)).catch((error) => {
    throw withOutcome(error, UNDONE.book);
  });
  const { operation, meeting, around } = await reserve(ctx, platform, booking);
  const { idempotency } = booking;
  return runOperation(ctx, operation, { people: meeting.people, idempotency }, async (trace) => {
    if (booking.limits !== undefined || booking.proposal !== undefined) {
      const people = withoutLimits(meeting.people, booking.aside);
      assertOutsideFocus(people, booking);
      await assertStillFree(ctx, people, booking, { readAt, sharedBy });
      const refusal = refusalOfDay(people, booking, around);
      if (refusal !== undefined) throw refusal;
    }
    const { id: meetingId, providerEventId: id } = meeting;
    const event = await putEvent(ctx, meeting.people[0], { ...booking, meetingId, id }, trace);
    return commitBooking(ctx, operation, meeting, event);
  });
}

/**
 * One batch, all or nothing. Throws `SlotTaken`, `JobTaken`, `ProposalTaken`, `quota_exceeded`, `user_not_found`,
 * `calendar_reconnect_required`, and Postgres' refusal of a used idempotency key.
 */
async function reserve(
  ctx: Ctx,
  platform: Platform,
  { idempotency, job, batch: place, warnings, guest, ...booking }: Omit<Booking, 'known'>,
) {
  const { proposal } = booking;
  const now = ctx.clock.now();
  const lease = { id: ctx.ids.id(ID_PREFIX.meeting), owner: ctx.ids.id('own_') };
  const leaseUntil = now + LEASE_MS;
  const usageMonth = monthOf(now);
  const operation = {
    lease,
    intent: { kind: 'book' as const, job: job?.intent, batch: place?.intent, proposal, warnings },
  };
  const meeting = {
    ...booking,
    id: lease.id,
    platformId: platform.id,
    plan: platform.plan,
    providerEventId: await eventIdOf(lease.id),
    usageMonth,
  };
  const { attendees } = booking;
  const inserted = insertPendingMeeting(ctx.db, {
    ...meeting,
    ...lease,
    proposal: proposal && { ...proposal, guest },
    intent: operation.intent,
    job: job && { id: job.intent.jobId, run: job.run },
    place: place && { ...place.intent, run: place.run },
    leaseUntil,
    now,
  });
  try {
    const { conflicts, people, around } = await retrySerializationFailure(() =>
      batch(ctx.db, {
        kept: keepFromErasure(ctx.db, { emails: attendees, platformId: platform.id }),
        // A booking that respects limits overlaps nothing, or the batch fails.
        ...(booking.limits === undefined && { conflicts: listConflicts(ctx.db, meeting) }),
        ...(idempotency && {
          key: claimKey(ctx.db, { ...idempotency, ...lease, leaseUntil, resourceId: lease.id, now }),
        }),
        ...Object.fromEntries(inserted.map((one, at) => [`inserted${at}`, one])),
        people: listMeetingPeople(ctx.db, { meetingId: lease.id }),
        ...(isGiven({ ...booking, job }) && {
          around: listMeetingsAround(ctx.db, { meetingId: lease.id, start: booking.start }),
        }),
        // The search of a job has noted this use.
        ...(job === undefined && {
          used: touchConnections(ctx.db, { platformId: platform.id, emails: attendees, now }),
        }),
        // All bookings of a platform wait for the row of its quota, so it is locked last and for the shortest time.
        quota: takeQuota(ctx, { platformId: platform.id, plan: platform.plan, month: usageMonth }),
      }),
    );
    return {
      operation,
      around: Array.isArray(around) ? around : [],
      meeting: withPeopleOf({ ...meeting, conflicts: Array.isArray(conflicts) ? conflicts : [] }, people),
    };
  } catch (error) {
    switch (refusalOf(error)) {
      case 'slot_taken':
        throw new TimeHeld();
      case 'day_full':
        throw new DayFull();
      case 'not_in_hand':
        throw proposal === undefined ? new JobTaken() : new ProposalTaken();
      case 'quota_exhausted':
        throw await quotaExceeded(ctx, platform);
      case 'not_connected':
        if (proposal === undefined) await loadBothConnected(ctx, platform, attendees);
        else await loadInvited(ctx, platform, attendees);
        throw error;
      default:
        throw error;
    }
  }
}

/** The search of a job has just left out the days that are full, and those beside them. */
const isGiven = ({ proposal, limits, job }: Pick<Booking, 'proposal' | 'limits' | 'job'>) =>
  proposal !== undefined || (limits !== undefined && job === undefined);
