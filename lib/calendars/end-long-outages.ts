import { inOutageSince, listLongOutages } from '../../schema/calendar-accounts/hold-queries.ts';
import type { Ctx } from '../context.ts';
import { endConnections } from './end-connections.ts';

const LONGEST_OUTAGE_MS = 7 * 86_400_000;
const AT_ONCE = 50;

/** Ends the connections of people who did not consent again within seven days. */
export async function endLongOutages(ctx: Ctx): Promise<void> {
  const latest = ctx.clock.now() - LONGEST_OUTAGE_MS;
  const outages = await listLongOutages(ctx.db, { latest, limit: AT_ONCE });
  for (const outage of outages)
    await endConnections(ctx, { ...outage, reason: 'token_expired', when: inOutageSince(latest) });
}
