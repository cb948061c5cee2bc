import { endOverdueReauthorizations } from '../../lib/calendars/grants/end.ts';
import { revokeGrants } from '../../lib/calendars/grants/revoke.ts';
import { sweepJobs } from '../../lib/jobs/job.ts';
import { reconcileOverdue } from '../../lib/meetings/reconcile.ts';
import { retention } from '../../lib/retention.ts';
import { sweepDeliveries } from '../../lib/webhooks/deliver.ts';
import { createContext } from '../context.ts';
import { parseEnv } from '../env.ts';

/** The minute's tick: unfinished bookings and lost messages; one failing does not keep the other from its turn. */
export async function sweep(
  bindings: Record<string, unknown>,
  execution: { waitUntil(work: Promise<unknown>): void },
): Promise<void> {
  const ctx = createContext(parseEnv(bindings), crypto.randomUUID(), (work) => execution.waitUntil(work));
  const chores = {
    reconcileOverdue,
    sweepJobs,
    sweepDeliveries,
    endOverdueReauthorizations,
    revokeGrants,
    ...retention,
  };
  await Promise.all(
    Object.entries(chores).map(([name, chore]) =>
      chore(ctx).catch((error) => ctx.log('error', 'sweep failed', { chore: name, error })),
    ),
  );
}
