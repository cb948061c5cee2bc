import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import {
  BATCH_MEETING_STATES,
  type BATCH_REASONS,
  BATCH_STATUSES,
  type BatchMeetingState,
  type BatchStatus,
} from '../api/states.ts';
import type { EventData } from '../api/webhook-events.ts';
import { instant, isOneOf, refersTo } from '../columns.ts';
import { platforms } from './platforms.ts';

export interface BatchOptions {
  dateRange?: { startDate?: string | undefined; endDate?: string | undefined } | undefined;
  maxPerPerson?: number | undefined;
  maxPerDay?: number | undefined;
}

/** Plan in progress of a batch's times. Only `lib/engine/plan` knows its form. */
export type BatchProgress = object;

/** `relaxations` are changes, such as a shorter meeting, that would open times. `suggestions` advise in sentences. */
export interface BatchReason {
  code: (typeof BATCH_REASONS)[number];
  message: string;
  suggestions: string[];
  relaxations: unknown[];
}

/**
 * Times that suit both people of a meeting, in a short form. Each has its start in minutes since 1970, the product of
 * the ranking multipliers, the comfort, and the day number of the start on each person's clock. `buffers` are the two
 * people's buffers in minutes. `left` says how many more meetings each person accepts on a day, by day number.
 */
export interface PairTimes {
  list: [start: number, product: number, comfort: number, day: number, otherDay: number][];
  buffers: [number, number];
  left: [Record<string, number>, Record<string, number>];
}

export const batches = pgTable(
  'batches',
  {
    id: text().primaryKey(),
    platformId: refersTo('platform_id', () => platforms.id),
    status: text().$type<BatchStatus>().notNull(),
    isDryRun: boolean('is_dry_run').notNull(),
    total: integer().notNull(),
    options: jsonb().$type<BatchOptions>().notNull(),
    progress: jsonb().$type<BatchProgress>(),
    /** Number of runs in a row, up to now, that were interrupted or failed. */
    attempts: integer().notNull().default(0),
    owner: text(),
    leaseUntil: instant('lease_until'),
    nextRunAt: instant('next_run_at'),
    askedAt: instant('asked_at'),
    createdAt: instant('created_at').notNull(),
    committedAt: instant('committed_at'),
    endedAt: instant('ended_at'),
  },
  (t) => [
    check('batches_status', isOneOf(t.status, BATCH_STATUSES)),
    check(
      'batches_end',
      sql`case ${t.status} when 'completed' then ${t.endedAt} is not null when 'cancelled' then true else ${t.endedAt} is null end`,
    ),
    // Index for `takeDueBatches`.
    index('batches_due').on(t.platformId, t.nextRunAt).where(sql`${t.nextRunAt} is not null`),
    // Index for `deleteOldBatches`.
    index('batches_age').on(t.platformId, t.createdAt),
  ],
);

/** Table of the meetings of batches, one row for each reference, in the order of the request. */
export const batchMeetings = pgTable(
  'batch_meetings',
  {
    batchId: text('batch_id').notNull(),
    position: integer().notNull(),
    reference: text().notNull(),
    requesterEmail: text('requester_email').notNull(),
    otherEmail: text('other_email').notNull(),
    /** Further fields that the platform sent for the meeting: length, title, context, priority and metadata. */
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    state: text().$type<BatchMeetingState>().notNull(),
    /** Times that suit both people. Null until both calendars were read, and after the end of the batch. */
    times: jsonb().$type<PairTimes>(),
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    /** Booked, or being booked while the state is `placed`. Refers to no row, because it is set before the insert. */
    meetingId: text('meeting_id'),
    failures: integer().notNull().default(0),
    /** Number of chosen times that were no longer free when Tandem tried to book the meeting. */
    misses: integer().notNull().default(0),
    reason: jsonb().$type<BatchReason>(),
  },
  (t) => [
    primaryKey({ name: 'batch_meetings_pkey', columns: [t.batchId, t.position] }),
    foreignKey({ name: 'batch_meetings_batch', columns: [t.batchId], foreignColumns: [batches.id] }).onDelete(
      'cascade',
    ),
    check('batch_meetings_state', isOneOf(t.state, BATCH_MEETING_STATES)),
    check('batch_meetings_time', sql`${t.state} not in ('placed', 'booked') or (${t.startsAt} < ${t.endsAt})`),
    check('batch_meetings_booked', sql`${t.state} <> 'booked' or ${t.meetingId} is not null`),
    check('batch_meetings_reason', sql`${t.state} not in ('unplaced', 'failed') or ${t.reason} is not null`),
    // Index for `bookInBatch` and `returnToBatch`.
    index('batch_meetings_meeting').on(t.meetingId).where(sql`${t.meetingId} is not null`),
    // Indexes for `eraseStatements`.
    index('batch_meetings_requester').on(t.requesterEmail),
    index('batch_meetings_other').on(t.otherEmail),
  ],
);

export type JobResult = EventData<'meeting.scheduling.completed' | 'meeting.scheduling.failed'>;

/** They run in the background. Each ends exactly once, as `completed` or `failed`. */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    platformId: refersTo('platform_id', () => platforms.id),
    status: text().$type<'processing' | 'completed' | 'failed'>().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    result: jsonb().$type<JobResult>(),
    attempts: integer().notNull().default(0),
    owner: text(),
    leaseUntil: instant('lease_until'),
    nextRunAt: instant('next_run_at'),
    askedAt: instant('asked_at'),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (t) => [
    check('jobs_status', sql`${t.status} in ('processing', 'completed', 'failed')`),
    check(
      'jobs_end',
      sql`(${t.status} = 'processing') = (${t.result} is null) and (${t.status} = 'processing') = (${t.completedAt} is null)`,
    ),
    // Index for `deleteOldJobs`.
    index('jobs_ended').on(t.platformId, t.completedAt).where(sql`${t.completedAt} is not null`),
    // Index for `takeDueJobs`.
    index('jobs_due').on(t.platformId, t.nextRunAt).where(sql`${t.status} = 'processing'`),
  ],
);
