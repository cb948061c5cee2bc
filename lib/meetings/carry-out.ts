import { endKeyLease } from '../../schema/idempotency/queries.ts';
import { endLease, type Hold } from '../../schema/meetings/claim-queries.ts';
import { calendarFailure } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { AppError, outcomeUnknown } from '../errors.ts';
import { CalendarError } from '../ports.ts';
import { SlotTaken } from './conflicts.ts';
import { scheduleSecondLook } from './recheck.ts';
import { type Change, undoChange } from './undo-change.ts';

const UNSETTLED = 'The change will be finished or undone within minutes; a retry is safe.';

/** Whether a call that changes the calendar has left; until then nothing there can have changed. */
export interface Trace {
  isSent: boolean;
}

interface Steps<E, A> {
  /** The requester, on whose calendar the event stands. */
  email: string;
  onCalendar: (trace: Trace) => Promise<E>;
  /** Step C; undefined when somebody else holds the meeting by now. */
  confirm: (event: E) => Promise<A | undefined>;
}

/**
 * Steps B and C of a claimed change. A definite refusal of the calendar undoes it; when what the calendar did is not
 * known, the meeting is left for whoever settles it. Throws `calendar_*` and what `onCalendar` throws.
 */
export async function carryOut<E, A>(ctx: Ctx, change: Change, { email, ...steps }: Steps<E, A>): Promise<A> {
  const trace: Trace = { isSent: false };
  let answer: A | undefined;
  try {
    answer = await steps.confirm(await steps.onCalendar(trace));
  } catch (error) {
    if (!mayHaveChanged(error, trace)) {
      await undoChange(ctx, change);
      throw calendarFailure(error, email);
    }
    await handOver(ctx, change);
    throw error instanceof CalendarError ? outcomeUnknown(email, UNSETTLED, error) : error;
  }
  if (answer !== undefined) return answer;
  await scheduleSecondLook(ctx, change, ctx.clock.now());
  throw new AppError('internal_error', 'The change took too long and is being settled; a retry is safe.');
}

function mayHaveChanged(error: unknown, { isSent }: Trace): boolean {
  if (error instanceof CalendarError) return isSent && error.kind === 'unavailable';
  return !(error instanceof AppError || error instanceof SlotTaken);
}

async function handOver(ctx: Ctx, { operation, hold }: { operation: string; hold: Hold }): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.batch([
    endKeyLease(ctx.db, { operation, resourceId: hold.id, now }),
    endLease(ctx.db, { ...hold, now }),
  ]);
}
