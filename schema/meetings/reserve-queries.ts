import { sql } from 'drizzle-orm';
import type { Metadata } from '../api/metadata.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { insertHolds, type Limits } from '../holds/queries.ts';
import { isRunBy, lockJob } from '../jobs/queries.ts';
import { insertPendingOperation } from '../pending-operations/queries.ts';
import { connectedUser, lockPeople } from '../people/queries.ts';
import { type AcceptedTime, claimProposal, isClaimedFor, takeOverHolds } from '../proposals/accept-queries.ts';
import { orRefuse, refuse } from '../refusals.ts';
import type { Lease } from './lease-queries.ts';
import { meetingPeople, meetings, type StoredReading } from './table.ts';

export interface PendingMeeting {
  id: string;
  platformId: string;
  attendees: [string, string];
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  start: number;
  end: number;
  providerEventId: string;
  /**
   * Each person's buffer and their number of meetings a day, for a meeting that may not overlap others. Without limits,
   * nothing is checked, and the meeting may overlap others.
   */
  limits: [Limits, Limits] | undefined;
  usageMonth: string | null;
  /** Job that creates the meeting, and the run that has leased the job. */
  job?: { id: string; run: string } | undefined;
  /** Time of a proposal that the meeting accepts. The proposal's holds become the meeting's. */
  proposal?: AcceptedTime | undefined;
  /** Facts about the request that the background sweep needs to finish the booking if the request dies. */
  intent: Record<string, unknown>;
  owner: string;
  leaseUntil: number;
  now: number;
}

/**
 * Builds the statements that reserve a new meeting, before its calendar event is created. They refuse the batch as
 * `not_connected` if a person is not connected, and as `not_in_hand` for a job that another run has leased or a
 * proposal that cannot be accepted. A taken time fails the batch by `holds_no_overlap` or `hold_is_free`, and a full day fails it by `hold_within_day`.
 */
export function insertPendingMeeting(db: Db, meeting: PendingMeeting) {
  const person = (email: string) => orRefuse(connectedUser(meeting.platformId, email), 'not_connected');
  const { job, proposal, platformId, id: meetingId } = meeting;
  const isExclusive = meeting.limits !== undefined || proposal !== undefined;
  const inHand = job ? isRunBy(job) : proposal && isClaimedFor({ ...proposal, meetingId });
  const platform =
    inHand === undefined
      ? platformId
      : sql`case when ${inHand} then ${platformId}::text else ${refuse('not_in_hand')} end`;
  return [
    ...(job === undefined ? [] : [lockJob(db, job)]),
    ...(proposal === undefined ? [] : [claimProposal(db, { ...meeting, ...proposal, meetingId })]),
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, metadata, starts_at, ends_at,
        provider_event_id, exclusive, usage_month, job_id, owner, lease_until, created_at, updated_at)
      values (${meeting.id}, ${platform}, ${person(meeting.attendees[0])}, 'pending', ${meeting.title},
        ${meeting.description}, ${meeting.location}, ${JSON.stringify(meeting.metadata)}::jsonb, ${at(meeting.start)}, ${at(meeting.end)}, ${meeting.providerEventId},
        ${isExclusive}, ${meeting.usageMonth}, ${job?.id ?? null}, ${meeting.owner}, ${at(meeting.leaseUntil)}, ${at(meeting.now)}, ${at(meeting.now)})`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, platform_id, starts_at, user_id, email, position)
      values (${meeting.id}, ${platformId}, ${at(meeting.start)}, ${person(meeting.attendees[0])}, ${meeting.attendees[0]}, 0),
        (${meeting.id}, ${platformId}, ${at(meeting.start)}, ${person(meeting.attendees[1])}, ${meeting.attendees[1]}, 1)`),
    ...(isExclusive ? [lockPeople(db, { meetingId: meeting.id })] : []),
    proposal === undefined
      ? insertHolds(db, { meetingId, start: meeting.start, end: meeting.end, limits: meeting.limits })
      : takeOverHolds(db, { ...proposal, meetingId, start: meeting.start, end: meeting.end }),
    insertPendingOperation(db, {
      eventId: meeting.providerEventId,
      platformId,
      kind: 'book',
      intent: meeting.intent,
      dueAt: meeting.leaseUntil,
      now: meeting.now,
    }),
  ] as const;
}

export interface Replacement {
  id: string;
  /** Lease of the old meeting, whose place the replacement takes. */
  from: Lease;
  start: number;
  end: number;
  reading: StoredReading;
  limits: [Limits, Limits];
  now: number;
}

/**
 * Builds the statements that reserve a replacement for a meeting: another meeting at another time, with the calendar
 * event and the two people of the old one. A taken time fails the batch by `holds_no_overlap` or `hold_is_free`, and a
 * full day fails it by `hold_within_day`. The lease of the old meeting covers the replacement too.
 */
export function insertReplacement(db: Db, { id, from, start, end, reading, limits, now }: Replacement) {
  return [
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, metadata, starts_at, ends_at,
        meet_link, provider_event_id, exclusive, rescheduled_from, reading, created_at, updated_at)
      select ${id}::text, m.platform_id, m.organizer_id, 'pending', m.title, m.description, m.location, m.metadata, ${at(start)}, ${at(end)},
        m.meet_link, m.provider_event_id, true, m.id, ${JSON.stringify(reading)}::jsonb, ${at(now)}, ${at(now)}
      from ${meetings} m where m.id = ${from.id} and m.owner = ${from.owner} and m.lease_until is not null`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, platform_id, starts_at, user_id, email, position)
      select n.id, n.platform_id, n.starts_at, p.user_id, p.email, p.position
      from ${meetings} n join ${meetingPeople} p on p.meeting_id = n.rescheduled_from where n.id = ${id}`),
    lockPeople(db, { meetingId: id }),
    insertHolds(db, { meetingId: id, start, end, limits }),
  ];
}
