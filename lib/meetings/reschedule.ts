import { toFairness } from '../../schema/api/meeting-answers.ts';
import type { IdempotentRequest } from '../../schema/idempotency/queries.ts';
import type { Snapshot } from '../../schema/meetings/change-queries.ts';
import { insertReplacement } from '../../schema/meetings/reserve-queries.ts';
import type { MovingEvent } from '../calendars/read-busy.ts';
import type { PickedSlot } from '../engine/rank/rank-auto.ts';
import { isTimeZone } from '../engine/time/zone.ts';
import type { Interval } from '../engine/types.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { AppError, InternalError, meetingBusy, unknownTimeZone } from '../kit/errors.ts';
import { ID_PREFIX } from '../kit/ids.ts';
import { learnFromReason } from '../learning/learn-from-reason.ts';
import { readReason } from '../reader/read-text.ts';
import type { Asked } from '../words/asked.ts';
import { describeLearning } from '../words/learned.ts';
import { describePick } from '../words/reasoning.ts';
import { describeReading } from '../words/understood.ts';
import { type Limited, rankOtherTimes, takeBest } from './best-time.ts';
import { findEvent, moveEvent } from './calendar-event.ts';
import { assertConnected, unlockedSnapshot } from './changeable.ts';
import { reserveChange } from './claim.ts';
import { commitReplacement } from './commits/replacement.ts';
import type { MeetingOperation, RescheduleIntent } from './intents.ts';
import { MeetingChanged, runOperation } from './operation.ts';
import { assertStillFree } from './still-free.ts';

interface Input {
  id: string;
  requestedBy: string;
  reason: string;
  /** Range in which the new time must lie, in epoch milliseconds. */
  within?: Interval | undefined;
  /** The previewed start in epoch milliseconds. If it is set, the meeting may move to no other start. */
  only?: number | undefined;
  idempotency?: IdempotentRequest | undefined;
  /** Warnings about the request that its API answer contains. */
  warnings?: string[] | undefined;
}

const bothPeople = { other: undefined };

interface Candidate {
  slot: Limited<PickedSlot>;
  asked: Asked;
  moving: MovingEvent | undefined;
  /** The meeting as it was when the search for a new time ran. */
  old: Snapshot;
  learnedFrom: string;
  reading: Reading;
}

/**
 * Learns from the reason, then moves the meeting to the best time for both people that fits the reason, under a new id.
 * Serves `POST /v1/meetings/{meeting_id}/reschedule`. Throws `meeting_not_found`, `meeting_busy`, `no_availability`,
 * `user_not_found`, `calendar_*`, and `invalid_*` naming the field.
 */
export async function rescheduleMeeting(ctx: Ctx, platform: Platform, input: Input) {
  assertAhead(ctx, input);
  const read = readingOnce(ctx, input.reason);
  return takeBest(ctx, {
    search: () => findCandidates(ctx, platform, input, read),
    take: (candidate) => moveTo(ctx, platform, input, candidate),
    tooLate: meetingBusy,
  });
}

/**
 * Returns the time to which `rescheduleMeeting` would move the meeting now, with the reasoning. Neither learns from the
 * reason nor changes anything. Throws the errors of `rescheduleMeeting`.
 */
export async function previewReschedule(ctx: Ctx, platform: Platform, input: Input) {
  assertAhead(ctx, input);
  const { old, asker } = await movable(ctx, platform, input);
  const reading = readingOnce(ctx, input.reason)(old, asker);
  const { slots, asked, ...found } = await rankOtherTimes(ctx, platform, {
    ...input,
    old,
    asker,
    reading,
    within: input.within,
  });
  const [best] = slots;
  if (best === undefined) throw new InternalError('The search found no times but did not fail.');
  const span = { start: best.start, end: best.start + old.end - old.start };
  return {
    ...span,
    attendees: [old.organizer, old.other],
    reasoning: describePick(best.facts(), asked, true),
    ...describeReading(found.reading),
  };
}

function assertAhead(ctx: Ctx, { within }: Input): void {
  if (within === undefined || within.end > ctx.clock.now()) return;
  throw new AppError('invalid_time', '`preferred_time_range.end` must be in the future.', {
    field: 'preferred_time_range.end',
  });
}

type Read = ReturnType<typeof readingOnce>;

/**
 * Returns a function that reads the reason when it is first called, and then always returns the same reading. However
 * often a request searches, the language model reads its reason once.
 */
