import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { calendarIsOpen, connectedUser, isConnectedTo, isInvited } from '../access/people.ts';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import { type Db, type Guard, type Guarded, orRefuse, refuse } from '../db.ts';
import { AFTERWARDS, meetings, pendingOperations } from '../tables/meetings.ts';
import { holds, proposals, proposalTimes } from '../tables/proposals.ts';
import { users } from '../tables/users.ts';
import type { Interval } from '../units.ts';
import { conflictsOf } from './holds.ts';
import { isHeldBy, type Lease } from './lease.ts';
import { endProposals, isLostBy } from './proposals-end.ts';

export interface AcceptedTime {
  proposalId: string;
  timeId: string;
  /** False for a request, which must come before the expiry. */
  atExpiry: boolean;
  guest?: GivenByGuest | undefined;
}

export interface GivenByGuest {
  name?: string | undefined;
  timeZone?: string | undefined;
}

export interface Claim extends AcceptedTime {
  platformId: string;
  attendees: [string, string];
  /** Meeting that the accepted time is for: a new one, or the one that replaces the moved meeting. */
  meetingId: string;
  /** Keeps others from changing the meeting that is moved. Undefined for a new meeting. */
  moves?: Lease | undefined;
  now: number;
}

/**
 * Until that meeting is stored or undone, nothing else can end the proposal. Matches nothing if the proposal has ended,
 * expired or is being accepted, if it no longer reserves the time or that has begun, if one of the addresses belongs to
 * another person by now, or if the meeting that it moves has changed.
 */
export const claimProposal = (db: Db, claim: Claim) =>
  db
    .update(proposals)
    .set({ meetingId: claim.meetingId, guestName: claim.guest?.name, guestTimeZone: claim.guest?.timeZone })
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
        sql`exists (select 1 from ${users} u where u.id = ${proposals.otherId}
          and ${isInvited({ platformId: claim.platformId, email: claim.attendees[1] })})`,
        claim.moves === undefined
          ? isNull(proposals.movesFrom)
          : and(eq(proposals.movesMeetingId, claim.moves.id), isMeetingAsBefore, isHeldBy(claim.moves)),
      ),
    );

/** An earlier statement of the batch made the reservation. */
export const isClaimedFor = ({ proposalId, meetingId }: { proposalId: string; meetingId: string }): Guard =>
  sql`exists (select 1 from proposals r where r.id = ${proposalId} and r.status = 'open' and r.meeting_id = ${meetingId})`;

const isOtherConnected = isConnectedTo(sql`r.other_id`, sql`r.platform_id`);

/**
 * Makes the other person a guest of the meeting unless they are connected now. Fails as `not_connected` if the
 * requester is not connected, or if the other person must consent again.
 */
export const insertAcceptingPeople = (
  db: Db,
  { proposalId, meetingId, platformId, attendees, start }: Omit<Claim, 'moves' | 'now'> & Pick<Taking, 'start'>,
) =>
  db.execute(sql`
    insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position, is_guest, guest_time_zone)
    select ${meetingId}::text, r.platform_id, ${at(start)}, people.user_id, people.email, people.position, people.is_guest,
      case when people.is_guest then r.guest_time_zone end
    from ${proposals} r cross join lateral (values
      (0, ${orRefuse(connectedUser(platformId, attendees[0]), 'not_connected')}, ${attendees[0]}, false),
      (1, case when not ${isOtherConnected} or ${calendarIsOpen(sql`r.other_id`)} then r.other_id else ${refuse('not_connected')} end,
        ${attendees[1]}, not ${isOtherConnected})) people (position, user_id, email, is_guest)
    where r.id = ${proposalId}`);

