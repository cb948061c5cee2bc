import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { isConnectedTo } from '../access/people.ts';
import type { Place } from '../api/paging.ts';
import type { ProposalStatus, TimeStatus } from '../api/states.ts';
import { at, pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { meetings } from '../tables/meetings.ts';
import { platforms } from '../tables/platforms.ts';
import { holds, proposals, proposalTimes } from '../tables/proposals.ts';
import { users } from '../tables/users.ts';
import { isMeetingAsBefore } from './proposals-move.ts';

const isConnected = (userId: AnyPgColumn) =>
  sql<boolean>`${isConnectedTo(sql`${userId}`, sql`${proposals.platformId}`)}`;

export const proposalColumns = {
  ...pick(proposals, 'id', 'status', 'requesterId', 'requesterEmail', 'otherEmail', 'requesterName'),
  isRequesterConnected: isConnected(proposals.requesterId),
  isOtherConnected: isConnected(proposals.otherId),
  /** True if the invited person was deleted, or no longer has the email address to which the proposal went. */
  isOtherGone: sql<boolean>`not exists (select 1 from ${users} u where u.id = ${proposals.otherId} and u.ended_at is null
    and ${proposals.otherEmail} in (u.email, u.guest_email))`,
  /** True if the invited person was connected to the platform once and is not connected any more. */
  hasOtherLeft: sql<boolean>`not ${isConnected(proposals.otherId)} and exists (
    select 1 from ${users} u where u.id = ${proposals.otherId} and u.guest_of is null)`,
  ...pick(proposals, 'guestName', 'guestTimeZone', 'durationMinutes', 'title', 'description', 'location', 'metadata'),
  times: sql<{ id: string; start: number; end: number; reason: string; status: TimeStatus }[]>`(
    select jsonb_agg(jsonb_build_object('id', t.id, 'start', round(extract(epoch from t.starts_at) * 1000),
      'end', round(extract(epoch from t.ends_at) * 1000), 'reason', t.reason, 'status', t.status) order by t.position)
    from ${proposalTimes} t where t.proposal_id = proposals.id)`,
  ...pick(proposals, 'expiresAt', 'expiresInHours', 'onExpiry', 'reason', 'counterOf', 'counters'),
  ...pick(proposals, 'meetingId', 'movesMeetingId'),
  /** Start of the meeting that the proposal offers to move. Null if it offers times for a new meeting. */
  movedStart: sql<number | null>`(select m.starts_at from meetings m where m.id = proposals.moves_meeting_id)`.mapWith(
    meetings.startsAt,
  ),
  /** False if the meeting that the proposal moves has ended or changed since, so that nothing can be accepted. */
  isMeetingAsBefore: sql<boolean>`${isMeetingAsBefore}`,
  reading: proposals.reading,
  /** Another process accepts the proposal and may change its meeting alone until then. Null if nobody does. */
  leaseUntil: sql<number | null>`(
    select m.lease_until from meetings m where m.id = coalesce(proposals.moves_meeting_id, proposals.meeting_id))`.mapWith(
    meetings.leaseUntil,
  ),
  // The token is encrypted, and null if one of the two people was erased.
  ...pick(proposals, 'createdAt', 'endedAt', 'token'),
};

const select = (db: Db) => db.select(proposalColumns).from(proposals);

export type FoundProposal = Awaited<ReturnType<typeof findProposal>> & object;

export const selectProposal = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  select(db).where(and(eq(proposals.id, id), eq(proposals.platformId, platformId)));

export const ofProposal = ({ platformId, id }: { platformId: string; id: string }) => {
  const its = (column: AnyPgColumn) =>
    sql`(select ${column} from ${proposals} where ${proposals.id} = ${id} and ${proposals.platformId} = ${platformId})`;
  const emails: [SQL, SQL] = [its(proposals.requesterEmail), its(proposals.otherEmail)];
  return { pair: { platformId, emails }, movesMeetingId: its(proposals.movesMeetingId) };
};

/** Returns undefined for a proposal of another platform. */
export async function findProposal(db: Db, of: { platformId: string; id: string }) {
  const [proposal] = await selectProposal(db, of);
  return proposal;
}

export interface ProposalFilter {
  status?: ProposalStatus | undefined;
  email?: string | undefined;
}

interface Page extends ProposalFilter {
  platformId: string;
  limit: number;
  after: Place | undefined;
}

const isWith = (email: string | undefined) =>
  email === undefined ? undefined : or(eq(proposals.requesterEmail, email), eq(proposals.otherEmail, email));

export const listProposals = (db: Db, { platformId, status, email, limit, after }: Page) =>
  select(db)
    .where(
      and(
        eq(proposals.platformId, platformId),
        status === undefined ? undefined : eq(proposals.status, status),
        isWith(email),
        after && sql`(${proposals.createdAt}, ${proposals.id}) < (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(desc(proposals.createdAt), desc(proposals.id))
    .limit(limit);

export const listOpenProposals = (db: Db, { platformId, email, limit, after }: Omit<Page, 'status'>) =>
  select(db)
    .where(
      and(
        eq(proposals.platformId, platformId),
        eq(proposals.status, 'open'),
        isWith(email),
        after && sql`(${proposals.expiresAt}, ${proposals.id}) > (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(asc(proposals.expiresAt), asc(proposals.id))
    .limit(limit);

const startsAt = sql`lower(${holds.during})`;
const instantMs = (instant: typeof startsAt) => sql`extract(epoch from ${instant}) * 1000`.mapWith(Number);

/** Covers all platforms. Those that are free again first come first. */
export const listHeldTimes = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .select({
      proposalId: proposals.id,
      platformId: platforms.id,
      platformName: platforms.name,
      ...pick(proposals, 'requesterId', 'requesterEmail', 'otherEmail', 'expiresAt'),
      start: instantMs(startsAt),
      end: instantMs(sql`upper(${holds.during})`),
    })
    .from(holds)
    .innerJoin(proposals, eq(proposals.id, holds.proposalId))
    .innerJoin(platforms, eq(platforms.id, proposals.platformId))
    .where(and(eq(holds.userId, userId), isNull(holds.meetingId), gt(proposals.expiresAt, now)))
    .orderBy(asc(proposals.expiresAt), asc(proposals.id), asc(startsAt));

export async function findOwnProposal(db: Db, { userId, id }: { userId: string; id: string }) {
  const [proposal] = await db
    .select({ platformId: proposals.platformId, requesterId: proposals.requesterId })
    .from(proposals)
    .where(and(eq(proposals.id, id), or(eq(proposals.requesterId, userId), eq(proposals.otherId, userId))));
  return proposal && { platformId: proposal.platformId, isRequester: proposal.requesterId === userId };
}
