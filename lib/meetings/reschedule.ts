import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Snapshot } from '../../schema/meetings/read-queries.ts';
import { insertReplacement } from '../../schema/meetings/reserve-queries.ts';
import type { MovingEvent } from '../calendars/read-busy.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError, InternalError, meetingBusy } from '../errors.ts';
import { ID_PREFIX } from '../ids.ts';
import { learnFromReason } from '../learning/learn-from-reason.ts';
import type { PickedSlot } from '../scheduling/rank-auto.ts';
import type { Interval } from '../scheduling/types.ts';
import type { Asked } from '../wording/asked.ts';
import { describeLearning } from '../wording/learned.ts';
import { describePick } from '../wording/reasoning.ts';
import { type Limited, rankOtherTimes, takeBest, toFairness } from './best-time.ts';
import { findEvent, moveEvent } from './calendar-event.ts';
import { assertConnected, unlockedSnapshot } from './changeable.ts';
import { claim } from './claim.ts';
import { commitReplacement } from './commits/replacement.ts';
import type { Operation, RescheduleIntent } from './intents.ts';
import { MeetingChanged, runOperation } from './operation.ts';
import { assertStillFree } from './still-free.ts';

interface Input {
  id: string;
  requestedBy: string;
  reason: string;
  /** Where the meeting is to lie, epoch milliseconds. */
  within?: Interval | undefined;
  /** The only start to take, in epoch milliseconds: the one that was previewed. */
  only?: number | undefined;
  idempotency?: KeyClaim | undefined;
}

const bothPeople = { other: undefined };

interface Candidate {
  slot: Limited<PickedSlot>;
  asked: Asked;
  moving: MovingEvent | undefined;
  /** The meeting as it was searched for. */
  old: Snapshot;
  learnedFrom: string;
}

/**
 * Learns from the reason, then moves the meeting to the other time of both that the reason asks for, under a new id (`interface.md`, POST
 * /v1/meetings/{meeting_id}/reschedule). Throws `meeting_not_found`, `meeting_busy`, `no_availability`,
 * `user_not_found`, `calendar_*`, and `invalid_*` naming the field.
 */
export async function rescheduleMeeting(ctx: Ctx, platform: Platform, input: Input) {
  assertAhead(ctx, input);
  return takeBest(ctx, {
    search: () => findCandidates(ctx, platform, input),
    take: (candidate) => moveTo(ctx, platform, input, candidate),
    tooLate: meetingBusy,
  });
}

/** Where `rescheduleMeeting` would move the meeting now, and why; nothing is learned or changed. Throws as it does. */
export async function previewReschedule(ctx: Ctx, platform: Platform, input: Input) {
  assertAhead(ctx, input);
  const { old, asker } = await movable(ctx, platform, input);
  const { slots, asked } = await rankOtherTimes(ctx, platform, { ...input, old, asker, within: input.within });
  const [best] = slots;
  if (best === undefined) throw new InternalError('a ranking without times was not refused');
  const span = { start: best.start, end: best.start + old.end - old.start };
  return { ...span, attendees: [old.organizer, old.other], reasoning: describePick(best.facts(), asked, true) };
}

function assertAhead(ctx: Ctx, { within }: Input): void {
  if (within === undefined || within.end > ctx.clock.now()) return;
  throw new AppError('invalid_time', 'preferred_time_range.end must be in the future.', {
    field: 'preferred_time_range.end',
  });
}

async function findCandidates(ctx: Ctx, platform: Platform, input: Input): Promise<Candidate[]> {
  const { id, within, reason, only } = input;
  const { old, asker } = await movable(ctx, platform, input);
  const learning = learnFromReason(ctx, { userId: asker.userId, meetingId: id, reason });
  const ranking = rankOtherTimes(ctx, platform, { id, old, within, asker, reason, learning });
  const [{ changes }, { slots, ...found }] = await Promise.all([learning, ranking]);
  const learnedFrom = describeLearning(changes);
  const taken = slots.filter(({ start }) => only === undefined || start === only);
  if (taken.length === 0)
    throw new AppError('no_availability', 'The previewed time is not among the best any more. Ask for a new preview.');
  return taken.map((slot) => ({ slot, ...found, old, learnedFrom }));
}

/** The meeting as it is, once nobody else has it in hand and both are connected, and which of them asks. */
async function movable(ctx: Ctx, platform: Platform, { id, requestedBy: email }: Input) {
  const old = await unlockedSnapshot(ctx, platform, id);
  assertConnected(old, bothPeople);
  const [timeZone = '', otherTimeZone = ''] = old.timeZones;
  if (email === old.organizer) return { old, asker: { email, userId: old.organizerId, timeZone } };
  if (email === old.other) return { old, asker: { email, userId: old.otherId, timeZone: otherTimeZone } };
  throw new AppError('invalid_request', 'requested_by must be an attendee of the meeting.', { field: 'requested_by' });
}

/** Throws `SlotTaken` when the time was taken meanwhile, `MeetingChanged` when the meeting is not what was searched for. */
async function moveTo(
  ctx: Ctx,
  platform: Platform,
  { id, idempotency }: Input,
  { slot, asked, moving, old, learnedFrom }: Candidate,
) {
  const lease = { id, owner: ctx.ids.id('own_') };
  const newId = ctx.ids.id(ID_PREFIX.meeting);
  const span = { start: slot.start, end: slot.start + old.end - old.start };
  const facts = slot.facts();
  const operation: Operation<RescheduleIntent> = {
    lease,
    intent: {
      kind: 'reschedule',
      newId,
      ...span,
      reasoning: describePick(facts, asked),
      fairness: toFairness(facts),
      learnedFrom,
    },
  };
  const { version } = old;
  const { meeting, people } = await claim(ctx, platform, {
    operation,
    idempotency,
    version,
    connected: bothPeople,
    reserve: (now) => insertReplacement(ctx.db, { id: newId, from: lease, ...span, limits: slot.limits, now }),
    refuse: (snapshot) => {
      if (snapshot.version !== version) throw new MeetingChanged();
    },
  });
  const [requester, other] = people;
  const caller = { email: requester.email, isKeyed: idempotency !== undefined };
  return runOperation(ctx, operation, caller, async (trace) => {
    const { providerEventId: eventId } = meeting;
    const [found] = await Promise.all([
      findEvent(ctx, requester, eventId),
      assertStillFree(ctx, people, span, { withBuffers: true, moving }),
    ]);
    const event = await moveEvent(ctx, requester, eventId, span, trace, found);
    return commitReplacement(ctx, operation, { ...meeting, attendees: [requester.email, other.email], people }, event);
  });
}
