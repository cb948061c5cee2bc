import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Metadata } from '../api/metadata.ts';
import { instant, isOneOf } from '../columns.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';

/** Statuses of a proposal. An open proposal ends once, in one of the other statuses. */
export const PROPOSAL_STATUSES = ['open', 'accepted', 'declined', 'expired', 'withdrawn'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** Effects that the expiry of a proposal can have. */
export const ON_EXPIRY = ['cancel', 'book_first'] as const;
export type OnExpiry = (typeof ON_EXPIRY)[number];

/** Statuses of a proposal's time. A held time reserves the time of both people. */
export const TIME_STATUSES = ['held', 'accepted', 'released'] as const;
export type TimeStatus = (typeof TIME_STATUSES)[number];

/**
 * Table of proposals: a few times that one person offers another, each of them reserved until the proposal ends.
 */
export const proposals = pgTable(
  'proposals',
  {
    id: text().primaryKey(),
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    requesterId: text('requester_id')
      .notNull()
      .references(() => users.id),
    otherId: text('other_id')
      .notNull()
      .references(() => users.id),
    requesterEmail: text('requester_email').notNull(),
    otherEmail: text('other_email').notNull(),
    status: text().$type<ProposalStatus>().notNull(),
    durationMinutes: integer('duration_minutes').notNull(),
    title: text().notNull(),
    description: text(),
    location: text().notNull(),
    metadata: jsonb().$type<Metadata>().notNull().default({}),
    expiresAt: instant('expires_at').notNull(),
    /** Effect of the expiry: the proposal only ends, or Tandem first tries to book its first time. */
    onExpiry: text('on_expiry').$type<OnExpiry>().notNull().default('cancel'),
    /** Earliest time of the next attempt to book an expired proposal's first time, null before the first attempt. */
    dueAt: instant('due_at'),
    /** Reason that the platform gave for a decline. */
    reason: text(),
    /** Token of the request that ended the proposal. Later statements of its batch check it. */
    owner: text(),
    /**
     * Meeting that an acceptance books. While the proposal is open, the meeting is pending, and no other request may end
     * the proposal. The column refers to no row, because the acceptance sets it before the meeting is inserted.
     */
    meetingId: text('meeting_id'),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    check('proposals_status', isOneOf(t.status, PROPOSAL_STATUSES)),
    check('proposals_on_expiry', isOneOf(t.onExpiry, ON_EXPIRY)),
    check('proposals_end', sql`(${t.status} = 'open') = (${t.endedAt} is null)`),
    check('proposals_meeting', sql`${t.status} = 'open' or (${t.status} = 'accepted') = (${t.meetingId} is not null)`),
    // Index for `returnProposal`.
    uniqueIndex('proposals_one_per_meeting').on(t.meetingId).where(sql`${t.meetingId} is not null`),
    // Index for `listProposals`.
    index('proposals_made').on(t.platformId, t.createdAt, t.id),
    // Index for `listExpired`.
    index('proposals_due').on(t.platformId, t.expiresAt).where(sql`${t.status} = 'open'`),
    // Index for `deleteOldProposals`.
    index('proposals_ended').on(t.platformId, t.endedAt).where(sql`${t.endedAt} is not null`),
    // Indexes for `refuseTooMany`, `eraseStatements` and `deleteFormerUsers`.
    index('proposals_requester').on(t.requesterId),
    index('proposals_other').on(t.otherId),
  ],
);

/** Table of the times of proposals, in the order in which they are offered. */
export const proposalTimes = pgTable(
  'proposal_times',
  {
    id: text().primaryKey(),
    proposalId: text('proposal_id')
      .notNull()
      .references(() => proposals.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** Sentence about the time on both people's clocks. */
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
