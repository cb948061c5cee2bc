import { listTaughtByPlatform, type Taught } from '../../../schema/access/learning.ts';
import { toFairness } from '../../../schema/answers/meeting-answers.ts';
import { batch } from '../../../schema/db.ts';
import { attendeesOfMeeting, type Snapshot, selectSnapshot } from '../../../schema/meetings/change.ts';
import { insertReplacement } from '../../../schema/meetings/reserve.ts';
import { loadInBatch, peopleOfBatch } from '../../availability/read-people.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import type { Reading } from '../../engine/wish/reading.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { AppError, hasCode, InternalError, meetingBusy, unknownTimeZone } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import {
  asTaughtBy,
  type Learned,
  type Lesson,
  learnFromReason,
  lessonOf,
  storeLesson,
} from '../../learning/learn-from-reason.ts';
import type { Pair, PersonInZone } from '../../person/person.ts';
import { readReason } from '../../reader/read-text.ts';
import type { Asker as AskerOfText } from '../../reader/wish/wish-of.ts';
import { describePick } from '../../words/reasoning.ts';
import { describeLearning, describeReading, readingWarnings } from '../../words/understood.ts';
import { moveEvent } from '../protocol/calendar-event.ts';
import { assertConnected, reserveChange, unlocked } from '../protocol/claim.ts';
import { commitReplacement } from '../protocol/commit.ts';
import type { IntentOf, MeetingOperation } from '../protocol/intents.ts';
import type { Request } from '../protocol/kept-answer.ts';
import { lengthOf } from '../protocol/meeting.ts';
import { MeetingChanged, runOperation } from '../protocol/operation.ts';
import { rankOtherTimes, takeBest, type WhenUnclear } from './best-time.ts';
import { assertStillFree, nowIs, withoutLimits } from './still-free.ts';

/** A caller asks so to move a meeting, or to propose other times for it. */
export interface Asking extends Request {
  id: string;
  requestedBy: string;
  reason: string;
  within?: Interval | undefined;
  whenUnclear?: WhenUnclear | undefined;
}

interface Input extends Asking {
  /** Start in epoch milliseconds that a preview showed. If set, the meeting moves to this start or not at all. */
  only?: number | undefined;
  /** Version that the meeting must still have, because the caller decided on the basis of that version. */
  version?: number | undefined;
}

const bothPeople = { other: undefined };

type Candidate = Awaited<ReturnType<typeof findToOffer>>[number];

/**
 * Serves `POST /v1/meetings/{meeting_id}/reschedule`. Learns in the batch that reserves the time, or without it if none
 * can be reserved. Throws `meeting_not_found`, `meeting_busy`, `no_availability`, `user_not_found`, `calendar_*`,
 * `invalid_*` naming the field, and `MeetingChanged` for another than the given version.
 */
export async function rescheduleMeeting(ctx: Ctx, platform: PlatformRef, input: Input) {
  assertAhead(ctx, input);
  const read = readingOnce(ctx, input.reason);
  const heard: Heard = { isStored: false };
  try {
    return await takeBest(ctx, {
      search: () => findToMoveAtOnce(ctx, platform, input, read, heard),
      take: async (candidate) => (await moveTo(ctx, platform, input, candidate, heard)).answer,
      tooLate: meetingBusy,
    });
  } catch (error) {
    const { asker, isStored } = heard;
    const isUnclear = hasCode(error, 'reason_unclear');
    if (asker !== undefined && !isStored && !isUnclear) await learn(ctx, asker, input.id, await asker.reading);
    throw error;
  }
}

/** Facts about the reason of a reschedule, which its searches fill in. */
interface Heard {
  /** Attendee who asks for the reschedule, and the reading of their reason. Undefined until the meeting is loaded. */
  asker?: Asker & { reading: Promise<Reading> };
  lesson?: Lesson;
  /** True once the database has the changed weights. */
  isStored: boolean;
}

const NO_LESSON: Lesson = { changes: [], pending: [] };

interface Asker {
  email: string;
  userId: string;
  timeZone: string;
  isGuest: boolean;
}

/** Nothing is stored about a guest's preferences. */
const learn = async (ctx: Ctx, { isGuest, userId }: Asker, meetingId: string, reading: Reading): Promise<Learned> =>
  isGuest ? { changes: [] } : learnFromReason(ctx, { userId, meetingId, reading });

