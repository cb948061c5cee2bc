import { sql } from 'drizzle-orm';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { holds } from '../holds/table.ts';
import { isRunBy, lockJob } from '../jobs/run-queries.ts';
import { lockPeople } from '../people/queries.ts';
import { insertSettlement } from '../settlements/queries.ts';
import { settlements } from '../settlements/table.ts';
import { usage } from '../usage/table.ts';
import { users } from '../users/table.ts';
import { type Hold, mine } from './claim-queries.ts';
import { meetingPeople, meetings } from './table.ts';

export interface PendingMeeting {
  id: string;
  platformId: string;
  attendees: [string, string];
  title: string;
  description: string | null;
  location: string;
  start: number;
  end: number;
  providerEventId: string;
  guarded: boolean;
  usageMonth: string | null;
  /** The job that makes it, the run that has the job in hand, and what its end will say. */
  job?: { id: string; run: string; intent: Record<string, unknown> } | undefined;
  owner: string;
  leaseUntil: number;
  now: number;
}

/** The id of the user of this address if they are connected with the platform, else null. */
export const connectedUser = (platformId: string, email: string) => sql`(
    select u.id from ${users} u
    join ${connections} c on c.user_id = u.id and c.platform_id = ${platformId} and c.disconnected_at is null
    join ${calendarAccounts} a on a.user_id = u.id and a.status = 'connected'
    where u.email = ${email})`;

/**
 * The statements that promise a meeting. Each fails the batch by constraint: a person who is not connected is a null
 * in `organizer_id` or `user_id`, a job that is in other hands one in `platform_id`, a taken time is
 * `holds_no_overlap` or `hold_is_free`.
 */
export function insertPendingMeeting(db: Db, meeting: PendingMeeting) {
  const person = (email: string) => connectedUser(meeting.platformId, email);
  const during = sql`tstzrange(${at(meeting.start)}, ${at(meeting.end)})`;
  const { job, platformId } = meeting;
  const platform = job === undefined ? platformId : sql`case when ${isRunBy(job)} then ${platformId}::text end`;
  return [
    ...(job === undefined ? [] : [lockJob(db, job)]),
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, starts_at, ends_at,
        provider_event_id, guarded, usage_month, job_id, owner, lease_until, created_at, updated_at)
      values (${meeting.id}, ${platform}, ${person(meeting.attendees[0])}, 'pending', ${meeting.title},
        ${meeting.description}, ${meeting.location}, ${at(meeting.start)}, ${at(meeting.end)}, ${meeting.providerEventId},
        ${meeting.guarded}, ${meeting.usageMonth}, ${job?.id ?? null}, ${meeting.owner}, ${at(meeting.leaseUntil)}, ${at(meeting.now)}, ${at(meeting.now)})`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, user_id, email, position, response_status)
      values (${meeting.id}, ${person(meeting.attendees[0])}, ${meeting.attendees[0]}, 0, 'accepted'),
        (${meeting.id}, ${person(meeting.attendees[1])}, ${meeting.attendees[1]}, 1, 'needsAction')`),
    ...(meeting.guarded ? [lockPeople(db, { meetingId: meeting.id })] : []),
    db.execute(sql`
      insert into ${holds} (meeting_id, user_id, event_id, during, guarded, conflicts)
      select p.meeting_id, p.user_id, ${meeting.providerEventId}, ${during}, ${meeting.guarded}, (
        select count(*) from ${holds} h
        where h.user_id = p.user_id and h.during && ${during} and h.event_id <> ${meeting.providerEventId})
      from ${meetingPeople} p where p.meeting_id = ${meeting.id} order by p.user_id`),
    insertSettlement(db, {
      meetingId: meeting.id,
      kind: 'book',
      intent: job?.intent,
      dueAt: meeting.leaseUntil,
      now: meeting.now,
    }),
  ] as const;
}

/** The calendar has the event: `pending` becomes `scheduled`, for the owner only. */
export const confirmMeeting = (db: Db, { meetLink, now, ...hold }: Hold & { meetLink: string | null; now: number }) =>
  db
    .update(meetings)
    .set({ status: 'scheduled', meetLink, leaseUntil: null, updatedAt: now })
    .where(mine(hold))
    .returning({ id: meetings.id });

/** The event never came to be: the meeting fails, its time and its quota are free again. */
export function abandonMeeting(db: Db, { now, ...hold }: Hold & { now: number }) {
  return [
    db.execute(sql`
      update ${usage} set used = used - 1 from ${meetings}
      where ${mine(hold)} and ${usage.platformId} = ${meetings.platformId} and ${usage.month} = ${meetings.usageMonth}`),
    db.execute(sql`delete from ${holds} using ${meetings} where ${mine(hold)} and ${holds.meetingId} = ${meetings.id}`),
    db.execute(sql`
      delete from ${settlements} using ${meetings}
      where ${mine(hold)} and ${settlements.meetingId} = ${meetings.id} and ${settlements.kind} = 'book'`),
    db
      .update(meetings)
      .set({ status: 'failed', leaseUntil: null, updatedAt: now })
      .where(mine(hold))
      .returning({ id: meetings.id }),
  ] as const;
}

/** The two people of a meeting, the requester first, whatever became of their connection. */
export const listMeetingPeople = (db: Db, { meetingId }: { meetingId: string }) =>
  db
    .select({
      id: users.id,
      email: meetingPeople.email,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      weights: users.weights,
      status: calendarAccounts.status,
      accessToken: calendarAccounts.accessToken,
      accessExpiresAt: calendarAccounts.accessExpiresAt,
    })
    .from(meetingPeople)
    .innerJoin(users, sql`${users.id} = ${meetingPeople.userId}`)
    .innerJoin(calendarAccounts, sql`${calendarAccounts.userId} = ${users.id}`)
    .where(sql`${meetingPeople.meetingId} = ${meetingId}`)
    .orderBy(meetingPeople.position);
