import { sql } from 'drizzle-orm';
import { check, doublePrecision, index, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, isOneOf } from '../columns.ts';
import { users } from './users.ts';

export const RULE_KINDS = ['times', 'buffer', 'most_per_day'] as const;
export const RULE_SOURCES = ['scheduling_context'] as const;

/** Clock times are minutes since midnight, and weekdays count from 0, Monday. */
export interface RulePart {
  verdict?: 'never' | 'rather_not' | 'prefer' | 'wanted' | 'unwanted';
  weekdays?: number[];
  clock?: { from: number; to: number };
  minutes?: number;
  most?: number;
}

/** Table of rules that hold in general, as Tandem read them in a person's own words. */
export const standingRules = pgTable(
  'standing_rules',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** When the text of this name changes, its new rules replace all the old ones. */
    source: text().$type<(typeof RULE_SOURCES)[number]>().notNull(),
    /** Place of the rule among the user's rules, in the order in which the text says them. */
    position: smallint().notNull(),
    kind: text().$type<(typeof RULE_KINDS)[number]>().notNull(),
    part: jsonb().$type<RulePart>().notNull(),
    quote: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('standing_rules_source', isOneOf(t.source, RULE_SOURCES)),
    check('standing_rules_kind', isOneOf(t.kind, RULE_KINDS)),
    check('standing_rules_part', sql`jsonb_typeof(${t.part}) = 'object'`),
    // Index for `rulesOfUser`.
    uniqueIndex('standing_rules_user').on(t.userId, t.source, t.position),
  ],
);

/** Table of changes to learned weights. Because of it, the API can list each change and undo it. */
export const learningLedger = pgTable(
  'learning_ledger',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    source: text().$type<'reschedule' | 'scheduling_context'>().notNull(),
    meetingId: text('meeting_id'),
    pattern: text().notNull(),
    /** Path of the weight that the change is about, such as `time_of_day_preference.morning`. */
    weight: text().notNull(),
    before: doublePrecision().notNull(),
    after: doublePrecision().notNull(),
    createdAt: instant('created_at').notNull(),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    check('learning_ledger_source', sql`${t.source} in ('reschedule', 'scheduling_context')`),
    check('learning_ledger_bounds', sql`${t.after} between 0.2 and 2 and ${t.before} between 0.2 and 2`),
    uniqueIndex('learning_ledger_once_per_meeting')
      .on(t.userId, t.meetingId, t.weight)
      .where(sql`${t.meetingId} is not null`),
    // Index for `deleteUndoneChanges`.
    index('learning_ledger_undone').on(t.undoneAt).where(sql`${t.undoneAt} is not null`),
    index('learning_ledger_user').on(t.userId, t.createdAt),
  ],
);
