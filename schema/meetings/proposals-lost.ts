import { and, eq, sql } from 'drizzle-orm';
import { isConnectedTo } from '../access/people.ts';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds, proposals, proposalTimes } from '../tables/proposals.ts';
import { ID_AND_PLATFORM, type Line, listInTurn } from '../tables/turns.ts';
import { connections } from '../tables/users.ts';

interface Losing {
  which: Guard;
  now: number;
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
 * A proposal that somebody is accepting stays, and `returnProposal` ends it if the acceptance is undone. The background
 * sweep stores the events.
 */
export const endProposals = (db: Db, { which, now }: Losing) =>
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
