import type { Snapshot } from '../../../schema/meetings/change.ts';
import { NOTICE } from '../../engine/rules/free-time.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, Platform, PlatformRef } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { describePick } from '../../words/reasoning.ts';
import { sayOfferedTime } from '../../words/slots.ts';
import { describeReading, readingWarnings } from '../../words/understood.ts';
import { assertConnected, guestOf, unlockedSnapshot } from '../protocol/claim.ts';
import { toReadReason } from '../protocol/kept-answer.ts';
import { aboutOf, lengthOf } from '../protocol/meeting.ts';
import { MeetingChanged } from '../protocol/operation.ts';
import { type Asking, askerPlace, assertAhead, findToOffer, keptReading, readingOnce } from '../verbs/reschedule.ts';
import { clockWarnings, timeWarnings } from '../verbs/still-free.ts';
import { findTimes, holdFound, holdTimes, type Offering, othersTookThem, proposeFound, type Reads } from './propose.ts';

interface Input extends Offering {
  meetingId: string;
  attendees?: [string, string] | undefined;
  /** IANA time zone of the other person, for a guest. If undefined, it is the one that the meeting has. */
  guestTimeZone?: string | undefined;
  /** Undefined for its present length. */
  durationMinutes?: number | undefined;
  /** Version that the meeting must still have, because the caller decided on the basis of that version. */
  version?: number | undefined;
}

/**
 * Serves `POST /v1/proposals` with `meeting_id`. The meeting stays until somebody accepts a time. Throws
 * `meeting_not_found`, `forbidden`, `meeting_busy`, `calendar_reconnect_required`, `invalid_*` naming the field, the
 * errors of `proposeTimes`, and `MeetingChanged` for another than the given version.
 */
export const proposeMove = (ctx: Ctx, platform: Platform, input: Input) =>
  proposeFound(ctx, platform, input, {
    find: (read) => findMove(ctx, platform, { ...input, read }),
    about({ old, guestTimeZone, attendees, durationMinutes }) {
      const moves = { meetingId: input.meetingId, start: old.start, end: old.end, reading: null, isForDecline: false };
      return { ...aboutOf(old), guestTimeZone, attendees, durationMinutes, moves };
    },
  });

type Search = Omit<Input, 'requesterName' | 'expiresInHours' | 'onExpiry' | 'idempotency' | 'warnings'> & Reads;

/** Holds nothing. Throws the errors of `proposeMove` about the meeting, people, calendars and times. */
async function findMove(ctx: Ctx, platform: Platform, { meetingId, version, ...input }: Search) {
  const old = await movableSnapshot(ctx, platform, meetingId);
  if (version !== undefined && old.version !== version) throw new MeetingChanged();
  const guestTimeZone = input.guestTimeZone ?? guestOf(old)?.timeZone;
  const attendees = attendeesOf(old, input.attendees);
  const length = input.durationMinutes === undefined ? lengthOf(old) : input.durationMinutes * MINUTE;
  const durationMinutes = Math.ceil(length / MINUTE);
  const asked = { ...input, attendees, durationMinutes, guestTimeZone };
  const found = await findTimes(ctx, platform, asked, movedFrom(old));
  const times = found.times.map((time) => ({ ...time, end: time.start + length }));
  return { ...found, times, old, attendees, durationMinutes, guestTimeZone };
}

/**
 * Throws `calendar_reconnect_required` unless both are connected, and `invalid_request` for a meeting that begins
 * within 15 minutes, too soon to answer a proposal.
 */
export async function movableSnapshot(ctx: Ctx, platform: Platform, meetingId: string): Promise<Snapshot> {
  const old = await unlockedSnapshot(ctx, platform, meetingId);
  assertConnected(old, { other: undefined });
  assertBeginsLater(ctx, old);
  return old;
}

