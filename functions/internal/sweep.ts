import { endOverdueReauthorizations } from '../../lib/calendars/grants/end-connections.ts';
import { revokeGrants } from '../../lib/calendars/grants/revoke.ts';
import type { Ctx } from '../../lib/kit/context.ts';
import { BUDGET_MS, workOffInTurns } from '../../lib/kit/work-off.ts';
import * as domain from '../../lib/meetings/index.ts';
import { deleteOld, eraseEndedUsers } from '../../lib/people/account/erase.ts';
import { sweepDeliveries, sweepRedeliveries } from '../../lib/webhooks/deliver.ts';
import { createContext } from '../http/context.ts';
import { parseEnv } from '../http/env.ts';
import { traceOf } from '../http/log.ts';

/**
 * Runs every minute. Finishes unfinished work and puts lost messages on the queue again, until none is left or time
 * runs out. A Worker has six connections, and calls to calendars may hang, so the connections are divided: three serve
 * unfinished calendar work, one serves declined meetings and expired proposals that book their first time, one serves
 * revocations, and one serves all other chores in turn. Those share the time evenly, so that a backlog or a failure of
 * one never keeps the next from starting.
 */
export async function sweep(
  bindings: Record<string, unknown>,
  execution: { waitUntil(work: Promise<unknown>): void },
): Promise<void> {
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  const ctx = createContext(parseEnv(bindings), crypto.randomUUID(), waitUntil, traceOf(execution));
  const until = ctx.clock.now() + BUDGET_MS;
  await Promise.all(CHORES.map((chores) => runChores(ctx, chores, until)));
  await ctx.vitals.noteTick(ctx.clock.now());
}

type Chore = (ctx: Ctx, until: number) => Promise<unknown>;

const CHORES: Record<string, Chore>[] = [
  { reconcileOverdue: domain.reconcileOverdue },
  { workOffAnswers: (ctx, until) => workOffInTurns(ctx, until, [domain.dueDeclines, domain.dueFirstTimes]) },
  { revokeGrants },
  {
    sweepJobs: domain.sweepJobs,
    sweepBatches: domain.sweepBatches,
    expireProposals: domain.expireProposals,
    tellEndedProposals: domain.tellEndedProposals,
    sweepRedeliveries,
    sweepDeliveries,
    sweepCalendars: domain.sweepCalendars,
    endOverdueReauthorizations,
    eraseEndedUsers,
    deleteOld,
  },
];

/** A chore that ends early leaves its time to the others. Those that run out of theirs share what is left at the end. */
async function runChores(ctx: Ctx, chores: Record<string, Chore>, until: number): Promise<void> {
  let due = Object.entries(chores);
  do {
    const cut: typeof due = [];
    for (const [at, [name, chore]] of due.entries()) {
      const now = ctx.clock.now();
      const ownUntil = now + Math.max(0, until - now) / (due.length - at);
      await chore(ctx, ownUntil).catch((error) => ctx.log('error', 'sweep failed', { chore: name, error }));
      if (ctx.clock.now() >= ownUntil) cut.push([name, chore]);
    }
    due = cut;
  } while (due.length > 0 && ctx.clock.now() < until);
}
