import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { deleteProposalHolds } from '../holds/queries.ts';
import { inTurn } from '../turns.ts';
import { type OnExpiry, proposals, proposalTimes } from './table.ts';

interface Ending {
  id: string;
  platformId: string;
  status: 'declined' | 'withdrawn' | 'expired';
  /** Token of the request that ends the proposal, by which later statements of the batch know that it did. */
  owner: string;
  reason?: string | undefined;
  now: number;
}

/** Returns an SQL condition that is true if the request with this token ended the proposal. */
export const isEndedBy = ({ id, owner }: { id: string; owner: string }): Guard =>
  sql`exists (select 1 from proposals r where r.id = ${id} and r.owner = ${owner})`;

/**
 * Builds the statements that end an open proposal and free its times. The first decides: of several requests that end a
 * proposal at once, it matches for one. It matches nothing while an acceptance is in progress, and for `expired` before
 * the proposal expires.
 */
export function endProposal(db: Db, { id, platformId, status, owner, reason, now }: Ending) {
  const guard = isEndedBy({ id, owner });
  return [
    db
      .update(proposals)
      .set({ status, owner, endedAt: now, ...(reason === undefined ? {} : { reason }) })
      .where(
        and(
          eq(proposals.id, id),
          eq(proposals.platformId, platformId),
          eq(proposals.status, 'open'),
          isNull(proposals.meetingId),
          status === 'expired' ? lte(proposals.expiresAt, now) : undefined,
        ),
      )
      .returning({ id: proposals.id }),
    db
      .update(proposalTimes)
      .set({ status: 'released' })
      .where(and(eq(proposalTimes.proposalId, id), eq(proposalTimes.status, 'held'), guard)),
    deleteProposalHolds(db, { proposalId: id, guard }),
  ] as const;
}

interface Line {
  now: number;
  limit: number;
  /** Platforms whose proposals are left out of the list. */
  except: string[];
  onExpiry: OnExpiry;
}

/**
 * Lists open proposals with this effect of their expiry that have expired and that nobody is accepting. Every platform's longest expired proposal comes
 * first, then every platform's second. The proposals of a suspended platform expire too, because they hold people's time.
 */
export async function listExpired(db: Db, { now, limit, except, onExpiry }: Line) {
  const line = inTurn({
    table: sql`${proposals}`,
    tenant: sql`w.platform_id`,
    indexed: except.length === 0 ? sql`w.status = 'open'` : sql`w.status = 'open' and w.platform_id not in ${except}`,
    where: sql`w.expires_at <= ${at(now)} and w.meeting_id is null and w.on_expiry = ${onExpiry}::text
      and (w.due_at is null or w.due_at <= ${at(now)})`,
    since: sql`w.expires_at`,
    columns: sql`w.id, w.platform_id`,
    each: limit,
  });
  const { rows } = await db.execute<{ id: string; platform_id: string }>(sql`
    select line.id, line.platform_id from (${line}) line order by line.place, line.since limit ${limit}::int`);
  return rows.map(({ id, platform_id: platformId }) => ({ id, platformId }));
}
