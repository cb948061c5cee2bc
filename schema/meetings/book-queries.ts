import { sql } from 'drizzle-orm';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { holds } from '../holds/table.ts';
import { settlements } from '../settlements/table.ts';
import { usage } from '../usage/table.ts';
import { users } from '../users/table.ts';
import { meetingPeople, meetings } from './table.ts';

const at = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;

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
  owner: string;
  leaseUntil: number;
  now: number;
}

/**
 * The statements that promise a meeting. Each fails the batch by constraint: a person who is not connected is a null
 * in `organizer_id` or `user_id`, a taken time is `holds_no_overlap` or `hold_is_free`.
 */
export function insertPendingMeeting(db: Db, meeting: PendingMeeting) {
  const person = (email: string) => sql`(
    select u.id from ${users} u
    join ${connections} c on c.user_id = u.id and c.platform_id = ${meeting.platformId} and c.disconnected_at is null
    join ${calendarAccounts} a on a.user_id = u.id and a.status = 'connected'
    where u.email = ${email})`;
  const during = sql`tstzrange(${at(meeting.start)}, ${at(meeting.end)})`;
  return [
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, starts_at, ends_at,
        provider_event_id, guarded, usage_month, owner, lease_until, created_at, updated_at)
      values (${meeting.id}, ${meeting.platformId}, ${person(meeting.attendees[0])}, 'pending', ${meeting.title},
        ${meeting.description}, ${meeting.location}, ${at(meeting.start)}, ${at(meeting.end)}, ${meeting.providerEventId},
        ${meeting.guarded}, ${meeting.usageMonth}, ${meeting.owner}, ${at(meeting.leaseUntil)}, ${at(meeting.now)}, ${at(meeting.now)})`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, user_id, email, position, response_status)
      values (${meeting.id}, ${person(meeting.attendees[0])}, ${meeting.attendees[0]}, 0, 'accepted'),
        (${meeting.id}, ${person(meeting.attendees[1])}, ${meeting.attendees[1]}, 1, 'needsAction')`),
    db.execute(sql`
      insert into ${holds} (meeting_id, user_id, event_id, during, guarded, conflicts)
      select p.meeting_id, p.user_id, ${meeting.providerEventId}, ${during}, ${meeting.guarded}, (
        select count(*) from ${holds} h
        where h.user_id = p.user_id and h.during && ${during} and h.event_id <> ${meeting.providerEventId})
      from ${meetingPeople} p where p.meeting_id = ${meeting.id} order by p.user_id`),
    db
      .insert(settlements)
      .values({ meetingId: meeting.id, kind: 'book', dueAt: meeting.leaseUntil, createdAt: meeting.now }),
  ] as const;
}

/** The calendar has the event: `pending` becomes `scheduled`, for the owner only. */
export const confirmMeeting = (db: Db, input: { id: string; owner: string; meetLink: string | null; now: number }) =>
  db
    .update(meetings)
    .set({ status: 'scheduled', meetLink: input.meetLink, owner: null, leaseUntil: null, updatedAt: input.now })
    .where(sql`${meetings.id} = ${input.id} and ${meetings.status} = 'pending' and ${meetings.owner} = ${input.owner}`)
    .returning({ id: meetings.id });

/** True in a later statement of the same batch exactly when this writer's `confirmMeeting` matched. */
export const confirmedAt = (id: string, now: number) =>
  sql`exists (select 1 from ${meetings} m where m.id = ${id} and m.status = 'scheduled' and m.version = 1 and m.updated_at = ${at(now)})`;

/** The event never came to be: the meeting fails, its time and its quota are free again. */
export function abandonMeeting(db: Db, { id, owner, now }: { id: string; owner: string; now: number }) {
  const mine = sql`${meetings.id} = ${id} and ${meetings.status} = 'pending' and ${meetings.owner} = ${owner}`;
  return [
    db.execute(sql`
      update ${usage} set used = used - 1 from ${meetings}
      where ${mine} and ${usage.platformId} = ${meetings.platformId} and ${usage.month} = ${meetings.usageMonth}`),
    db.execute(sql`delete from ${holds} using ${meetings} where ${mine} and ${holds.meetingId} = ${meetings.id}`),
    db.execute(
      sql`delete from ${settlements} using ${meetings} where ${mine} and ${settlements.meetingId} = ${meetings.id}`,
    ),
    db.execute(sql`
      update ${meetings} set status = 'failed', owner = null, lease_until = null, updated_at = ${at(now)} where ${mine}`),
  ] as const;
}

/** Takes over bookings whose writer went silent; each goes to one sweeper. */
export async function claimOverdueBookings(
  db: Db,
  { owner, now, leaseUntil, limit }: { owner: string; now: number; leaseUntil: number; limit: number },
) {
  return db
    .update(meetings)
    .set({ owner, leaseUntil })
    .where(sql`${meetings.id} in (
      select m.id from ${meetings} m join ${settlements} s on s.meeting_id = m.id and s.kind = 'book'
      where m.status = 'pending' and s.due_at < ${at(now)} and m.lease_until < ${at(now)}
      order by s.due_at limit ${limit} for update of m skip locked)`)
    .returning({
      id: meetings.id,
      platformId: meetings.platformId,
      title: meetings.title,
      description: meetings.description,
      location: meetings.location,
      start: meetings.startsAt,
      end: meetings.endsAt,
      providerEventId: meetings.providerEventId,
    });
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
