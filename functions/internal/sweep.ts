import { endOverdueReauthorizations } from '../../lib/calendars/grants/reauthorization.ts';
import { revokeGrants } from '../../lib/calendars/grants/revoke.ts';
import type { Ctx } from '../../lib/context.ts';
import { sweepJobs } from '../../lib/jobs/job.ts';
import { answerDeclines } from '../../lib/meetings/declined.ts';
import { reconcileOverdue } from '../../lib/meetings/reconcile.ts';
import { sweepCalendars } from '../../lib/meetings/sweep-calendars.ts';
import { deleteOld, eraseEndedUsers } from '../../lib/retention.ts';
import { sweepDeliveries } from '../../lib/webhooks/deliver.ts';
import { BUDGET_MS } from '../../lib/work-off.ts';
import { createContext } from '../context.ts';
import { parseEnv } from '../env.ts';

/**
 * The minute's tick: unfinished bookings and lost messages, until none is left or time is up. A Worker has six connections:
 * four for calendars that may hang, one for revocations that may, and one for everything else in turn, which what is
 * published shares with it, a call at a time. A chore that fails
 * does not keep the next from its turn.
 */
export async function sweep(
  bindings: Record<string, unknown>,
  execution: { waitUntil(work: Promise<unknown>): void },
): Promise<void> {
  const ctx = createContext(parseEnv(bindings), crypto.randomUUID(), (work) => execution.waitUntil(work));
  const until = ctx.clock.now() + BUDGET_MS;
  await Promise.all(CHORES.map((chores) => inTurn(ctx, chores, until)));
}

type Chore = (ctx: Ctx, until: number) => Promise<unknown>;

const CHORES: Record<string, Chore>[] = [
  { reconcileOverdue, answerDeclines },
  { revokeGrants },
  { sweepJobs, sweepDeliveries, sweepCalendars, endOverdueReauthorizations, eraseEndedUsers, deleteOld },
];

async function inTurn(ctx: Ctx, chores: Record<string, Chore>, until: number): Promise<void> {
  for (const [name, chore] of Object.entries(chores))
    await chore(ctx, until).catch((error) => ctx.log('error', 'sweep failed', { chore: name, error }));
}
