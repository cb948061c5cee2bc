import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * Statuses of a meeting. A meeting is `pending` until the calendar has the event, and `failed` if the event was never
 * created.
 */
export const MEETING_STATUSES = ['pending', 'failed', 'scheduled', 'updated', 'cancelled', 'rescheduled'] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

/** Statuses of meetings that take place or took place, so their time is taken. */
export const LIVE_STATUSES = ['scheduled', 'updated'] as const satisfies MeetingStatus[];

/** Statuses of meetings that the API shows or has shown. */
export const SHOWN_STATUSES = [...LIVE_STATUSES, 'cancelled', 'rescheduled'] as const satisfies MeetingStatus[];
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

const isOneOf =
  <T extends MeetingStatus>(statuses: readonly T[]) =>
  (status: MeetingStatus): status is T =>
    statuses.some((one) => one === status);

export const isLive = isOneOf(LIVE_STATUSES);
export const isShown = isOneOf(SHOWN_STATUSES);

/**
 * Returns an SQL condition that is true for the meeting that has a calendar event now. Each event has one such meeting.
 * A booked meeting has its event from the start. After a reschedule, the new meeting takes over the event in the batch
 * that ends the old one.
 */
export const isCurrent = (m: { status: AnyPgColumn | SQL; rescheduledFrom: AnyPgColumn | SQL }): SQL =>
  sql`(${m.status} <> 'rescheduled' and (${m.status} <> 'pending' or ${m.rescheduledFrom} is null))`;

/** Columns of a meeting that `isCurrent` takes, for a query that names the table `m`. */
export const m = { status: sql`m.status`, rescheduledFrom: sql`m.rescheduled_from` };
