import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, isOneOf } from '../columns.ts';
import { jobs } from '../jobs/table.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';
import { MEETING_STATUSES, type MeetingStatus } from './status.ts';

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
    meetLink: text('meet_link'),
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
    jobId: text('job_id').references(() => jobs.id, { onDelete: 'set null' }),
    rescheduledFrom: text('rescheduled_from'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    cancelledAt: instant('cancelled_at'),
    /** One of the two declined, and the platform chose to have that answered; when to try next. */
    declineDueAt: instant('decline_due_at'),
  },
  (t) => [
    check('meetings_status', isOneOf(t.status, MEETING_STATUSES)),
    check('meetings_times', sql`${t.startsAt} < ${t.endsAt}`),
    // deleteFailedMeetings
    index('meetings_failed').on(t.platformId, t.updatedAt).where(sql`${t.status} = 'failed'`),
    // deleteOldJobs, whose meetings stay
    index('meetings_job').on(t.jobId).where(sql`${t.jobId} is not null`),
    // claimDeclined
    index('meetings_declined').on(t.declineDueAt).where(sql`${t.declineDueAt} is not null`),
    index('meetings_platform_created').on(t.platformId, t.createdAt),
    uniqueIndex('meetings_one_per_job')
      .on(t.jobId)
      .where(sql`${t.status} not in ('failed', 'rescheduled') and ${t.jobId} is not null`),
    uniqueIndex('meetings_one_replacement').on(t.rescheduledFrom).where(sql`${t.rescheduledFrom} is not null`),
  ],
);

/** The two people of a meeting, the requester at position 0, with their RSVPs. */
export const meetingPeople = pgTable(
  'meeting_people',
  {
    meetingId: text('meeting_id')
      .notNull()
      .references(() => meetings.id, { onDelete: 'cascade' }),
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
    index('meeting_people_user').on(t.userId),
    check('meeting_people_two', sql`${t.position} in (0, 1)`),
  ],
);
