import { and, asc, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { isConnectedTo } from '../access/people.ts';
import type { Rows } from '../api/paging.ts';
import type { ProposalStatus, TimeStatus } from '../api/states.ts';
import { at, pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { isCurrent, m, meetings } from '../tables/meetings.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { holds, proposals, proposalTimes } from '../tables/proposals.ts';
import { users } from '../tables/users.ts';
import { asksFor, isMeetingAsBefore, openMoveOf } from './proposals-accept.ts';

const isConnected = (userId: AnyPgColumn) =>
  sql<boolean>`${isConnectedTo(sql`${userId}`, sql`${proposals.platformId}`)}`;

export const proposalColumns = {
  ...pick(proposals, 'id', 'status', 'requesterId', 'requesterEmail', 'otherEmail', 'requesterName'),
  isRequesterConnected: isConnected(proposals.requesterId),
  isOtherConnected: isConnected(proposals.otherId),
  /** True if the invited person was deleted, or no longer has the email address to which the proposal went. */
  isOtherGone: sql<boolean>`not exists (select 1 from ${users} u where u.id = ${proposals.otherId} and u.ended_at is null
    and ${proposals.otherEmail} in (u.email, u.guest_email))`,
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

export type FoundProposal = Awaited<ReturnType<typeof select>>[number];

export const selectProposal = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  select(db).where(and(eq(proposals.id, id), eq(proposals.platformId, platformId)));

export const ofProposal = ({ platformId, id }: { platformId: string; id: string }) => {
  const its = (column: AnyPgColumn) =>
    sql`(select ${column} from ${proposals} where ${proposals.id} = ${id} and ${proposals.platformId} = ${platformId})`;
  const emails: [SQL, SQL] = [its(proposals.requesterEmail), its(proposals.otherEmail)];
  return { pair: { platformId, emails }, movesMeetingId: its(proposals.movesMeetingId) };
};

export interface ProposalFilter {
  status?: ProposalStatus | undefined;
  email?: string | undefined;
}

interface Page extends ProposalFilter, Rows {
  platformId: string;
  /** True to have the next to expire first, of those that are open. By default, the newest come first. */
  byExpiry?: boolean;
}

export const listProposals = (db: Db, { platformId, status, email, byExpiry = false, limit, after }: Page) => {
  const [time, order, follows] = byExpiry
    ? ([proposals.expiresAt, asc, sql.raw('>')] as const)
    : ([proposals.createdAt, desc, sql.raw('<')] as const);
  return select(db)
    .where(
      and(
        eq(proposals.platformId, platformId),
        status === undefined ? undefined : eq(proposals.status, status),
        email === undefined ? undefined : or(eq(proposals.requesterEmail, email), eq(proposals.otherEmail, email)),
        after && sql`(${time}, ${proposals.id}) ${follows} (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(order(time), order(proposals.id))
    .limit(limit);
};

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

/** If the booked meeting was moved since, this is the one at its new time. */
interface MeetingOfPage
  extends Pick<typeof meetings.$inferSelect, 'id' | 'status' | 'title' | 'location' | 'meetLink' | 'version'> {
  start: number;
  end: number;
  eventId: string;
  isStillTheirs: boolean;
  openMove: ReturnType<typeof openMoveOf>['_']['type'];
  /** Number of proposals that offered other times for the meeting because the person at a page asked for them. */
  asks: number;
}

const zoneOf = (userId: SQL) => sql<string>`(
  select coalesce(u.preferences ->> 'timezone', u.calendar_time_zone) from users u where u.id = ${userId})`;

/** The hash is the SHA-256 of the secret token in the page's URL. Undefined if no proposal has it. */
export async function findProposalOfPage(db: Db, { tokenHash }: { tokenHash: string }) {
  const [found] = await db
    .select({
      ...proposalColumns,
      platform: { ...PLATFORM, logoUrl: platforms.logoUrl },
      suspendedAt: platforms.suspendedAt,
      /** The zone is from preferences or calendar; this runtime may not know it. Null without a connection. */
      requesterTimeZone: sql<string | null>`case when ${proposalColumns.isRequesterConnected}
        then ${zoneOf(sql`proposals.requester_id`)} end`,
      /** The zone is from preferences or calendar, or what the guest gave. Null if a guest gave none. */
      otherTimeZone: sql<string | null>`case when ${proposalColumns.isOtherConnected}
        then ${zoneOf(sql`proposals.other_id`)} else proposals.guest_time_zone end`,
      answeredBy: sql<{ id: string; token: string | null } | null>`(
        select jsonb_build_object('id', n.id, 'token', n.token) from proposals n
        where n.counter_of = proposals.id and proposals.status = 'countered')`,
      /** The times of this one were asked for on its page. Its token is encrypted. Null if there is none. */
      askedAt: sql<{ id: string; token: string | null } | null>`(
        select jsonb_build_object('id', o.id, 'token', o.token) from proposals o
        where o.id = proposals.counter_of and o.status = 'accepted')`,
      /** A person asked so for other times on an earlier page, if this proposal is the answer. */
      asked: sql<string | null>`(select o.reason from proposals o where o.id = proposals.counter_of)`,
      meeting: sql<MeetingOfPage | null>`(
        select jsonb_build_object('id', m.id, 'status', m.status, 'title', m.title, 'location', m.location,
          'start', round(extract(epoch from m.starts_at) * 1000), 'end', round(extract(epoch from m.ends_at) * 1000),
          'meetLink', m.meet_link, 'eventId', m.provider_event_id, 'version', m.version,
          'isStillTheirs', exists (
            select 1 from meeting_people p
            where p.meeting_id = m.id and p.position = 1
              and (p.user_id = proposals.other_id or p.email = proposals.other_email)),
          'openMove', ${openMoveOf(sql`m.id`)},
          'asks', ${asksFor(sql`m.provider_event_id`)})
        from meetings b join meetings m on m.provider_event_id = b.provider_event_id and ${isCurrent(m)}
        where b.id = proposals.meeting_id)`,
    })
    .from(proposals)
    .innerJoin(platforms, eq(platforms.id, proposals.platformId))
    .where(eq(proposals.tokenHash, tokenHash));
  return found;
}

export type FoundOfPage = NonNullable<Awaited<ReturnType<typeof findProposalOfPage>>>;
