import type { Guard, Statement } from '../../schema/db.ts';
import { deleteHolds, insertOwnHolds, trimHolds } from '../../schema/holds/queries.ts';
import { endKeyLease, releaseKey } from '../../schema/idempotency/queries.ts';
import { wakeJob } from '../../schema/jobs/queries.ts';
import {
  abandonReplacement,
  ending,
  finish,
  isFinishedBy,
  whileFailed,
  whileLive,
} from '../../schema/meetings/finish-queries.ts';
import { endLease, isHeldBy } from '../../schema/meetings/lease-queries.ts';
import { listMeetingPeople } from '../../schema/meetings/read-queries.ts';
import { deletePendingOperation, insertAfterwards } from '../../schema/pending-operations/queries.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { giveQuotaBack } from '../../schema/usage/queries.ts';
import { calendarFailure } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { AppError, outcomeUnknown, withOutcome } from '../errors.ts';
import { CalendarError } from '../ports.ts';
import { type Intent, keyOf, type Operation, pendingOf } from './intents.ts';

/** How long a writer may be silent before its work may be taken over. */
export const LEASE_MS = 60_000;
/** A call that its sender gave up can reach the calendar this much later. */
export const VERIFY_AFTER_MS = 5 * 60_000;
/** What a calendar that cannot be asked did by then stays unknown, and the operation ends on our side. */
export const UNKNOWN_AFTER_MS = 24 * 3_600_000;
/** How soon after the booking a pending link is looked for. */
export const LINK_RETRY_MS = 5_000;

/** The time of a meeting that must not overlap another is taken. */
export class SlotTaken extends Error {}

/** One of the two takes no more meetings on that day. */
export class DayFull extends SlotTaken {}

/** The meeting is not what it was when it was read. */
export class MeetingChanged extends Error {}

/** The job has a meeting already, or is another run's by now. */
export class JobTaken extends Error {}

/** The calendar has not done its part yet; nothing is wrong. */
export class NotYet extends Error {}

/** The calendar is closed to the platform: its person is waited for. */
export class CalendarClosed extends NotYet {}

/** The two people of a meeting, the requester first. */
export function twoPeople(meetingId: string, people: ConnectedPerson[]): [ConnectedPerson, ConnectedPerson] {
  const [requester, other] = people;
  if (requester === undefined || other === undefined) throw new Error(`meeting ${meetingId} has not two people`);
  return [requester, other];
}

export const peopleOf = async (ctx: Ctx, meetingId: string): Promise<[ConnectedPerson, ConnectedPerson]> =>
  twoPeople(meetingId, await listMeetingPeople(ctx.db, { meetingId }));

/** Whether a call that changes the calendar has left; until then nothing there can have changed. */
export interface Trace {
  requestSent: boolean;
}

/** What callers are told of an operation that was undone. */
const UNDONE: Record<Intent['kind'], string> = {
  book: 'Nothing was booked.',
  update: 'The meeting is as it was.',
  cancel: 'The meeting is not cancelled.',
  reschedule: 'The meeting is where it was.',
};

interface Caller {
  /** Whose calendar it is. */
  email: string;
  /** Whether the request has an idempotency key. */
  isKeyed: boolean;
}

/** What callers are told of an operation whose end is not known. */
function unknownEnd({ kind }: Intent, { email, isKeyed }: Caller): string {
  if (kind !== 'book') return 'The change will be finished or undone within minutes; a retry is safe.';
  const advice = isKeyed
    ? 'a retry with the same Idempotency-Key is safe'
    : `look at GET /v1/users/${email}/meetings before you try again`;
  return `The booking will be finished or undone within minutes; ${advice}.`;
}

/**
 * Runs a reserved operation: the calendar, then the commit, which answers undefined when another writer has the meeting
 * by now. A definite refusal of the calendar undoes it; when what the calendar did is not known, the meeting is handed
 * over to whoever reconciles it. Throws `calendar_*` and what `run` throws.
 */
