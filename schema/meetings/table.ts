import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Metadata } from '../api/metadata.ts';
import { instant, isOneOf } from '../columns.ts';
import { jobs } from '../jobs/table.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';
import { MEETING_STATUSES, type MeetingStatus } from './status.ts';

export type DayParts = [DayPart, DayPart];
type DayPart = 'morning' | 'afternoon' | 'evening';

/** A meeting of two people, made by one platform. */
export const meetings = pgTable(
  'meetings',
  {
    id: text().primaryKey(),
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    organizerId: text('organizer_id')
      .notNull()
      .references(() => users.id),
    status: text().$type<MeetingStatus>().notNull(),
    title: text().notNull(),
    description: text(),
    location: text().notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** The part of the day it starts in on the clock of each of the two, the requester first; set when it is made. */
    dayParts: text('day_parts').array().$type<DayParts>(),
    meetLink: text('meet_link'),
    /** The platform's own pairs. */
    metadata: jsonb().$type<Metadata>().notNull().default({}),
    /** Derived from the first meeting id of the event, so that a retry finds it. */
    providerEventId: text('provider_event_id').notNull(),
    /** Picked by the service or asked to be kept free: never overlaps another meeting. */
    exclusive: boolean().notNull(),
    /** The token of the last writer, who may finish only while `lease_until` is set. */
    owner: text(),
    /** Set while the calendar is being changed; once past, the work may be taken over. */
    leaseUntil: instant('lease_until'),
    /** Rises with every change, so that a stale writer's change matches nothing. */
    version: integer().notNull().default(1),
    /** The UTC month whose quota it took, as `YYYY-MM`; null when it took none. */
    usageMonth: text('usage_month'),
    /** The job that made it, or is at it; one that failed leaves the job to another. */
    jobId: text('job_id').references(() => jobs.id, { onDelete: 'set null' }),
    rescheduledFrom: text('rescheduled_from'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    cancelledAt: instant('cancelled_at'),
    /** One of the two declined, and the platform chose to have that answered; when to try next. */
    declineDueAt: instant('decline_due_at'),
    failedAt: instant('failed_at'),
  },
  (t) => [
    check('meetings_status', isOneOf(t.status, MEETING_STATUSES)),
    check('meetings_times', sql`${t.startsAt} < ${t.endsAt}`),
    check('meetings_failed_at', sql`(${t.status} = 'failed') = (${t.failedAt} is not null)`),
    // No index names the status, nor when the row was changed: a change of those alone touches none.
    // claimDeclined
    index('meetings_declined').on(t.declineDueAt).where(sql`${t.declineDueAt} is not null`),
    // deleteFailedMeetings
    index('meetings_failed').on(t.platformId, t.failedAt).where(sql`${t.failedAt} is not null`),
    // findMeetingOfJob, failJob; deleteOldJobs, whose meetings stay
    uniqueIndex('meetings_one_per_job').on(t.jobId).where(sql`${t.jobId} is not null`),
    // listMeetings
    index('meetings_platform').on(t.platformId, t.startsAt, t.id),
    // countMadeByDay, countAcceptances
    index('meetings_made').on(t.platformId, t.createdAt),
    // What meeting_people_meeting refers to
    unique('meetings_person_key').on(t.id, t.platformId, t.startsAt),
    uniqueIndex('meetings_one_replacement').on(t.rescheduledFrom).where(sql`${t.rescheduledFrom} is not null`),
  ],
);

/** The two people of a meeting, the requester at position 0, with their RSVPs. */
export const meetingPeople = pgTable(
  'meeting_people',
  {
    meetingId: text('meeting_id').notNull(),
    /** The meeting's own, which they follow (`meeting_people_meeting`), so that a person's are found in their order. */
    platformId: text('platform_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    email: text().notNull(),
    position: integer().notNull(),
    responseStatus: text('response_status').$type<'needsAction' | 'accepted' | 'declined' | 'tentative'>().notNull(),
    respondedAt: instant('responded_at'),
  },
  (t) => [
    primaryKey({ name: 'meeting_people_pkey', columns: [t.meetingId, t.userId] }),
    uniqueIndex('meeting_people_position').on(t.meetingId, t.position),
    // listUserMeetings, listMeetingsWith
    index('meeting_people_user').on(t.userId, t.platformId, t.startsAt, t.meetingId),
    foreignKey({
      name: 'meeting_people_meeting',
      columns: [t.meetingId, t.platformId, t.startsAt],
      foreignColumns: [meetings.id, meetings.platformId, meetings.startsAt],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
    check('meeting_people_two', sql`${t.position} in (0, 1)`),
  ],
);
