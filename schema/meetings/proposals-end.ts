import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { isConnectedTo } from '../access/people.ts';
import { isActive } from '../access/platforms.ts';
import type { OnExpiry } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds, proposals, proposalTimes } from '../tables/proposals.ts';
import { ID_AND_PLATFORM, type Line, listInTurn } from '../tables/turns.ts';
import { connections } from '../tables/users.ts';
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
 * Only one of several requests at once succeeds. Matches nothing while somebody is accepting the proposal, with
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

/** Covers suspended platforms too, because their proposals also reserve people's time. */
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

/**
 * Locks always in the same order. An acceptance locks its proposal before its people, so a batch that locks a person's
 * time does that afterwards.
 */
export const lockOpenProposals = (db: Db, which: Guard) =>
  db
    .select({ id: proposals.id })
    .from(proposals)
    .where(and(eq(proposals.status, 'open'), which))
    .orderBy(proposals.id)
    .for('no key update');

/**
 * Callers leave out acceptances in progress (`isIdle`), which `returnProposal` ends if they are undone. The background
 * sweep stores the events.
 */
export const endProposals = (db: Db, { which, now }: { which: Guard; now: number }) =>
  db.execute(sql`
    with ended as (
      update ${proposals} set status = 'withdrawn', ended_at = ${at(now)}, untold = true, meeting_id = null
      where ${proposals.status} = 'open' and ${which} returning ${proposals.id}),
    released as (
      update ${proposalTimes} set status = 'released'
      where ${proposalTimes.status} = 'held' and ${proposalTimes.proposalId} in (select id from ended))
    delete from ${holds} where ${holds.meetingId} is null and ${holds.proposalId} in (select id from ended)`);

export const isIdle = (which: Guard): Guard => sql`${proposals.meetingId} is null and ${which}`;

export const isProposalOf = (userId: string): Guard =>
  sql`(${proposals.requesterId} = ${userId} or ${proposals.otherId} = ${userId})`;

/** The person disconnected from these platforms at this instant. */
export const isLostAt = ({ userId, now }: { userId: string; now: number }): Guard =>
  sql`${isProposalOf(userId)} and exists (
    select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${proposals.platformId} and c.disconnected_at = ${at(now)})`;

export const isOfSuspended = (platformId: string): Guard =>
  sql`${proposals.platformId} = ${platformId} and not ${isActive(sql`${platformId}`)}`;

/** The platform was suspended, the requester is not connected, or the invited person has disconnected since. */
const isLost: Guard = sql`(not ${isActive(sql`proposals.platform_id`)}
  or not ${isConnectedTo(sql`proposals.requester_id`, sql`proposals.platform_id`)}
  or exists (select 1 from ${connections} c where c.user_id = proposals.other_id and c.platform_id = proposals.platform_id
    and c.disconnected_at >= proposals.created_at))`;

/** The meeting accepts the proposal, whose people or platform lost their access. */
export const isLostBy = (meetingId: string): Guard => sql`${proposals.meetingId} = ${meetingId} and ${isLost}`;

/** Their event is not stored yet. The first of each platform comes before any platform's second. */
export const listUntoldEnds = (db: Db, line: Line) =>
  listInTurn(db, line, {
    table: proposals,
    indexed: sql`w.untold`,
    where: sql`w.ended_at <= ${at(line.now)}`,
    since: sql`w.ended_at`,
    columns: ID_AND_PLATFORM,
  });

/** The lock makes sure that its event is stored once. */
export const lockEnded = (db: Db, { id }: { id: string }) =>
  db.select({ id: proposals.id }).from(proposals).where(eq(proposals.id, id)).for('no key update');

export const isUntold = ({ id }: { id: string }): Guard =>
  sql`exists (select 1 from proposals r where r.id = ${id} and r.untold)`;

export const markEndTold = (db: Db, { id }: { id: string }) =>
  db
    .update(proposals)
    .set({ untold: false })
    .where(and(eq(proposals.id, id), eq(proposals.untold, true)))
    .returning({ id: proposals.id });
