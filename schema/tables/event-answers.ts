import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, isOneOf } from '../columns.ts';
import { platforms } from './platforms.ts';
import { users } from './users.ts';

export const RESPONSES = ['needsAction', 'accepted', 'declined', 'tentative'] as const;
export type Response = (typeof RESPONSES)[number];

/**
 * Table of people's answers to the invitations of Tandem's calendar events. An answer belongs to the calendar event,
 * because the event stays when a reschedule gives the meeting another id. A person without a row has not answered.
 */
export const eventAnswers = pgTable(
  'event_answers',
  {
    eventId: text('event_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The background sweep serves the platforms' declines in turn, so that none delays another. */
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    responseStatus: text('response_status').$type<Response>().notNull(),
    respondedAt: instant('responded_at'),
    /** True while a person has taken them off the event in the calendar. */
    removed: boolean().notNull().default(false),
    /** True while the platform has yet to be notified that this person declined the invitation. */
    untold: boolean().notNull(),
    /** Time at which the background sweep next deals with this person's decline. Null if nothing is left to do. */
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