function readingOnce(ctx: Ctx, reason: string) {
  let reading: Promise<Reading> | undefined;
  return (old: Snapshot, { email, timeZone }: { email: string; timeZone: string }) => {
    if (!isTimeZone(timeZone)) throw unknownTimeZone(email);
    const asker = { timeZone, now: ctx.clock.now(), oldStart: old.start, oldEnd: old.end };
    reading ??= readReason(ctx, reason, asker).then((read) => {
      const [understood, unread] = [read.wanted.length + read.refused.length + read.moves.length, read.unread.length];
      ctx.log('info', 'a reason was read', { read_by: read.by, understood, not_understood: unread });
      return read;
    });
    return reading;
  };
}

async function findCandidates(ctx: Ctx, platform: Platform, input: Input, read: Read): Promise<Candidate[]> {
  const { id, within, only } = input;
  const { old, asker } = await movable(ctx, platform, input);
  const reading = read(old, asker);
  const learning = reading.then((known) =>
    learnFromReason(ctx, { userId: asker.userId, meetingId: id, reading: known }),
  );
  const ranking = rankOtherTimes(ctx, platform, { id, old, within, asker, reading, learning });
  const [{ changes }, { slots, ...found }] = await Promise.all([learning, ranking]);
  const learnedFrom = describeLearning(changes);
  const taken = slots.filter(({ start }) => only === undefined || start === only);
  if (taken.length === 0)
    throw new AppError('no_availability', 'The previewed time is no longer one of the best. Request a new preview.');
  return taken.map((slot) => ({ slot, ...found, old, learnedFrom }));
}

/**
 * Waits until no writer holds the meeting, then returns it with the attendee who asks to move it. Throws unless both
 * attendees are connected.
 */
async function movable(ctx: Ctx, platform: Platform, { id, requestedBy: email }: Input) {
  const old = await unlockedSnapshot(ctx, platform, id);
  assertConnected(old, bothPeople);
  const [timeZone = '', otherTimeZone = ''] = old.timeZones;
  if (email === old.organizer) return { old, asker: { email, userId: old.organizerId, timeZone } };
  if (email === old.other) return { old, asker: { email, userId: old.otherId, timeZone: otherTimeZone } };
  throw new AppError('invalid_request', '`requested_by` must be one of the attendees of this meeting.', {
    field: 'requested_by',
  });
}

/**
 * Moves the meeting to a chosen slot. Throws `SlotTaken` if the slot was taken meanwhile, and `MeetingChanged` if the
 * meeting changed since the search.
 */
async function moveTo(
  ctx: Ctx,
  platform: Platform,
  { id, idempotency, warnings }: Input,
  { slot, asked, moving, old, learnedFrom, reading }: Candidate,
) {
  const lease = { id, owner: ctx.ids.id('own_') };
  const newId = ctx.ids.id(ID_PREFIX.meeting);
  const span = { start: slot.start, end: slot.start + old.end - old.start };
  const facts = slot.facts();
  const { understood, notUnderstood } = describeReading(reading);
  const kept = {
    understood: understood.map(({ quote, meaning }) => ({ quote, meaning })),
    notUnderstood,
  };
  const operation: MeetingOperation<RescheduleIntent> = {
    lease,
    intent: {
      kind: 'reschedule',
      newId,
      ...span,
      reasoning: describePick(facts, asked),
      fairness: toFairness(facts.fairness?.carried),
      learnedFrom,
      understood,
      notUnderstood,
      warnings,
    },
  };
  const { version } = old;
  const meeting = await reserveChange(ctx, platform, {
    operation,
    idempotency,
    version,
    connected: bothPeople,
    reserve: (now) =>
      insertReplacement(ctx.db, { id: newId, from: lease, ...span, reading: kept, limits: slot.limits, now }),
    refuse: (snapshot) => {
      if (snapshot.version !== version) throw new MeetingChanged();
    },
  });
  const [requester] = meeting.people;
  const caller = { email: requester.email, isKeyed: idempotency !== undefined };
  return runOperation(ctx, operation, caller, async (trace) => {
    const { providerEventId: eventId } = meeting;
    const [found] = await Promise.all([
      findEvent(ctx, requester, eventId),
      assertStillFree(ctx, meeting.people, span, { withBuffers: true, moving }),
    ]);
    const event = await moveEvent(ctx, requester, eventId, span, trace, found);
    return commitReplacement(ctx, operation, meeting, event);
  });
}
