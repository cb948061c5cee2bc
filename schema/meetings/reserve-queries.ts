import { sql } from 'drizzle-orm';
import type { Metadata } from '../api/metadata.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { insertHolds, type Limits } from '../holds/queries.ts';
import { isRunBy, lockJob } from '../jobs/queries.ts';
import { insertPendingOperation } from '../pending-operations/queries.ts';
import { connectedUser, lockPeople } from '../people/queries.ts';
import type { Lease } from './lease-queries.ts';
import { meetingPeople, meetings } from './table.ts';

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
  /** What both people's rules ask of an exclusive meeting; one without them may stand anywhere. */
  limits: [Limits, Limits] | undefined;
  usageMonth: string | null;
  /** The job that makes it, and the run that has the job in hand. */
  job?: { id: string; run: string } | undefined;
  /** What finishing it needs to know. */
  intent: Record<string, unknown>;
  owner: string;
  leaseUntil: number;
  now: number;
}

/**
 * The statements that reserve a meeting. Each fails the batch by constraint: a person who is not connected is a null
 * in `organizer_id` or `user_id`, a job that is in other hands one in `platform_id`, a taken time is
 * `holds_no_overlap` or `hold_is_free`, a full day `hold_within_day`.
 */
export function insertPendingMeeting(db: Db, meeting: PendingMeeting) {
  const person = (email: string) => connectedUser(meeting.platformId, email);
  const { job, platformId } = meeting;
  const isExclusive = meeting.limits !== undefined;
  const platform = job === undefined ? platformId : sql`case when ${isRunBy(job)} then ${platformId}::text end`;
  return [
    ...(job === undefined ? [] : [lockJob(db, job)]),
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, metadata, starts_at, ends_at,
        provider_event_id, exclusive, usage_month, job_id, owner, lease_until, created_at, updated_at)
      values (${meeting.id}, ${platform}, ${person(meeting.attendees[0])}, 'pending', ${meeting.title},
        ${meeting.description}, ${meeting.location}, ${JSON.stringify(meeting.metadata)}::jsonb, ${at(meeting.start)}, ${at(meeting.end)}, ${meeting.providerEventId},
        ${isExclusive}, ${meeting.usageMonth}, ${job?.id ?? null}, ${meeting.owner}, ${at(meeting.leaseUntil)}, ${at(meeting.now)}, ${at(meeting.now)})`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, platform_id, starts_at, user_id, email, position, response_status)
      values (${meeting.id}, ${platformId}, ${at(meeting.start)}, ${person(meeting.attendees[0])}, ${meeting.attendees[0]}, 0, 'accepted'),
        (${meeting.id}, ${platformId}, ${at(meeting.start)}, ${person(meeting.attendees[1])}, ${meeting.attendees[1]}, 1, 'needsAction')`),
    ...(isExclusive ? [lockPeople(db, { meetingId: meeting.id })] : []),
    insertHolds(db, { meetingId: meeting.id, start: meeting.start, end: meeting.end, limits: meeting.limits }),
    insertPendingOperation(db, {
      meetingId: meeting.id,
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
  /** The meeting it takes the place of, in this writer's hands. */
  from: Lease;
  start: number;
  end: number;
  limits: [Limits, Limits];
  now: number;
}

/**
 * Reserves a meeting at another time of the same event, with the same two people; a taken time fails the batch by
 * `holds_no_overlap` or `hold_is_free`, a full day by `hold_within_day`. Its old meeting's lease is its own.
 */
export function insertReplacement(db: Db, { id, from, start, end, limits, now }: Replacement) {
  return [
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, metadata, starts_at, ends_at,
        meet_link, provider_event_id, exclusive, rescheduled_from, created_at, updated_at)
      select ${id}::text, m.platform_id, m.organizer_id, 'pending', m.title, m.description, m.location, m.metadata, ${at(start)}, ${at(end)},
        m.meet_link, m.provider_event_id, true, m.id, ${at(now)}, ${at(now)}
      from ${meetings} m where m.id = ${from.id} and m.owner = ${from.owner} and m.lease_until is not null`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, platform_id, starts_at, user_id, email, position, response_status)
      select n.id, n.platform_id, n.starts_at, p.user_id, p.email, p.position, p.response_status
      from ${meetings} n join ${meetingPeople} p on p.meeting_id = n.rescheduled_from where n.id = ${id}`),
    lockPeople(db, { meetingId: id }),
    insertHolds(db, { meetingId: id, start, end, limits }),
  ];
}
