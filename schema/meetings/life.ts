import { and, asc, eq, or, sql } from 'drizzle-orm';
import { isConnectedTo } from '../access/people-guest.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { meetingPeople, meetings } from '../tables/meetings.ts';
import { timeZone, users } from '../tables/users.ts';

/**
 * The requester's is first, from preferences or calendar. Without a connection it is the one that they gave as a guest,
 * or empty.
 */
export const listZonesOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({
      timeZone: sql<string>`case when not ${isConnectedTo(sql`${meetingPeople.userId}`, sql`${meetingPeople.platformId}`)}
        then coalesce(${meetingPeople.guestTimeZone}, '') else ${timeZone} end`,
    })
    .from(meetingPeople)
    .innerJoin(users, eq(users.id, meetingPeople.userId))
    .where(and(eq(meetingPeople.meetingId, meetingId), eq(meetingPeople.platformId, platformId)))
    .orderBy(asc(meetingPeople.position));

/** Returns no row once the job is deleted. */
export const selectJobOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ id: jobs.id, createdAt: jobs.createdAt, completedAt: jobs.completedAt, result: jobs.result })
    .from(jobs)
    .innerJoin(meetings, eq(meetings.jobId, jobs.id))
    .where(and(eq(meetings.id, meetingId), eq(jobs.platformId, platformId)));

export const selectReadingOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ reading: meetings.reading })
    .from(meetings)
    .where(and(eq(meetings.id, meetingId), eq(meetings.platformId, platformId)));

/** Has the meeting that this one replaced, and the one that replaces it. */
export const listReplacedMeetings = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ id: meetings.id, start: meetings.startsAt, end: meetings.endsAt })
    .from(meetings)
    .where(
      and(
        eq(meetings.platformId, platformId),
        or(
          eq(meetings.rescheduledFrom, meetingId),
          sql`${meetings.id} = (select m.rescheduled_from from meetings m where m.id = ${meetingId})`,
        ),
      ),
    );
