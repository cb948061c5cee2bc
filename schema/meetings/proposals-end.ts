import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { OnExpiry } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { proposals, proposalTimes } from '../tables/proposals.ts';
import { ID_AND_PLATFORM, type Line, listInTurn } from '../tables/turns.ts';
import { deleteProposalHolds } from './holds.ts';

interface Ending {
  id: string;
  platformId: string;
  status: 'declined' | 'countered' | 'withdrawn' | 'expired';
  /** Later statements in the batch check by it that it was this request that ended the proposal. */
  owner: string;
  reason?: string | undefined;
  now: number;
}

export const isEndedBy = ({ id, owner }: { id: string; owner: string }): Guard =>
  sql`exists (select 1 from proposals r where r.id = ${id} and r.owner = ${owner})`;

/**
 * Of several requests at once, only one succeeds. Matches nothing while somebody is accepting the proposal, with
 * `expired` before the expiry, and with `countered` after it.
 */
export function endProposal(db: Db, { id, platformId, status, owner, reason, now }: Ending) {
  const guard = isEndedBy({ id, owner });
  return [
    db
      .update(proposals)
      .set({ status, owner, endedAt: now, reason })
      .where(
        and(
          eq(proposals.id, id),
          eq(proposals.platformId, platformId),
          eq(proposals.status, 'open'),
          isNull(proposals.meetingId),
          status === 'expired' ? lte(proposals.expiresAt, now) : undefined,
          status === 'countered' ? gt(proposals.expiresAt, now) : undefined,
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

/**
 * Each platform's first to expire comes before any platform's second. Suspended platforms are included, because their
 * proposals reserve people's time too.
 */
export function listExpired(db: Db, { onExpiry, ...line }: Line & { onExpiry: OnExpiry }) {
  const now = at(line.now);
  return listInTurn(db, line, {
    table: proposals,
    indexed: sql`w.status = 'open'`,
    where: sql`w.expires_at <= ${now} and w.meeting_id is null and w.on_expiry = ${onExpiry}::text
      and (w.due_at is null or w.due_at <= ${now})`,
    since: sql`w.expires_at`,
    columns: ID_AND_PLATFORM,
  });
}
