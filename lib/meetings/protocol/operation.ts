import { giveQuotaBack } from '../../../schema/access/usage.ts';
import type { Guard, Statement } from '../../../schema/db.ts';
import { returnToBatch, wakeBatch } from '../../../schema/meetings/batches-run.ts';
import {
  abandonReplacement,
  ending,
  finish,
  isFinishedBy,
  whileFailed,
  whileLive,
} from '../../../schema/meetings/finish.ts';
import { deleteHolds, insertOwnHolds, trimHolds } from '../../../schema/meetings/holds.ts';
import { endKeyLease, releaseKey } from '../../../schema/meetings/idempotency.ts';
import { wakeJob } from '../../../schema/meetings/jobs.ts';
import { endLease, isHeldBy } from '../../../schema/meetings/lease.ts';
import { deletePendingOperation, insertAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { returnProposal } from '../../../schema/meetings/proposals-accept.ts';
import { calendarFailure } from '../../calendars/calls.ts';
import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError, outcomeUnknown, StateChanged, waitOf, withOutcome } from '../../kit/errors.ts';
import type { Pair } from '../../person/person.ts';
import { type Intent, keyOf, type MeetingOperation, pendingOf } from './intents.ts';

/** When the lease expires, another process may take over the work. */
export const LEASE_MS = MINUTE;
/** Until then, a call that Tandem gave up waiting for can still reach the calendar. */
export const VERIFY_AFTER_MS = 5 * MINUTE;
/** Tandem then no longer tries to find out whether it reached the calendar, and ends it. */
export const UNKNOWN_AFTER_MS = DAY;

/** Error for a meeting that must not overlap another meeting, but whose time is taken. */
export class SlotTaken extends Error {
  /** Emails of whoever is known not to be free. */
  readonly by: readonly string[];

  constructor(by: readonly string[] = []) {
    super();
    this.by = by;
  }
}

/** Another meeting or proposal reserves the time, perhaps only until its own booking ends. */
export class TimeHeld extends SlotTaken {}

/** One of the two attendees has as many meetings that day as they accept. */
export class DayFull extends SlotTaken {}

/** Error for a meeting, or learned weights of its people, that changed since the caller read them. */
export class MeetingChanged extends StateChanged {}

/** Error for a proposal that has ended, or that another request is accepting. */
export class ProposalTaken extends Error {}

/** The job has a meeting, the batch's meeting is being booked or was cancelled, or another run has taken over. */
export class JobTaken extends Error {}

/** For example, the calendar has no video link yet. The work is retried and does not count as failed. */
export class NotYet extends Error {}

/** Error for work on a calendar to which Tandem has lost access, until the calendar's owner connects it again. */
export class CalendarClosed extends NotYet {}

/** While no changing call was sent, the operation has certainly not changed the calendar. */
export interface Trace {
  requestSent: boolean;
}

export const UNDONE: Record<Intent['kind'], string> = {
  book: 'Nothing was booked.',
  update: 'The meeting is unchanged.',
  cancel: 'The meeting was not cancelled.',
  reschedule: 'The meeting was not moved.',
};

interface Caller {
  /** The first owns the calendar, and error messages name them. */
  people: Pair;
  idempotency?: object | undefined;
}

function unknownEnd({ kind }: Intent, { people: [{ email }], idempotency }: Caller, retryAfterSeconds?: number) {
  const again = `You can safely send the same request again ${waitOf(retryAfterSeconds)}`;
  if (kind !== 'book') return `Tandem will finish or undo the change within minutes. ${again}.`;
  const advice = idempotency
    ? `${again}, with the same Idempotency-Key.`
    : `In a few minutes, look in GET /v1/users/${email}/meetings. Book again only if the meeting is not there.`;
  return `Tandem will finish or undo the booking within minutes. ${advice}`;
}

/**
 * `run` makes the calendar call and then stores the result. A call that the calendar definitely refuses is undone.
 * After one that may have reached the calendar, the lease ends, and the background sweep finds out and finishes or
 * undoes it. If `run` returns undefined, because another process has taken over the meeting, its calendar event is
 * checked at once. Throws `calendar_*`, `internal_error` and the errors of `run`.
 */
export async function runOperation<A>(
  ctx: Ctx,
  operation: MeetingOperation,
  caller: Caller,
  run: (trace: Trace) => Promise<A | undefined>,
): Promise<A> {
  const { intent } = operation;
  const [{ email }] = caller.people;
  const trace: Trace = { requestSent: false };
  let answer: A | undefined;
  try {
    answer = await run(trace);
  } catch (error) {
    if (!mayHaveChanged(error, trace)) {
      await undo(ctx, operation);
      throw withOutcome(calendarFailure(error, email), UNDONE[intent.kind]);
    }
    await handOver(ctx, operation);
    throw error instanceof CalendarError
      ? outcomeUnknown(email, unknownEnd(intent, caller, error.retryAfterSeconds), error)
      : error;
  }
  if (answer !== undefined) return answer;
  await verifyNow(ctx, operation);
  throw new AppError('internal_error', `The request took too long. ${unknownEnd(intent, caller)}`);
}