/** Reserves for a person who connected after the offer. Must follow `takeOverHolds`, and fails if the time is taken. */
const holdForOther = (db: Db, { proposalId, meetingId, start, end }: Taking) => {
  const during = sql`tstzrange(${at(start)}, ${at(end)})`;
  return db.execute(sql`
    insert into ${holds} (meeting_id, proposal_id, user_id, event_id, during, exclusive, conflicts)
    select ${meetingId}::text, r.id, r.other_id, e.id, ${during}, true,
      ${conflictsOf({ userId: sql`r.other_id`, during, eventId: sql`e.id` })}
    from ${proposals} r left join meetings m on m.id = r.moves_meeting_id
    cross join lateral (select coalesce(m.provider_event_id, r.id)) e (id)
    where r.id = ${proposalId} and ${isOtherConnected} and not exists (
      select 1 from ${holds} h where h.meeting_id = ${meetingId} and h.user_id = r.other_id)`);
};

type Taking = Interval & { proposalId: string; meetingId: string };

/** Fails by `hold_is_free` if somebody has meanwhile booked over the time. */
const takeOverHolds = (db: Db, { proposalId, meetingId, start, end }: Taking) =>
  db.execute(sql`
    update ${holds} own set meeting_id = ${meetingId},
      conflicts = ${conflictsOf({ userId: sql`own.user_id`, during: sql`own.during`, eventId: sql`own.event_id` })}
    where own.proposal_id = ${proposalId} and own.meeting_id is null and own.during = tstzrange(${at(start)}, ${at(end)})`);

/** Both people's time, each of which was free when it was reserved or must be now. */
export const takeOverTime = (db: Db, taking: Taking) => [takeOverHolds(db, taking), holdForOther(db, taking)];

/** Its acceptance was undone. Gets its time back, but ends if its people or platform lost their access meanwhile. */
export const returnProposal = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) => [
  endProposals(db, { which: sql`${isLostBy(meetingId)} and ${guard}`, now }),
  db
    .update(proposals)
    .set({ meetingId: null })
    .where(and(eq(proposals.meetingId, meetingId), eq(proposals.status, 'open'), guard)),
  db
    .update(holds)
    .set({ meetingId: null })
    .where(
      and(
        eq(holds.meetingId, meetingId),
        sql`exists (select 1 from proposals r where r.id = ${holds.proposalId} and r.status = 'open')`,
        guard,
      ),
    ),
];

type Acceptance = Guarded & Record<'proposalId' | 'timeId' | 'meetingId', string> & { now: number };

/** Belongs in the batch that stores the meeting, which keeps the accepted time. The other times become free. */
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

