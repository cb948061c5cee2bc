import { sql } from 'drizzle-orm';
import { connectedUser, lockPeople } from '../access/people.ts';
import { at } from '../columns.ts';
import { type Db, orRefuse, refuse } from '../db.ts';
import { meetingPeople, meetings, pendingOperations, type StoredReading } from '../tables/meetings.ts';
import type { Interval } from '../units.ts';
import { type BookedPlace, isPlaceTakenBy, takePlace } from './batches-run.ts';
import { insertHolds, type Limits } from './holds.ts';
import { isRunBy, lockJob } from './jobs.ts';
import type { Lease } from './lease.ts';
import {
  type AcceptedTime,
  claimProposal,
  insertAcceptingPeople,
  isClaimedFor,
  takeOverTime,
} from './proposals-accept.ts';

type Row = typeof meetings.$inferSelect;

export interface About extends Pick<Row, 'title' | 'description' | 'location' | 'metadata'> {
  attendees: [string, string];
}

interface PendingMeeting extends About, Lease, Interval, Pick<Row, 'platformId' | 'providerEventId' | 'usageMonth'> {
  /** Without limits, nothing is checked, and the meeting may overlap others. */
  limits: [Limits, Limits] | undefined;
  job?: { id: string; run: string } | undefined;
  place?: BookedPlace | undefined;
  /** The proposal has already reserved this time, and the meeting takes the reservation over. */
  proposal?: AcceptedTime | undefined;
  /** Stored goal of the booking, with which the background sweep finishes the booking if the request dies. */
  intent: Record<string, unknown>;
  leaseUntil: number;
  now: number;
}

/**
 * Fails as `not_connected` if a person is not connected (the other person of a proposal need not be), as `not_in_hand`
 * if another run has taken over or the proposal cannot be accepted, by `holds_no_overlap` or `hold_is_free` for a taken
 * time, and by `hold_within_day` for a full day.
 */
export function insertPendingMeeting(db: Db, meeting: PendingMeeting) {
  const person = (email: string) => orRefuse(connectedUser(meeting.platformId, email), 'not_connected');
  const { job, place, proposal, platformId, id: meetingId } = meeting;
  const { providerEventId: eventId, intent, leaseUntil, now } = meeting;
  const isExclusive = meeting.limits !== undefined || proposal !== undefined;
  const ofPlace = place && isPlaceTakenBy({ ...place, meetingId });
  const inHand = job ? isRunBy(job) : (ofPlace ?? (proposal && isClaimedFor({ ...proposal, meetingId })));
  const platform =
    inHand === undefined
      ? platformId
      : sql`case when ${inHand} then ${platformId}::text else ${refuse('not_in_hand')} end`;
  return [
    ...(job === undefined ? [] : [lockJob(db, job)]),
    ...(place === undefined ? [] : takePlace(db, { ...place, meetingId })),
    ...(proposal === undefined ? [] : [claimProposal(db, { ...meeting, ...proposal, meetingId })]),
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, metadata, starts_at, ends_at,
        provider_event_id, exclusive, usage_month, job_id, owner, lease_until, created_at, updated_at)
      values (${meeting.id}, ${platform}, ${person(meeting.attendees[0])}, 'pending', ${meeting.title},
        ${meeting.description}, ${meeting.location}, ${JSON.stringify(meeting.metadata)}::jsonb, ${at(meeting.start)}, ${at(meeting.end)}, ${meeting.providerEventId},
        ${isExclusive}, ${meeting.usageMonth}, ${job?.id ?? null}, ${meeting.owner}, ${at(meeting.leaseUntil)}, ${at(meeting.now)}, ${at(meeting.now)})`),
    proposal !== undefined
      ? insertAcceptingPeople(db, { ...meeting, ...proposal, meetingId })
      : db.execute(sql`
      insert into ${meetingPeople} (meeting_id, platform_id, starts_at, user_id, email, position)
      values (${meeting.id}, ${platformId}, ${at(meeting.start)}, (select organizer_id from ${meetings} where id = ${meeting.id}), ${meeting.attendees[0]}, 0),
        (${meeting.id}, ${platformId}, ${at(meeting.start)}, ${person(meeting.attendees[1])}, ${meeting.attendees[1]}, 1)`),
    ...(isExclusive ? [lockPeople(db, { meetingId: meeting.id })] : []),
    ...(proposal === undefined ? [insertHolds(db, meeting)] : takeOverTime(db, { ...meeting, ...proposal, meetingId })),
    // If the request dies, the sweep finishes from this record.
    db
      .insert(pendingOperations)
      .values({ eventId, platformId, kind: 'book', intent, dueAt: leaseUntil, createdAt: now }),
  ] as const;
}

interface Replacement extends Interval {
  id: string;
  /** Lease of the meeting that is replaced, which keeps others from changing it. */
  from: Lease;
  reading: StoredReading;
  /** Buffers and daily limits that the new time must respect, or the proposal that has already reserved this time. */
  time: { limits: [Limits, Limits] } | { proposal: AcceptedTime & { platformId: string; attendees: [string, string] } };
  now: number;
}

/**
 * The lease of the old meeting protects the replacement too. Fails as `insertPendingMeeting` does for its time, and as
 * `not_in_hand` if a proposal's time can no longer be accepted.
 */
export function insertReplacement(db: Db, { id, from, start, end, reading, time, now }: Replacement) {
  const proposal = 'proposal' in time ? time.proposal : undefined;
  const platform =
    proposal === undefined
      ? sql`m.platform_id`
      : sql`case when ${isClaimedFor({ ...proposal, meetingId: id })} then m.platform_id else ${refuse('not_in_hand')} end`;
  // A guest may give another time zone with each acceptance, so the newest one applies.
  const zone =
    proposal === undefined
      ? sql`p.guest_time_zone`
      : sql`case when p.is_guest then coalesce((select r.guest_time_zone from proposals r where r.id = ${proposal.proposalId}), p.guest_time_zone) end`;
  return [
    ...(proposal === undefined ? [] : [claimProposal(db, { ...proposal, meetingId: id, moves: from, now })]),
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, metadata, starts_at, ends_at,
        meet_link, provider_event_id, exclusive, rescheduled_from, reading, created_at, updated_at)
      select ${id}::text, ${platform}, m.organizer_id, 'pending', m.title, m.description, m.location, m.metadata, ${at(start)}, ${at(end)},
        m.meet_link, m.provider_event_id, true, m.id, ${JSON.stringify(reading)}::jsonb, ${at(now)}, ${at(now)}
      from ${meetings} m where m.id = ${from.id} and m.owner = ${from.owner} and m.lease_until is not null`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, platform_id, starts_at, user_id, email, position, is_guest, guest_time_zone)
      select n.id, n.platform_id, n.starts_at, p.user_id, p.email, p.position, p.is_guest, ${zone}
      from ${meetings} n join ${meetingPeople} p on p.meeting_id = n.rescheduled_from where n.id = ${id}`),
    lockPeople(db, { meetingId: id }),
    ...('limits' in time
      ? [insertHolds(db, { id, start, end, limits: time.limits })]
      : takeOverTime(db, { ...time.proposal, meetingId: id, start, end })),
  ];
}