/** Neither learns from the reason nor changes anything. Throws the errors of `rescheduleMeeting`. */
export async function previewReschedule(ctx: Ctx, platform: PlatformRef, input: Input) {
  assertAhead(ctx, input);
  const { old, asker, loaded } = await movable(ctx, platform, input);
  const reading = readingOnce(ctx, input.reason)(writerOf(ctx, old, asker));
  const { slots, asked, ...found } = await rankOtherTimes(ctx, {
    ...input,
    old,
    asker,
    loaded,
    reading,
    within: input.within,
  });
  const [best] = slots;
  if (best === undefined) throw new InternalError('The search found no times but did not fail.');
  const span = { start: best.start, end: best.start + lengthOf(old) };
  return { ...span, old, reasoning: describePick(best.facts(), asked, true), ...describeReading(found.reading) };
}

export const askerPlace = ({ organizer }: Pick<Snapshot, 'organizer'>, email: string): 0 | 1 =>
  email === organizer ? 0 : 1;

/** Throws `invalid_time`. */
export function assertAhead(ctx: Ctx, { within }: Pick<Input, 'within'>): void {
  const now = ctx.clock.now();
  if (within === undefined || within.end > now) return;
  throw new AppError('invalid_time', `\`preferred_time_range.end\` must be in the future. ${nowIs(now)}`, {
    field: 'preferred_time_range.end',
  });
}

export function keptReading(reading: Reading, askedBy: 0 | 1) {
  const { understood, notUnderstood } = describeReading(reading);
  return { understood: understood.map(({ quote, meaning }) => ({ quote, meaning })), notUnderstood, askedBy };
}

type Read = ReturnType<typeof readingOnce>;

/** A request may search several times, and the language model must read its text only once. */
export function readingOnce(ctx: Ctx, text: string, logged = 'a reason was read') {
  let reading: Promise<Reading> | undefined;
  return (asker: AskerOfText): Promise<Reading> => {
    reading ??= readReason(ctx, text, asker).then((read) => {
      const understood = read.wanted.length + read.refused.length + read.moves.length;
      ctx.log('info', logged, { read_by: read.by, understood, not_understood: read.unread.length });
      return read;
    });
    return reading;
  };
}

function writerOf(ctx: Ctx, old: Snapshot, { email, timeZone }: Asker): AskerOfText {
  if (knownZone(timeZone) === undefined) throw unknownTimeZone(email);
  return { timeZone, now: ctx.clock.now(), oldStart: old.start, oldEnd: old.end };
}

/** Learns, and leaves out the times of declined proposals. Throws the errors of `rescheduleMeeting`. */
export async function findToOffer(ctx: Ctx, platform: PlatformRef, input: Input, read: Read) {
  const { old, asker, loaded, taught } = await movable(ctx, platform, input);
  const { slots, learned, ...found } = await rankOtherTimes(ctx, {
    ...{ id: input.id, within: input.within, whenUnclear: input.whenUnclear, old, asker, loaded },
    reading: read(writerOf(ctx, old, asker)),
    learn: (_people, reading) => learn(ctx, asker, input.id, reading),
    notAt: old.declinedStarts,
  });
  const learnedFrom = sayLearnedFrom(taught, input.id, learned);
  return slots.map((slot) => ({ slot, ...found, old, learnedFrom }));
}

const sayLearnedFrom = (taught: Taught[], meetingId: string, learned: Learned | undefined): string =>
  describeLearning(asTaughtBy(taught, { meetingId, changes: learned?.changes ?? [] }));

/** Notes in `heard` what the reason teaches. Throws the errors of `rescheduleMeeting`. */
async function findToMoveAtOnce(ctx: Ctx, platform: PlatformRef, input: Input, read: Read, heard: Heard) {
  const { id, within, whenUnclear, only, version } = input;
  const { old, asker, loaded, taught } = await movable(ctx, platform, input);
  if (version !== undefined && old.version !== version) throw new MeetingChanged();
  const reading = read(writerOf(ctx, old, asker));
  heard.asker = { ...asker, reading };
  const lesson = (people: Pair<PersonInZone>, known: Reading) => {
    const weights = people.find((one) => one.id === asker.userId && !one.isGuest)?.preferences.weights;
    if (weights === undefined) return NO_LESSON;
    return lessonOf(ctx, known, { weights, taught: taught.filter(({ meetingId }) => meetingId === id) });
  };
  const { slots, learned, ...found } = await rankOtherTimes(ctx, {
    ...{ id, within, whenUnclear, old, asker, loaded, reading },
    learn: (people, known) => {
      heard.lesson = lesson(people, known);
      return heard.lesson;
    },
    readsEvent: true,
  });
  const learnedFrom = sayLearnedFrom(taught, id, learned);
  const taken = slots.filter(({ start }) => only === undefined || start === only);
  if (taken.length === 0)
    throw new AppError(
      'no_availability',
      'Nothing was changed, because the time in the preview is no longer one of the best times. Request a new preview.',
    );
  return taken.map((slot) => ({ slot, ...found, old, learnedFrom }));
}

