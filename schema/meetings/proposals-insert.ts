import { sql } from 'drizzle-orm';
import {
  connectedUser,
  insertGuest,
  isConnectedTo,
  keepFromErasure,
  knownPerson,
  lockInvited,
  lockPeople,
} from '../access/people.ts';
import { isActive, lockActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import { type Db, orRefuse, refuse } from '../db.ts';
import { meetingPeople, type StoredReading } from '../tables/meetings.ts';
import { proposals, proposalTimes } from '../tables/proposals.ts';
import { insertProposalHolds, type Limits } from './holds.ts';
import { asksFor, lockMoved, type MovedMeeting } from './proposals-accept.ts';
import { isEndedBy } from './proposals-end.ts';
import type { About } from './reserve.ts';

type Row = typeof proposals.$inferSelect;
type Times = 'durationMinutes' | 'expiresAt' | 'expiresInHours' | 'onExpiry';

/**
 * The new proposal offers what the invited person asked for on its page. With `owner`, it was open, and that request
 * ends it in the same batch. With `mostAsks`, it is accepted, and that many such offers are allowed.
 */
type Answered = { id: string; owner: string } | { id: string; mostAsks: number };

export interface NewProposal extends About, Pick<Row, Times | 'id' | 'platformId' | 'requesterName' | 'guestTimeZone'> {
  /** Id and address for the row of the other person, who is not connected. Undefined if they are connected. */
  guest: { id: string; address: string } | undefined;
  times: { id: string; start: number; end: number; reason: string; limits: [Limits, Limits] }[];
  /** Earlier proposal on whose page the invited person asked for the times of this new one. Undefined if there is none. */
  counterOf?: Answered | undefined;
  /** SHA-256 of `token`. */
  tokenHash: string;
  /** Secret token in the URL of the proposal's page, encrypted. */
  token: string;
  /** `isForDecline`: an attendee declined the meeting. Undefined for a new meeting. */
  moves?: (MovedMeeting & { reading: StoredReading | null; isForDecline: boolean }) | undefined;
  /** They count on this platform: for one person, in either place, for a pair, and the hours held of one person. */
  most: { ofPerson: number; ofPair: number; heldHours: number; leastMinutes: number };
  /** In minutes, of the two people. */
  buffers: [number, number];
  now: number;
}

/**
 * Keeps both people from erasure, inserts an unknown guest, and then locks the meeting that moves. An acceptance locks
 * that before the proposal too, so a batch that also ends another proposal does that afterwards. Otherwise the two
 * could deadlock. Refuses as `not_in_hand` if the meeting is no longer as given.
 */
export function beginProposal(db: Db, { platformId, attendees, guest, moves, now }: NewProposal) {
  const kept = keepFromErasure(db, { emails: attendees, platformId });
  const active = lockActive(db, { platformId });
  const moved = moves === undefined ? [] : lockMoved(db, { ...moves, platformId });
  if (guest === undefined) return [active, kept, ...moved] as const;
  const invited = { platformId, email: attendees[1] };
  return [active, lockInvited(db, invited), kept, insertGuest(db, { ...invited, ...guest, now }), ...moved] as const;
}

/**
 * Must follow `beginProposal`. For a guest, they reserve the times for the requester alone. The batch fails as
 * `not_connected`; as `too_many_open` if the two people, or the pair, are in as many open proposals as allowed or these
 * hold too many hours, or if another one moves the same meeting; as `credential_ended` if the platform was suspended;
 * by `holds_no_overlap`, `hold_is_free` or `hold_within_day`; and as `not_in_hand` if the meeting to be moved has
 * changed, if the proposal that this one answers was not ended earlier in the batch, or if other times for its meeting
 * were offered too often.
 */
export function insertProposal(db: Db, { times, attendees, guest, now, counterOf, ...proposal }: NewProposal) {
  const { id: proposalId, platformId, moves } = proposal;
  const person = (email: string) => orRefuse(connectedUser(platformId, email), 'not_connected');
  const invited = { platformId, email: attendees[1] };
  // A proposal to move a meeting goes to the meeting's second attendee, whatever id their address belongs to now.
  const known =
    moves === undefined
      ? knownPerson(invited)
      : sql`(select q.user_id from ${meetingPeople} q where q.meeting_id = ${moves.meetingId} and q.position = 1)`;
  const other =
    guest === undefined
      ? person(attendees[1])
      : sql`(case when ${isConnectedTo(known, platformId)} then ${refuse('not_connected')} else ${known} end)`;
  const movesFrom = moves && sql`tstzrange(${at(moves.start)}, ${at(moves.end)})`;
  const answered = answeredBy(counterOf, moves?.meetingId);
  return [
    db.execute(sql`
      insert into ${proposals} (id, platform_id, requester_id, other_id, requester_email, other_email, requester_name, status,
        duration_minutes, title, description, location, metadata, expires_at, expires_in_hours, on_expiry, token_hash, token,
        moves_meeting_id, moves_from, is_for_decline, reading, guest_time_zone, counter_of, counters, created_at)
      values (${proposalId}, ${platformId}, ${person(attendees[0])}, ${other}, ${attendees[0]}, ${attendees[1]},
        ${proposal.requesterName}, 'open', ${proposal.durationMinutes}, ${proposal.title}, ${proposal.description}, ${proposal.location},
        ${JSON.stringify(proposal.metadata)}::jsonb, ${at(proposal.expiresAt)}, ${proposal.expiresInHours}, ${proposal.onExpiry}, ${proposal.tokenHash}, ${proposal.token},
        ${moves?.meetingId ?? null}, ${movesFrom ?? null}::tstzrange, ${moves?.isForDecline ?? false},
        ${moves?.reading ? JSON.stringify(moves.reading) : null}::jsonb, ${proposal.guestTimeZone}, ${answered.id}, ${answered.counters}, ${at(now)})`),
    db
      .insert(proposalTimes)
      .values(
        times.map(({ id, start, end, reason }, position) => ({
          id,
          proposalId,
          position,
          startsAt: start,
          endsAt: end,
          reason,
          status: 'held' as const,
        })),
      ),
    lockPeople(db, { proposalId }),
    refuseTooMany(db, proposal),
    insertProposalHolds(db, { proposalId, times }),
  ] as const;
}

/** Counts how often in a row other times were asked for. Refuses an answer that may not be given as `not_in_hand`. */
function answeredBy(counterOf: Answered | undefined, movesMeetingId: string | undefined) {
  if (counterOf === undefined) return { id: sql`null`, counters: sql`0` };
  const { id } = counterOf;
  if ('owner' in counterOf)
    return {
      id: sql`case when ${isEndedBy(counterOf)} then ${id}::text else ${refuse('not_in_hand')} end`,
      counters: sql`(select o.counters + 1 from ${proposals} o where o.id = ${id})`,
    };
  const eventId = sql`(select x.provider_event_id from meetings x where x.id = ${movesMeetingId ?? null})`;
  return {
    id: orRefuse(sql`(select o.id from ${proposals} o where o.id = ${id} and o.status = 'accepted')`, 'not_in_hand'),
    counters: sql`(select case when a.asks >= ${counterOf.mostAsks}::int then ${refuse('not_in_hand')}::int else a.asks + 1 end
      from (select ${asksFor(eventId)} as asks) a)`,
  };
}

/** Must follow `lockPeople` and `lockActive`, so that it sees the result of all earlier batches. */
function refuseTooMany(db: Db, { id, most, buffers }: Pick<NewProposal, 'id' | 'most' | 'buffers'>) {
  const open = sql`o.platform_id = n.platform_id and o.status = 'open'`;
  const minutes = (count: number) => sql`make_interval(mins => ${count}::int)`;
  return db.execute(sql`
    select case
      when not ${isActive(sql`n.platform_id`)} then ${refuse('credential_ended')}
      when not ${isConnectedTo(sql`n.requester_id`, sql`n.platform_id`)} then ${refuse('not_connected')}
      when exists (
        select 1 from (values (n.requester_id, ${minutes(buffers[0])}), (n.other_id, ${minutes(buffers[1])})) who (id, buffer), lateral (
          select count(distinct o.id) as proposals, range_agg(tstzrange(
            t.starts_at - who.buffer, greatest(t.ends_at, t.starts_at + ${minutes(most.leastMinutes)}) + who.buffer)) as held
          from ${proposals} o join ${proposalTimes} t on t.proposal_id = o.id and t.status = 'held'
          where ${open} and (o.requester_id = who.id or o.other_id = who.id)) taken
        where taken.proposals > ${most.ofPerson}::int
          or (select sum(upper(h) - lower(h)) from unnest(taken.held) h) > make_interval(hours => ${most.heldHours}::int))
      or (select count(*) from ${proposals} o where ${open}
        and (o.requester_id, o.other_id) in ((n.requester_id, n.other_id), (n.other_id, n.requester_id))) > ${most.ofPair}::int
      then ${refuse('too_many_open')} end
    from ${proposals} n where n.id = ${id}`);
}