/** The operation is then not undone, and the background sweep checks the calendar. */
function mayHaveChanged(error: unknown, { requestSent }: Trace): boolean {
  if (error instanceof CalendarError) return requestSent && error.kind === 'unavailable';
  return !(error instanceof AppError || error instanceof SlotTaken);
}

async function handOver(ctx: Ctx, operation: MeetingOperation): Promise<void> {
  const { lease } = operation;
  const now = ctx.clock.now();
  await ctx.db.batch([
    endLease(ctx.db, { ...lease, now }),
    endKeyLease(ctx.db, { ...keyOf(operation), now, guard: isHeldBy(lease) }),
  ]);
}

/**
 * One batch: `first`, which may take over the lease, the undo, then `also`. The reserved time is freed or goes back to
 * its proposal, and the job or batch runs again. With `verifyAt`, the calendar is checked once more, because a delayed
 * call may still reach it. Returns false if another process has taken over the meeting.
 */
export async function undo(
  ctx: Ctx,
  operation: MeetingOperation,
  { verifyAt, first = [], also = [] }: { verifyAt?: number; first?: Statement[]; also?: Statement[] | undefined } = {},
): Promise<boolean> {
  const { lease, intent } = operation;
  const meetingId = lease.id;
  const now = ctx.clock.now();
  const isBooking = intent.kind === 'book';
  const guard = isFinishedBy(lease);
  const follow = [
    ...(intent.kind === 'book' && intent.proposal ? returnProposal(ctx.db, { meetingId, now, guard }) : []),
    isBooking ? deleteHolds(ctx.db, { meetingId, guard }) : trimHolds(ctx.db, { meetingId, guard }),
    ...(intent.kind === 'reschedule'
      ? [
          ...(intent.proposal ? returnProposal(ctx.db, { meetingId: intent.newId, now, guard }) : []),
          abandonReplacement(ctx.db, { id: intent.newId, from: meetingId, now, guard }),
          deleteHolds(ctx.db, { meetingId: intent.newId, guard }),
        ]
      : []),
    releaseKey(ctx.db, { ...keyOf(operation), guard }),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ...(verifyAt === undefined ? [] : [insertVerification(ctx, operation, verifyAt, guard)]),
    ...(intent.kind === 'book' && intent.job ? [wakeJob(ctx.db, { id: intent.job.jobId, now, guard })] : []),
    ...(intent.kind === 'book' && intent.batch
      ? [returnToBatch(ctx.db, { meetingId, guard }), wakeBatch(ctx.db, { id: intent.batch.batchId, now, guard })]
      : []),
    ...also,
  ];
  const last = [
    ...(isBooking ? [giveQuotaBack(ctx.db, { meetingId, guard })] : []),
    ...(intent.kind === 'update' && intent.usageMonth !== undefined
      ? [giveQuotaBack(ctx.db, { meetingId, month: intent.usageMonth, guard })]
      : []),
  ];
  const end = isBooking ? ending.failed({ now }) : ending.unchanged();
  return (await finish(ctx.db, lease, end, follow, { first, last })) !== undefined;
}

/** A person moved the event in the calendar, so its new time is reserved and the old one freed. */
export const followHolds = (ctx: Ctx, meetingId: string, guard: Guard): Statement[] => [
  insertOwnHolds(ctx.db, { meetingId, guard }),
  trimHolds(ctx.db, { meetingId, guard }),
];

/** Finds an event that a failed booking left behind, or a change that took effect after it was undone. */
async function verifyNow(ctx: Ctx, operation: MeetingOperation): Promise<void> {
  const { id } = operation.lease;
  const guard = operation.intent.kind === 'book' ? whileFailed(id) : whileLive(id);
  await ctx.db.batch([insertVerification(ctx, operation, ctx.clock.now(), guard)]);
}

function insertVerification(ctx: Ctx, { lease, intent }: MeetingOperation, dueAt: number, guard: Guard) {
  const undone = intent.kind === 'book' ? {} : { [lease.owner]: intent };
  return insertAfterwards(ctx.db, {
    meetingId: lease.id,
    kind: 'verify',
    intent: undone,
    dueAt,
    now: ctx.clock.now(),
    guard,
  });
}
