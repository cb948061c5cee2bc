import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { instantRange, refersTo } from '../columns.ts';
import { meetings } from './meetings.ts';
import { proposals } from './proposals.ts';
import { users } from './users.ts';

/**
 * A time of a person that is reserved for a live meeting, or its old and new time while it moves, or for each time of
 * an open proposal. Exclusive ones cannot overlap each other (`holds_no_overlap`, which stands in the migration because
 * drizzle cannot express it), nor come too close to any live one (`hold_is_free`), nor exceed the day
 * (`hold_within_day`).
 */
export const holds = pgTable(
  'holds',
  {
    /** Meeting that the time is reserved for. Null while only a proposal reserves it. */
    meetingId: text('meeting_id').references(() => meetings.id, { onDelete: 'cascade' }),
    /** While somebody is accepting the proposal, the row also names the meeting that is being booked. */
    proposalId: text('proposal_id').references(() => proposals.id, { onDelete: 'cascade' }),
    userId: refersTo('user_id', () => users.id),
    /**
     * Calendar event that the time is reserved for. For a proposal of a new meeting, it is the proposal's id instead.
     * Reserved times with the same value never conflict with each other, and count as one meeting of a day.
     */
    eventId: text('event_id').notNull(),
    during: instantRange().notNull(),
    exclusive: boolean().notNull(),
    /** It is counted when the row is written. If that is exclusive, times within the person's buffer count too. */
    conflicts: integer().notNull(),
    /** Further meetings that the person accepts on this local day. Null if the time is not exclusive. */
    leftOnDay: integer('left_on_day'),
  },
  (t) => [
    unique('holds_own').on(t.meetingId, t.proposalId, t.userId, t.during).nullsNotDistinct(),
    check('holds_reason', sql`${t.meetingId} is not null or ${t.proposalId} is not null`),
    // Index for the statements that free or hand over a proposal's times.
    index('holds_proposal').on(t.proposalId).where(sql`${t.proposalId} is not null`),
    // Index for `listLiveMeetingTimes`, `listPairTimes` and the counts of conflicts.
    index('holds_during').using('gist', t.userId, t.during),
    // Index for `deleteOldHolds`.
    index('holds_over').on(sql`upper(${t.during})`),
    check('hold_is_free', sql`not ${t.exclusive} or ${t.conflicts} = 0`),
    check('hold_within_day', sql`${t.leftOnDay} >= 0`),
  ],
);
