import { claimOverdue, endLease, isMine, type Overdue, releaseMeeting } from '../../schema/meetings/claim-queries.ts';
import { postponeSettlement } from '../../schema/settlements/queries.ts';
import type { Ctx } from '../context.ts';
import { LEASE_MS } from './promise.ts';
import { settleRecheck } from './recheck.ts';
import { settleBooking } from './settle-booking.ts';
import { settleCancel } from './settle-cancel.ts';
import { settleLink } from './settle-link.ts';
import { settleMove } from './settle-move.ts';

const AT_ONCE = 20;
const FIRST_DELAY_MS = 15_000;
const LONGEST_DELAY_MS = 3_600_000;

/** The calendar has not done its part yet; nothing is wrong. */
export class NotYet extends Error {}

type Settler = (ctx: Ctx, owner: string, meeting: Overdue) => Promise<void>;

const SETTLERS: Record<Overdue['kind'], Settler> = {
  book: settleBooking,
  move: settleMove,
  cancel: settleCancel,
  link: settleLink,
  recheck: settleRecheck,
};

/**
 * Finishes or undoes what a writer that went silent had begun on the calendar. A calendar that cannot be asked is
 * asked again later, ever more rarely.
 */
export async function settleOverdue(ctx: Ctx): Promise<void> {
  await settleClaimed(ctx, { limit: AT_ONCE });
}

/** The same for one meeting and at once, for a request that waits for it; nothing when another has it in hand. */
export async function settleMeeting(ctx: Ctx, id: string): Promise<void> {
  await settleClaimed(ctx, { limit: 1, id });
}

async function settleClaimed(ctx: Ctx, which: { limit: number; id?: string }): Promise<void> {
  const owner = ctx.ids.id('own_');
  const now = ctx.clock.now();
  const overdue = await claimOverdue(ctx.db, { owner, now, leaseUntil: now + LEASE_MS, ...which });
  await Promise.all(overdue.map((meeting) => settle(ctx, owner, meeting)));
}

/** Work on a meeting that is itself at rest, and stays open to changes meanwhile. */
const isAfterwards = (kind: Overdue['kind']) => kind === 'link' || kind === 'recheck';

async function settle(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const { id, kind } = meeting;
  try {
    await SETTLERS[kind](ctx, owner, meeting);
  } catch (error) {
    const now = ctx.clock.now();
    if (!(error instanceof NotYet))
      ctx.log('warn', 'work on a calendar is not settled yet', { meeting_id: id, kind, error: String(error) });
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** meeting.attempts);
    await ctx.db.batch([
      postponeSettlement(ctx.db, { meetingId: id, kind, dueAt: now + delay, onlyIf: isMine({ id, owner }) }),
      isAfterwards(kind) ? releaseMeeting(ctx.db, { id, owner }) : endLease(ctx.db, { id, owner, now }),
    ]);
  }
}
