import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { jobs } from '../jobs/table.ts';
import { users } from '../users/table.ts';
import { meetingPeople, meetings } from './table.ts';

/** Statement: the zones the two of a platform's meeting live in, the requester's first, as far as they or their calendars say. */
export const listZonesOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ zone: sql<string>`coalesce(${users.preferences} ->> 'timezone', ${users.calendarTimeZone})` })
    .from(meetingPeople)
    .innerJoin(users, eq(users.id, meetingPeople.userId))
    .where(and(eq(meetingPeople.meetingId, meetingId), eq(meetingPeople.platformId, platformId)))
    .orderBy(asc(meetingPeople.position));

/** Statement: the job of a platform that made this meeting, as long as it is kept. */
export const selectJobOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ id: jobs.id, createdAt: jobs.createdAt, completedAt: jobs.completedAt, result: jobs.result })
    .from(jobs)
    .innerJoin(meetings, eq(meetings.jobId, jobs.id))
    .where(and(eq(meetings.id, meetingId), eq(jobs.platformId, platformId)));
