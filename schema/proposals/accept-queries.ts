import { and, eq, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds } from '../holds/table.ts';
import { connectedUser } from '../people/queries.ts';
import { proposals, proposalTimes } from './table.ts';

/** A time of a proposal that a booking accepts. */
export interface AcceptedTime {
  proposalId: string;
  timeId: string;
  /** True if the service accepts the time because the proposal has expired, false for a request, which must come before. */
  atExpiry: boolean;
}

interface Claim extends AcceptedTime {
  platformId: string;
  attendees: [string, string];
  meetingId: string;
  now: number;
}

/**
 * Builds a statement that reserves an open proposal for the meeting that accepts one of its held times. Until the
 * meeting is committed or undone, nothing else ends the proposal. It matches nothing if the proposal has ended or
 * expired, if another meeting has it, if the time is not held or has begun, or if the two addresses belong to other
 * people by now.
 */
export const claimProposal = (db: Db, claim: Claim) =>
  db
    .update(proposals)
    .set({ meetingId: claim.meetingId })
    .where(
      and(
        eq(proposals.id, claim.proposalId),
        eq(proposals.platformId, claim.platformId),
        eq(proposals.status, 'open'),
        isNull(proposals.meetingId),
        claim.atExpiry ? undefined : sql`${proposals.expiresAt} > ${at(claim.now)}`,
        sql`exists (select 1 from ${proposalTimes} t where t.id = ${claim.timeId} and t.proposal_id = ${claim.proposalId}
          and t.status = 'held' and t.starts_at > ${at(claim.now)})`,
        sql`${proposals.requesterId} = ${connectedUser(claim.platformId, claim.attendees[0])}`,
        sql`${proposals.otherId} = ${connectedUser(claim.platformId, claim.attendees[1])}`,
      ),
    );

/** Returns an SQL condition that is true if `claimProposal` reserved the proposal for this meeting. */
export const isClaimedFor = ({ proposalId, meetingId }: { proposalId: string; meetingId: string }): Guard =>
  sql`exists (select 1 from proposals r where r.id = ${proposalId} and r.status = 'open' and r.meeting_id = ${meetingId})`;

/**
 * Builds a statement that hands a proposal's holds of a time to the meeting that accepts it. The batch fails by
 * `hold_is_free` if somebody has booked over the held time since.
 */
export const takeOverHolds = (
  db: Db,
  { proposalId, meetingId, start, end }: { proposalId: string; meetingId: string; start: number; end: number },
) =>
  db.execute(sql`
    update ${holds} own set meeting_id = ${meetingId}, conflicts = (
      select count(*) from ${holds} h where h.user_id = own.user_id and h.event_id <> own.event_id and h.during && own.during)
    where own.proposal_id = ${proposalId} and own.meeting_id is null and own.during = tstzrange(${at(start)}, ${at(end)})`);

/**
 * Builds the statements that give a proposal back its time after the meeting that was to accept it was undone. The
 * proposal is open again.
 */
export const returnProposal = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) => [
  db
    .update(proposals)
    .set({ meetingId: null })
    .where(and(eq(proposals.meetingId, meetingId), eq(proposals.status, 'open'), guard)),
  db
    .update(holds)
    .set({ meetingId: null })
    .where(and(eq(holds.meetingId, meetingId), sql`${holds.proposalId} is not null`, guard)),
];

interface Acceptance {
  proposalId: string;
  timeId: string;
  meetingId: string;
  now: number;
  guard: Guard;
}

/**
 * Builds the statements that end a proposal as accepted, in the batch that commits its meeting. The accepted time's
 * holds become the meeting's own, and all other times are free.
 */
export const acceptProposal = (db: Db, { proposalId, timeId, meetingId, now, guard }: Acceptance) => [
  db
    .update(proposals)
    .set({ status: 'accepted', endedAt: now })
    .where(and(eq(proposals.id, proposalId), eq(proposals.meetingId, meetingId), eq(proposals.status, 'open'), guard)),
  db
    .update(proposalTimes)
    .set({ status: sql`case when ${proposalTimes.id} = ${timeId} then 'accepted' else 'released' end` })
    .where(and(eq(proposalTimes.proposalId, proposalId), eq(proposalTimes.status, 'held'), guard)),
  db.delete(holds).where(and(eq(holds.proposalId, proposalId), isNull(holds.meetingId), guard)),
  db.execute(sql`
    update ${holds} own set proposal_id = null, event_id = m.provider_event_id from meetings m
    where m.id = ${meetingId} and own.meeting_id = m.id and own.proposal_id = ${proposalId} and ${guard}`),
];

/**
 * Builds the statements that free one time of an open proposal, because a calendar became busy then. The first locks the
 * proposal. The others change nothing while an acceptance is in progress.
 */
export function releaseTime(db: Db, { proposalId, timeId }: { proposalId: string; timeId: string }) {
  const isIdle = sql`exists (
    select 1 from proposals r where r.id = ${proposalId} and r.status = 'open' and r.meeting_id is null)`;
  return [
    db.select({ id: proposals.id }).from(proposals).where(eq(proposals.id, proposalId)).for('no key update'),
    db
      .update(proposalTimes)
      .set({ status: 'released' })
      .where(and(eq(proposalTimes.id, timeId), eq(proposalTimes.status, 'held'), isIdle)),
    db.execute(sql`
      delete from ${holds} own using ${proposalTimes} t
      where t.id = ${timeId} and t.status = 'released' and own.proposal_id = t.proposal_id and own.meeting_id is null
        and own.during = tstzrange(t.starts_at, t.ends_at)`),
  ] as const;
}

/** Builds a statement that puts off the booking of an expired proposal's first time, because a calendar failed. */
export const postponeProposal = (db: Db, { id, until }: { id: string; until: number }) =>
  db
    .update(proposals)
    .set({ dueAt: until })
    .where(and(eq(proposals.id, id), eq(proposals.status, 'open')));