/** Also loads what earlier reasons taught. Throws unless both attendees are connected, or the second is a guest. */
async function movable(ctx: Ctx, platform: PlatformRef, { id, requestedBy: email }: Input) {
  const meeting = { platformId: platform.id, id };
  const { snapshot: old, ...rows } = await unlocked(ctx, id, async () => {
    const { snapshots, ...more } = await batch(ctx.db, {
      snapshots: selectSnapshot(ctx.db, meeting),
      ...loadInBatch(ctx, attendeesOfMeeting(meeting)),
      taught: listTaughtByPlatform(ctx.db, meeting),
    });
    return { snapshot: snapshots[0], ...more };
  });
  const loaded = await peopleOfBatch(ctx, platform, rows);
  const known = (asker: Asker) => {
    const taught = rows.taught.filter(({ userId }) => userId === asker.userId);
    return { loaded, old, asker, taught };
  };
  assertConnected(old, bothPeople);
  const [timeZone = '', otherTimeZone = ''] = old.timeZones;
  const isGuest = old.isOtherGuest;
  if (email === old.organizer) return known({ email, userId: old.organizerId, timeZone, isGuest: false });
  // A guest whose time zone is unknown reads all times on the requester's clock.
  const zone = isGuest && otherTimeZone === '' ? timeZone : otherTimeZone;
  if (email === old.other) return known({ email, userId: old.otherId, timeZone: zone, isGuest });
  throw new AppError(
    'invalid_request',
    '`requested_by` must be the email address of one of the two attendees of this meeting.',
    { field: 'requested_by' },
  );
}

/** Throws `SlotTaken` if the slot was taken, and `MeetingChanged` if the meeting changed since the search. */
async function moveTo(
  ctx: Ctx,
  platform: PlatformRef,
  { id, requestedBy, idempotency, warnings }: Input,
  { slot, asked, moving, event, old, learnedFrom, reading }: Candidate,
  heard: Heard,
) {
  const lease = { id, owner: ctx.ids.id('own_') };
  const newId = ctx.ids.id(ID_PREFIX.meeting);
  const span = { start: slot.start, end: slot.start + lengthOf(old) };
  const facts = slot.facts();
  const { understood, notUnderstood } = describeReading(reading);
  const operation: MeetingOperation<IntentOf<'reschedule'>> = {
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
      warnings: [...(warnings ?? []), ...readingWarnings(reading)],
    },
  };
  const { version } = old;
  const { asker, lesson } = heard;
  // If an earlier slot was reserved and then turned out to be taken, the changed weights are stored already.
  const teach = (now: number) =>
    asker === undefined || lesson === undefined || heard.isStored
      ? []
      : storeLesson(ctx, { userId: asker.userId, meetingId: id, now }, lesson);
  const meeting = await reserveChange(ctx, platform, {
    operation,
    idempotency,
    version,
    connected: bothPeople,
    reserve: (now) => [
      ...insertReplacement(ctx.db, {
        ...{ id: newId, from: lease, ...span, reading: keptReading(reading, askerPlace(old, requestedBy)), now },
        time: { limits: slot.limits },
      }),
      ...teach(now),
    ],
    refuse: (snapshot) => {
      if (snapshot.version !== version) throw new MeetingChanged();
    },
  });
  heard.isStored = true;
  const { people } = meeting;
  return runOperation(ctx, operation, { people, idempotency }, async (trace) => {
    const own = { ...meeting, id: meeting.providerEventId };
    await assertStillFree(ctx, withoutLimits(people, slot.aside), span, { moving, readAt: slot.readAt });
    const moved = await moveEvent(ctx, people[0], own, span, trace, event);
    return commitReplacement(ctx, operation, meeting, moved);
  });
}