export function assertBeginsLater(ctx: Ctx, { start }: Pick<Snapshot, 'start'>): void {
  if (start - NOTICE > ctx.clock.now()) return;
  throw new AppError(
    'invalid_request',
    'This meeting has begun, or begins within 15 minutes, so nobody could answer a proposal in time. Move it with PUT /v1/meetings/{meeting_id} instead.',
    { field: 'meeting_id' },
  );
}

/** A search must leave out the meeting's own event, and the starts that it had or that declined proposals offered. */
export const movedFrom = ({ providerEventId: id, start, end, earlierStarts, declinedStarts }: Snapshot) => ({
  event: { id, start, end },
  notAt: [start, ...earlierStarts, ...declinedStarts],
});

function attendeesOf({ organizer, other }: Snapshot, given: [string, string] | undefined): [string, string] {
  if (given !== undefined && (given[0] !== organizer || given[1] !== other))
    throw new AppError(
      'invalid_attendees',
      `\`attendees\` must be the attendees of the meeting, ${organizer} and ${other}, in this order. You may leave the field out.`,
      { field: 'attendees' },
    );
  return [organizer, other];
}

/** Makes no proposal and reserves nothing. Throws the errors of `proposeTimes` about people, calendars and times. */
export const previewProposal = async (ctx: Ctx, platform: Platform, asked: Parameters<typeof findTimes>[2]) =>
  withWarnings(await findTimes(ctx, platform, asked));

/** Makes no proposal and reserves nothing. Throws the errors of `proposeMove` about meeting, people and times. */
export const previewMove = async (ctx: Ctx, platform: Platform, asked: Parameters<typeof findMove>[2]) =>
  withWarnings(await findMove(ctx, platform, asked));

function withWarnings<Found extends Awaited<ReturnType<typeof findTimes>>>(found: Found) {
  const { people, times, given } = found;
  const ofClocks = given === undefined ? clockWarnings(people) : [];
  return { ...found, warnings: [...ofClocks, ...times.flatMap((time) => timeWarnings(people, time))] };
}

const OFFERED = 3;
export const EXPIRES_IN_HOURS = 48;

/** Serves a reschedule with `propose`. Throws the errors of `rescheduleMeeting`, and `too_many_proposals`. */
export async function proposeReschedule(ctx: Ctx, platform: PlatformRef, input: Asking & { isForDecline?: boolean }) {
  const { id: meetingId, idempotency, warnings = [], isForDecline = false } = input;
  assertAhead(ctx, input);
  const read = readingOnce(ctx, input.reason);
  return holdFound({
    async find() {
      const candidates = await findToOffer(ctx, platform, input, read);
      const [best] = candidates;
      if (best === undefined) throw othersTookThem();
      assertBeginsLater(ctx, best.old);
      return { best, offered: candidates.slice(0, OFFERED) };
    },
    hold({ best, offered }) {
      const { old, people, reading, learnedFrom, asked } = best;
      const length = lengthOf(old);
      const { understood, notUnderstood } = describeReading(reading);
      const about = {
        attendees: [old.organizer, old.other] as [string, string],
        requesterName: null,
        guestTimeZone: guestOf(old)?.timeZone,
        durationMinutes: Math.ceil(length / MINUTE),
        ...aboutOf(old),
        ...{ expiresInHours: EXPIRES_IN_HOURS, onExpiry: 'cancel' as const, idempotency },
        warnings: [...warnings, ...readingWarnings(reading)],
      };
      const times = offered.map(({ slot: { start, limits } }) => {
        const reason = sayOfferedTime(start, people);
        return { start, end: start + length, reason, limits };
      });
      const kept = keptReading(reading, askerPlace(old, input.requestedBy));
      const moves = { meetingId, start: old.start, end: old.end, isForDecline, reading: kept };
      const reasoning = describePick(best.slot.facts(), asked, true);
      const more = toReadReason({ reasoning, learnedFrom, understood, notUnderstood });
      return holdTimes(ctx, platform, about, { people, times, moves, said: { status: 200, more } });
    },
  });
}
