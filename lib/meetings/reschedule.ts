import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Snapshot } from '../../schema/meetings/read-queries.ts';
import { insertReplacement } from '../../schema/meetings/reserve-queries.ts';
import type { MovingEvent } from '../calendars/read-busy.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError, meetingBusy } from '../errors.ts';
import { ID_PREFIX } from '../ids.ts';
import { learnFromReason } from '../learning/learn-from-reason.ts';
import type { PickedSlot } from '../scheduling/rank-auto.ts';
import type { Interval } from '../scheduling/types.ts';
import type { Asked } from '../wording/asked.ts';
import { describeLearning } from '../wording/learned.ts';
import { describePick } from '../wording/reasoning.ts';
import { type Limited, rankOtherTimes, takeBest, toFairness } from './best-time.ts';
import { moveEvent } from './calendar-event.ts';
import { assertConnected, claim, unlockedSnapshot } from './claim.ts';
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
  const { within } = input;
  if (within !== undefined && within.end <= ctx.clock.now())
    throw new AppError('invalid_time', 'preferred_time_range.end must be in the future.', {
      field: 'preferred_time_range.end',
    });
  return takeBest(ctx, {
    search: () => findCandidates(ctx, platform, input),
    take: (candidate) => moveTo(ctx, platform, input, candidate),
    tooLate: meetingBusy,
  });
}

async function findCandidates(ctx: Ctx, platform: Platform, input: Input): Promise<Candidate[]> {
  const { id, within, requestedBy, reason } = input;
  const old = await unlockedSnapshot(ctx, platform, id);
  assertConnected(old, bothPeople);
  const learnedFrom = describeLearning(await learn(ctx, old, input));
  const { slots, asked, moving } = await rankOtherTimes(ctx, platform, { id, old, within, requestedBy, reason });
  return slots.map((slot) => ({ slot, asked, moving, old, learnedFrom }));
}

function learn(ctx: Ctx, { organizer, organizerId, other, otherId }: Snapshot, { id, requestedBy, reason }: Input) {
  if (requestedBy !== organizer && requestedBy !== other)
    throw new AppError('invalid_request', 'requested_by must be an attendee of the meeting.', {
      field: 'requested_by',
    });
  const userId = requestedBy === organizer ? organizerId : otherId;
  return learnFromReason(ctx, { userId, meetingId: id, reason });
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
    await assertStillFree(ctx, people, span, { withBuffers: true, moving });
    const event = await moveEvent(ctx, requester, meeting.providerEventId, span, trace);
    return commitReplacement(ctx, operation, { ...meeting, attendees: [requester.email, other.email] }, event);
  });
}
