import { type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
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
import { MEETING_STATUSES, type MeetingStatus } from '../api/states.ts';
import { instant, isOneOf, refersTo } from '../columns.ts';
import { jobs } from './batches.ts';
import { platforms } from './platforms.ts';
import { users } from './users.ts';

export interface StoredReading {
  understood: { quote: string; meaning: string }[];
  notUnderstood: string[];
  /** Place of the attendee who asked for the reschedule: 0 for the requester, 1 for the second attendee. */
  askedBy?: 0 | 1;
}

export type DayParts = [DayPart, DayPart];
type DayPart = 'morning' | 'afternoon' | 'evening';

/**
 * Each event has one such meeting. A booked meeting has its event from the start. After a reschedule, the new one takes
 * over the event in the batch that ends the old one.
 */
export const isCurrent = (m: { status: AnyPgColumn | SQL; rescheduledFrom: AnyPgColumn | SQL }): SQL =>
  sql`(${m.status} <> 'rescheduled' and (${m.status} <> 'pending' or ${m.rescheduledFrom} is null))`;

/**
 * The meeting `m` has or had the event of one of these. A reschedule gives an event to another meeting, and a person
 * gives a meeting another event by making it a series. So what was read of an event before is stored for the event that
 * the meeting has now.
 */
export const isOnEventOf = (meetingIds: string[]): SQL =>
  sql`m.provider_event_id in (select own.provider_event_id from meetings own where own.id in ${meetingIds})`;

export const m = { status: sql`m.status`, rescheduledFrom: sql`m.rescheduled_from` };

export const meetings = pgTable(
  'meetings',
  {
    id: text().primaryKey(),
    platformId: refersTo('platform_id', () => platforms.id),
    organizerId: refersTo('organizer_id', () => users.id),
    status: text().$type<MeetingStatus>().notNull(),
    title: text().notNull(),
    description: text(),
    location: text().notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** The requester's is first, each on their own clock. Set when the meeting is booked. */
    dayParts: text('day_parts').array().$type<DayParts>(),
    meetLink: text('meet_link'),
    metadata: jsonb().$type<Metadata>().notNull().default({}),
    /**
     * Derived from the id of the meeting for which the event was created, so that a retry finds it. After a reschedule,
     * the new meeting has the old one's. If that is undone, the new meeting gets an id of its own here, because the
     * event stays with the old one.
     */
    providerEventId: text('provider_event_id').notNull(),
    /**
     * Version tag of the calendar event when Tandem last saw it with the meeting's time. A change of the event under
     * this tag needs no read before it, and is refused if the event has changed since. Null if unknown.
     */
    eventEtag: text('event_etag'),
    /** Tandem chose its time, or the caller asked for a free one. It is refused if it overlaps another meeting. */
    exclusive: boolean().notNull(),
    /** The process that last leased the meeting. It may finish its work only while `lease_until` is set. */
    owner: text(),
    /** After it another process may take over the owner's work. Null if nobody is changing the meeting. */
    leaseUntil: instant('lease_until'),
    /** Rises with every change. A change that is based on an older version then matches no row. */
    version: integer().notNull().default(1),
    /** UTC month whose quota the meeting used, as `YYYY-MM`, or null if it used none. */
    usageMonth: text('usage_month'),
    /** A failed booking clears it, so that the job can create another meeting. */
    jobId: text('job_id').references(() => jobs.id, { onDelete: 'set null' }),
    rescheduledFrom: text('rescheduled_from'),
    /** The meeting came from a reschedule, whose reason this is about. */
    reading: jsonb().$type<StoredReading>(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    cancelledAt: instant('cancelled_at'),
    failedAt: instant('failed_at'),
  },
  (t) => [
    check('meetings_status', isOneOf(t.status, MEETING_STATUSES)),
    // A person can give an event no length in the calendar.
    check('meetings_times', sql`${t.startsAt} <= ${t.endsAt}`),
    check('meetings_failed_at', sql`(${t.status} = 'failed') = (${t.failedAt} is not null)`),
    // No index has the status or the time of the last change, so a change of only those updates none. Index for
    // `isCurrent`, which finds the current meeting of a calendar event.
    index('meetings_event').on(t.providerEventId),
    // Index for `deleteFailedMeetings`.
    index('meetings_failed').on(t.platformId, t.failedAt).where(sql`${t.failedAt} is not null`),
    // Index for `findMeetingOfJob`, `failJob` and `deleteOldJobs`.
    uniqueIndex('meetings_one_per_job').on(t.jobId).where(sql`${t.jobId} is not null`),
    // Index for `hasUpcoming` and `listOnCalendar`.
    index('meetings_organizer').on(t.organizerId, t.endsAt),
    // Index for `listMeetings`.
    index('meetings_platform').on(t.platformId, t.startsAt, t.id),
    // Index for `countMadeByDay` and `countAcceptances`.
    index('meetings_made').on(t.platformId, t.createdAt),
    // Key that the foreign key meeting_people_meeting refers to.
    unique('meetings_person_key').on(t.id, t.platformId, t.startsAt),
    uniqueIndex('meetings_one_replacement').on(t.rescheduledFrom).where(sql`${t.rescheduledFrom} is not null`),
  ],
);

export const SPAN = { start: meetings.startsAt, end: meetings.endsAt };

/** Table of the attendees of meetings, two for each meeting. The requester has position 0. */
export const meetingPeople = pgTable(
  'meeting_people',
  {
    meetingId: text('meeting_id').notNull(),
    /** `meeting_people_meeting` keeps this and `starts_at` as the meeting has them, so that an index sorts by them. */
    platformId: text('platform_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    userId: refersTo('user_id', () => users.id),
    email: text().notNull(),
    position: integer().notNull(),
    /** The meeting can be changed while they are not connected, and it takes none of their time then. */
    isGuest: boolean('is_guest').notNull().default(false),
    guestTimeZone: text('guest_time_zone'),
  },
  (t) => [
    primaryKey({ name: 'meeting_people_pkey', columns: [t.meetingId, t.userId] }),
    uniqueIndex('meeting_people_position').on(t.meetingId, t.position),
    // Index for `listUserMeetings`.
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

/** Kinds of calendar work that change a meeting. The meeting stays locked until the work is finished or undone. */
export const CHANGES = ['book', 'move', 'cancel'] as const;

/** They do not lock the meeting, and run when no change of it is unfinished. */
export const AFTERWARDS = ['link', 'verify'] as const;

export type PendingKind = (typeof CHANGES | typeof AFTERWARDS)[number];

/** The sweep finishes or undoes it. `verify` checks after an undo if a delayed call has reached the calendar. */
export const pendingOperations = pgTable(
  'pending_operations',
  {
    /** The work applies to the meeting that the event belongs to when the work is done. */
    eventId: text('event_id').notNull(),
    kind: text().$type<PendingKind>().notNull(),
    /** The background sweep serves the platforms' work in turn, so that none delays another. */
    platformId: refersTo('platform_id', () => platforms.id),
    /** The goal, from which the background sweep can finish the change without having seen the request. */
    intent: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    dueAt: instant('due_at').notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'pending_operations_pkey', columns: [t.eventId, t.kind] }),
    check('pending_operations_kind', isOneOf(t.kind, [...CHANGES, ...AFTERWARDS])),
    // Index for `listOverdue`.
    index('pending_operations_due').on(t.platformId, t.dueAt),
  ],
);

export const RESPONSES = ['needsAction', 'accepted', 'declined', 'tentative'] as const;
export type Response = (typeof RESPONSES)[number];

/**
 * An answer belongs to the calendar event, because the event stays when a reschedule gives the meeting another id. A
 * person without a row has not answered.
 */
export const eventAnswers = pgTable(
  'event_answers',
  {
    eventId: text('event_id').notNull(),
    userId: refersTo('user_id', () => users.id, { onDelete: 'cascade' }),
    /** The background sweep serves the platforms' declines in turn, so that none delays another. */
    platformId: refersTo('platform_id', () => platforms.id),
    responseStatus: text('response_status').$type<Response>().notNull(),
    respondedAt: instant('responded_at'),
    /** True while a person has taken them off the event in the calendar. */
    removed: boolean().notNull().default(false),
    /** True while the platform has yet to be notified that this person declined the invitation. */
    untold: boolean().notNull(),
    /** Time at which the sweep next deals with this person's decline. Null if nothing is left to do. */
    declineDueAt: instant('decline_due_at'),
  },
  (t) => [
    primaryKey({ name: 'event_answers_pkey', columns: [t.eventId, t.userId] }),
    check('event_answers_response', isOneOf(t.responseStatus, RESPONSES)),
    check(
      'event_answers_declined',
      sql`${t.responseStatus} = 'declined' or (not ${t.untold} and ${t.declineDueAt} is null)`,
    ),
    // Index for `listDeclines`.
    index('event_answers_declines').on(t.platformId, t.declineDueAt).where(sql`${t.declineDueAt} is not null`),
  ],
);