/** It waits for no link either, and nobody has changed it. */
export async function isBookedWithoutLink(db: Db, { meetingId }: { meetingId: string }): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from meetings m where m.id = ${meetingId} and m.status = 'scheduled' and m.rescheduled_from is null
      and m.meet_link is null and not exists (
        select 1 from ${pendingOperations} o where o.event_id = m.provider_event_id and o.kind = 'link')`);
  return rows.length > 0;
}

/**
 * A person's calendar became busy then or, if `isHeld`, others reserve it. They change nothing unless the proposal is
 * idle, or while an unfinished change of a meeting of its own platform takes the time (`isPassing`), or if nobody else
 * reserves it any more (`isFree`).
 */
export function releaseTime(
  db: Db,
  { proposalId, timeId, isHeld }: Pick<Acceptance, 'proposalId' | 'timeId'> & { isHeld: boolean },
) {
  const isIdle = sql`exists (
    select 1 from proposals r where r.id = ${proposalId} and r.status = 'open' and r.meeting_id is null)`;
  // The other person may have connected since, and then has no time reserved by the proposal.
  const others = sql`from proposal_times t join proposals r on r.id = t.proposal_id
    join holds own on own.proposal_id = r.id and own.meeting_id is null and own.during = tstzrange(t.starts_at, t.ends_at)
    join holds h on h.user_id in (own.user_id, r.other_id) and h.event_id <> own.event_id and h.during && own.during`;
  const isPassing = sql<boolean>`exists (
    select 1 ${others} join pending_operations o on o.event_id = h.event_id and o.kind not in ${AFTERWARDS}
      and o.platform_id = r.platform_id where t.id = ${timeId})`;
  const isOpen = sql<boolean>`(${proposals.status} = 'open' and ${proposals.meetingId} is null)`;
  const isFree = sql<boolean>`(${isHeld} and not exists (select 1 ${others} where t.id = ${timeId}))`;
  return [
    db.select({ isPassing, isFree, isOpen }).from(proposals).where(eq(proposals.id, proposalId)).for('no key update'),
    db
      .update(proposalTimes)
      .set({ status: 'released' })
      .where(
        and(
          eq(proposalTimes.id, timeId),
          eq(proposalTimes.status, 'held'),
          isIdle,
          sql`not ${isPassing} and not ${isFree}`,
        ),
      ),
    db.execute(sql`
      delete from ${holds} own using ${proposalTimes} t
      where t.id = ${timeId} and t.status = 'released' and own.proposal_id = t.proposal_id and own.meeting_id is null
        and own.during = tstzrange(t.starts_at, t.ends_at)`),
  ] as const;
}

/** A calendar could not be reached to book the first time. */
export const postponeProposal = (db: Db, { id, until }: { id: string; until: number }) =>
  db
    .update(proposals)
    .set({ dueAt: until })
    .where(and(eq(proposals.id, id), eq(proposals.status, 'open')));

export type MovedMeeting = Interval & { meetingId: string };

/** It must be live, at its time and with its two people. True for a proposal that books a new meeting. */
export const isMeetingAsBefore: Guard = sql`(proposals.moves_from is null or exists (
  select 1 from meetings m where m.id = proposals.moves_meeting_id and ${isOneOf(sql`m.status`, LIVE_STATUSES)}
    and tstzrange(m.starts_at, m.ends_at) = proposals.moves_from
    and array(select q.user_id from meeting_people q where q.meeting_id = m.id order by q.position)
      = array[proposals.requester_id, proposals.other_id]))`;

/** Refuses as `not_in_hand` unless the meeting is live, has its time, and nobody is changing it. */
export const lockMoved = (db: Db, { platformId, meetingId, start, end }: MovedMeeting & { platformId: string }) => [
  db.select({ id: meetings.id }).from(meetings).where(eq(meetings.id, meetingId)).for('no key update'),
  db.execute(sql`
    select case when not exists (
      select 1 from ${meetings} m where m.id = ${meetingId} and m.platform_id = ${platformId} and m.lease_until is null
        and ${isOneOf(sql`m.status`, LIVE_STATUSES)} and (m.starts_at, m.ends_at) = (${at(start)}, ${at(end)}))
      then ${refuse('not_in_hand')} end`),
];

/** The meeting has ended, or has another time or people by now. The sweep ends the proposal within a minute. */
export const expireMove = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) =>
  db
    .update(proposals)
    .set({ expiresAt: sql`least(${proposals.expiresAt}, ${at(now)})` })
    .where(
      and(eq(proposals.movesMeetingId, meetingId), eq(proposals.status, 'open'), sql`not ${isMeetingAsBefore}`, guard),
    );

/** Counts the proposals to move a meeting of this event that a person asked for at a proposal's page. */
export const asksFor = (eventId: SQL): SQL<number> => sql<number>`(
  select count(*)::int from proposals asked join meetings moved on moved.id = asked.moves_meeting_id
  where moved.provider_event_id = ${eventId} and asked.counter_of is not null)`;

/** The open proposal that moves a meeting, with its page's token, encrypted, and its expiry in epoch milliseconds. */
export const openMoveOf = (meetingId: SQL) => sql<{ id: string; token: string | null; expiresAt: number } | null>`(
  select jsonb_build_object('id', o.id, 'token', o.token, 'expiresAt', round(extract(epoch from o.expires_at) * 1000))
  from proposals o where o.moves_meeting_id = ${meetingId} and o.status = 'open')`;

export async function findOpenMove(db: Db, { meetingId }: { meetingId: string }) {
  const [found] = await db
    .select({ id: proposals.id })
    .from(proposals)
    .where(and(eq(proposals.movesMeetingId, meetingId), eq(proposals.status, 'open')));
  return found;
}
