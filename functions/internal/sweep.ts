import { endOverdueReauthorizations } from '../../lib/calendars/grants/reauthorization.ts';
import { revokeGrants } from '../../lib/calendars/grants/revoke.ts';
import type { Ctx } from '../../lib/kit/context.ts';
import { BUDGET_MS } from '../../lib/kit/work-off.ts';
import {
  answerDeclines,
  bookExpired,
  expireProposals,
  reconcileOverdue,
  sweepCalendars,
  sweepJobs,
} from '../../lib/meetings/index.ts';
import { deleteOld, eraseEndedUsers } from '../../lib/people/account/retention.ts';
import { sweepDeliveries } from '../../lib/webhooks/deliver.ts';
import { createContext } from '../context.ts';
import { parseEnv } from '../env.ts';
import { traceOf } from '../trace.ts';

/**
 * Runs the background sweep, which starts every minute. It resumes unfinished bookings and publishes lost queue
 * messages again, until none is left or time runs out. A Worker has six connections. Calendars may hang, so three
 * connections serve unfinished calendar work, one deals with declined meetings and books the first time of expired
 * proposals that ask for it, and one serves revocations. The sixth does all other chores in turn: it ends the other
 * expired proposals and publishes queue messages, one at a time. A failed chore does not stop the next one.
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
  { reconcileOverdue },
  { answerDeclines, bookExpired },
  { revokeGrants },
  {
    sweepJobs,
    expireProposals,
    sweepDeliveries,
    sweepCalendars,
    endOverdueReauthorizations,
    eraseEndedUsers,
    deleteOld,
  },
];

async function runChores(ctx: Ctx, chores: Record<string, Chore>, until: number): Promise<void> {
  for (const [name, chore] of Object.entries(chores))
    await chore(ctx, until).catch((error) => ctx.log('error', 'sweep failed', { chore: name, error }));
}
