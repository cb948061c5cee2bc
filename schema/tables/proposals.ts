import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Metadata } from '../api/metadata.ts';
import {
  ON_EXPIRY,
  type OnExpiry,
  PROPOSAL_STATUSES,
  type ProposalStatus,
  TIME_STATUSES,
  type TimeStatus,
} from '../api/states.ts';
import { instant, instantRange, isOneOf, refersTo } from '../columns.ts';
import { meetings, type StoredReading } from './meetings.ts';
import { platforms } from './platforms.ts';
import { users } from './users.ts';

/** Each of the times is reserved until the proposal ends. */
export const proposals = pgTable(
  'proposals',
  {
    id: text().primaryKey(),
    platformId: refersTo('platform_id', () => platforms.id),
    requesterId: refersTo('requester_id', () => users.id),
    otherId: refersTo('other_id', () => users.id),
    requesterEmail: text('requester_email').notNull(),
    otherEmail: text('other_email').notNull(),
    /** Null if the platform gave none, so that the page shows the requester's email address. */
    requesterName: text('requester_name'),
    status: text().$type<ProposalStatus>().notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
    title: text().notNull(),
    description: text(),
    location: text().notNull(),
    metadata: jsonb().$type<Metadata>().notNull().default({}),
    expiresAt: instant('expires_at').notNull(),
    /** When it expires, the proposal just ends, or Tandem first tries to book its first time. */
    onExpiry: text('on_expiry').$type<OnExpiry>().notNull().default('cancel'),
    /** Earliest time of the next attempt to book an expired proposal's first time, null before the first attempt. */
    dueAt: instant('due_at'),
    /** They count from the creation. A proposal that answers this one gets the same number. */
    expiresInHours: integer('expires_in_hours').notNull().default(48),
    /** It is for declining, or asks on the proposal's page for other times. */
    reason: text(),
    /** Id of the request that ended the proposal. Later statements in that request's batch check it. */
    owner: text(),
    /**
     * Null until somebody accepts. While it is set and the proposal is open, the booking is in progress and no other
     * request may end the proposal. There is no foreign key, because it is set before the meeting is inserted.
     */
    meetingId: text('meeting_id'),
    movesMeetingId: text('moves_meeting_id').references(() => meetings.id, { onDelete: 'set null' }),
    /** Time of the meeting to be moved, at the offer. The proposal moves it only from there. Null for a new meeting. */
    movesFrom: instantRange('moves_from'),
    /** True if Tandem made the proposal because an attendee declined the meeting (`on_decline`). */
    isForDecline: boolean('is_for_decline').notNull().default(false),
    /** Parts that Tandem read in the reason for moving a meeting. They are copied to the meeting when it is moved. */
    reading: jsonb().$type<StoredReading>(),
    /** Countered or accepted. The invited person asked on its page for the times of this one. */
    counterOf: text('counter_of').references((): AnyPgColumn => proposals.id, { onDelete: 'set null' }),
    /**
     * How often in a row the invited person has asked for other times, 0 for the platform's own proposal. After an
     * acceptance, it counts the proposals made because somebody asked to move the meeting.
     */
    counters: integer().notNull().default(0),
    /** SHA-256 of the secret token in the URL of the proposal's page. */
    tokenHash: text('token_hash'),
    /** The token itself, encrypted. */
    token: text(),
    guestName: text('guest_name'),
    guestTimeZone: text('guest_time_zone'),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
    /** True if the proposal ended with somebody's access, and its event is not stored yet. */
    untold: boolean().notNull().default(false),
  },
  (t) => [
    check('proposals_status', isOneOf(t.status, PROPOSAL_STATUSES)),
    check('proposals_on_expiry', isOneOf(t.onExpiry, ON_EXPIRY)),
    check('proposals_end', sql`(${t.status} = 'open') = (${t.endedAt} is null)`),
    check('proposals_meeting', sql`${t.status} = 'open' or (${t.status} = 'accepted') = (${t.meetingId} is not null)`),
    // Index for `returnProposal`.
    uniqueIndex('proposals_one_per_meeting').on(t.meetingId).where(sql`${t.meetingId} is not null`),
    // Index for `findProposalOfPage`.
    uniqueIndex('proposals_token').on(t.tokenHash).where(sql`${t.tokenHash} is not null`),
    // A meeting has at most one open proposal that moves it.
    uniqueIndex('proposals_one_open_move').on(t.movesMeetingId).where(sql`${t.status} = 'open'`),
    // Indexes for the foreign keys, which a deleted meeting or proposal sets to null.
    index('proposals_moves').on(t.movesMeetingId).where(sql`${t.movesMeetingId} is not null`),
    index('proposals_counter').on(t.counterOf).where(sql`${t.counterOf} is not null`),
    // Index for `listProposals`.
    index('proposals_made').on(t.platformId, t.createdAt, t.id),
    // Index for `listExpired` and `listProposals` by expiry.
    index('proposals_due').on(t.platformId, t.expiresAt).where(sql`${t.status} = 'open'`),
    // Index for `listUntoldEnds`.
    index('proposals_untold').on(t.platformId, t.endedAt).where(sql`${t.untold}`),
    // Index for `deleteOldProposals`.
    index('proposals_ended').on(t.platformId, t.endedAt).where(sql`${t.endedAt} is not null`),
    // Indexes for `refuseTooMany`, `listHeldTimes`, `endProposalsOf`, `eraseStatements` and `deleteFormerUsers`.
    index('proposals_requester').on(t.requesterId),
    index('proposals_other').on(t.otherId),
  ],
);

export const proposalTimes = pgTable(
  'proposal_times',
  {
    id: text().primaryKey(),
    proposalId: refersTo('proposal_id', () => proposals.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    reason: text().notNull(),
    status: text().$type<TimeStatus>().notNull(),
  },
  (t) => [
    check('proposal_times_status', isOneOf(t.status, TIME_STATUSES)),
    check('proposal_times_order', sql`${t.startsAt} < ${t.endsAt}`),
    uniqueIndex('proposal_times_position').on(t.proposalId, t.position),
    uniqueIndex('proposal_times_one_accepted').on(t.proposalId).where(sql`${t.status} = 'accepted'`),
  ],
);

/**
 * A time of a person that is reserved for a live meeting, or its old and new time while it moves, or for each time of
 * an open proposal. Exclusive ones cannot overlap each other (`holds_no_overlap`, which stands in the migration because
 * drizzle cannot express it), nor come too close to any live one (`hold_is_free`), nor exceed the day
 * (`hold_within_day`).
 */
export const holds = pgTable(
  'holds',
  {
    meetingId: text('meeting_id').references(() => meetings.id, { onDelete: 'cascade' }),
    /** While somebody is accepting the proposal, the row also names the meeting that is being booked. */
    proposalId: text('proposal_id').references(() => proposals.id, { onDelete: 'cascade' }),
    userId: refersTo('user_id', () => users.id),
    /**
     * Calendar event that the time is reserved for, or the proposal's id if that is for a new meeting. Times with the
     * same value never conflict with each other, and count as one meeting of a day.
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
