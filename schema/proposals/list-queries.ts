import { and, desc, eq, or, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { meetings } from '../meetings/table.ts';
import { type ProposalStatus, proposals, proposalTimes, type TimeStatus } from './table.ts';

interface StoredTime {
  id: string;
  /** Start and end of the time, in epoch milliseconds. */
  start: number;
  end: number;
  reason: string;
  status: TimeStatus;
}

const select = (db: Db) =>
  db
    .select({
      id: proposals.id,
      status: proposals.status,
      requesterId: proposals.requesterId,
      otherId: proposals.otherId,
      requesterEmail: proposals.requesterEmail,
      otherEmail: proposals.otherEmail,
      durationMinutes: proposals.durationMinutes,
      title: proposals.title,
      description: proposals.description,
      location: proposals.location,
      metadata: proposals.metadata,
      times: sql<StoredTime[]>`(
        select jsonb_agg(jsonb_build_object('id', t.id, 'start', round(extract(epoch from t.starts_at) * 1000),
          'end', round(extract(epoch from t.ends_at) * 1000), 'reason', t.reason, 'status', t.status) order by t.position)
        from ${proposalTimes} t where t.proposal_id = proposals.id)`,
      expiresAt: proposals.expiresAt,
      onExpiry: proposals.onExpiry,
      reason: proposals.reason,
      meetingId: proposals.meetingId,
      /** End of the lease of the writer that is accepting the proposal, null if nobody is. */
      leaseUntil: sql<number | null>`(select m.lease_until from meetings m where m.id = proposals.meeting_id)`.mapWith(
        meetings.leaseUntil,
      ),
      createdAt: proposals.createdAt,
      endedAt: proposals.endedAt,
    })
    .from(proposals);

export type FoundProposal = Awaited<ReturnType<typeof findProposal>> & object;

/** Finds a platform's proposal with its times. Returns undefined for a proposal of another platform. */
export async function findProposal(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [proposal] = await select(db).where(and(eq(proposals.id, id), eq(proposals.platformId, platformId)));
  return proposal;
}

export interface ProposalFilter {
  status?: ProposalStatus | undefined;
  /** Address of one of the two people. */
  email?: string | undefined;
}

interface Page extends ProposalFilter {
  platformId: string;
  limit: number;
  after: Place | undefined;
}

/** Lists a page of a platform's proposals, newest first, starting after the position of the previous page. */
export const listProposals = (db: Db, { platformId, status, email, limit, after }: Page) =>
  select(db)
    .where(
      and(
        eq(proposals.platformId, platformId),
        status === undefined ? undefined : eq(proposals.status, status),
        email === undefined ? undefined : or(eq(proposals.requesterEmail, email), eq(proposals.otherEmail, email)),
        after && sql`(${proposals.createdAt}, ${proposals.id}) < (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(desc(proposals.createdAt), desc(proposals.id))
    .limit(limit);