export async function runOperation<A>(
  ctx: Ctx,
  operation: Operation,
  caller: Caller,
  run: (trace: Trace) => Promise<A | undefined>,
): Promise<A> {
  const { intent } = operation;
  const trace: Trace = { requestSent: false };
  let answer: A | undefined;
  try {
    answer = await run(trace);
  } catch (error) {
    if (!mayHaveChanged(error, trace)) {
      await undo(ctx, operation);
      throw withOutcome(calendarFailure(error, caller.email), UNDONE[intent.kind]);
    }
    await handOver(ctx, operation);
    throw error instanceof CalendarError ? outcomeUnknown(caller.email, unknownEnd(intent, caller), error) : error;
  }
  if (answer !== undefined) return answer;
  await verifyNow(ctx, operation);
  throw new AppError('internal_error', `This took too long. ${unknownEnd(intent, caller)}`);
}

/** After these the calendar may hold what was asked of it; the pending operation stays, and the sweep looks. */
function mayHaveChanged(error: unknown, { requestSent }: Trace): boolean {
  if (error instanceof CalendarError) return requestSent && error.kind === 'unavailable';
  return !(error instanceof AppError || error instanceof SlotTaken);
}

async function handOver(ctx: Ctx, operation: Operation): Promise<void> {
  const { lease } = operation;
  const now = ctx.clock.now();
  await ctx.db.batch([
    endLease(ctx.db, { ...lease, now }),
    endKeyLease(ctx.db, { ...keyOf(operation), now, guard: isHeldBy(lease) }),
  ]);
}

/**
 * All is as it was: a booking failed and took no quota, a changed meeting is as before; what the operation held is free,
 * its key may be used afresh, and its job runs again; `also` goes in with it. With `verifyAt` the calendar is looked at
 * once more then, for a call that reaches it late. False when another writer has the meeting by now.
 */
export async function undo(
  ctx: Ctx,
  operation: Operation,
  { verifyAt, also = [] }: { verifyAt?: number; also?: Statement[] | undefined } = {},
): Promise<boolean> {
  const { lease, intent } = operation;
  const meetingId = lease.id;
  const now = ctx.clock.now();
  const isBooking = intent.kind === 'book';
  const guard = isFinishedBy(lease);
  const finished = await finish(ctx.db, lease, isBooking ? ending.failed({ now }) : ending.unchanged(), [
    ...(isBooking
      ? [giveQuotaBack(ctx.db, { meetingId, guard }), deleteHolds(ctx.db, { meetingId, guard })]
      : [trimHolds(ctx.db, { meetingId, guard })]),
    ...(intent.kind === 'reschedule'
      ? [
          abandonReplacement(ctx.db, { id: intent.newId, from: meetingId, now, guard }),
          deleteHolds(ctx.db, { meetingId: intent.newId, guard }),
        ]
      : []),
    releaseKey(ctx.db, { ...keyOf(operation), guard }),
    deletePendingOperation(ctx.db, { ...pendingOf(operation), guard }),
    ...(verifyAt === undefined ? [] : [insertVerification(ctx, operation, verifyAt, guard)]),
    ...(intent.kind === 'book' && intent.job ? [wakeJob(ctx.db, { id: intent.job.jobId, now, guard })] : []),
    ...also,
  ]);
  return finished !== undefined;
}

/** What a meeting holds becomes the time it has by now, which a person chose in the calendar. */
export const followHolds = (ctx: Ctx, meetingId: string, guard: Guard): Statement[] => [
  insertOwnHolds(ctx.db, { meetingId, guard }),
  trimHolds(ctx.db, { meetingId, guard }),
];

/** The calendar is looked at again: a booking's event that must not stand, a change that may have been undone already. */
async function verifyNow(ctx: Ctx, operation: Operation): Promise<void> {
  const { id } = operation.lease;
  const guard = operation.intent.kind === 'book' ? whileFailed(id) : whileLive(id);
  await ctx.db.batch([insertVerification(ctx, operation, ctx.clock.now(), guard)]);
}

function insertVerification(ctx: Ctx, { lease, intent }: Operation, dueAt: number, guard: Guard) {
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
