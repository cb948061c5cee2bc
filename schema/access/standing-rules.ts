import { and, eq, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { type RULE_KINDS, type RULE_SOURCES, type RulePart, standingRules as rules } from '../tables/standing-rules.ts';
import { users } from '../tables/users.ts';

/** A rule that a person's own words make, as it is stored. */
export interface StoredRule {
  id: string;
  kind: (typeof RULE_KINDS)[number];
  part: RulePart;
  /** Quote of the person's words from which Tandem read the rule. */
  quote: string;
}

/** A stored rule with its source and the time at which Tandem read it, in epoch milliseconds. */
export interface ListedRule extends StoredRule {
  source: (typeof RULE_SOURCES)[number];
  createdAt: number;
}

/**
 * SQL for all standing rules of the selected user, in order. It is a column of queries on `users`, so that a search
 * reads people and their rules in one statement.
 */
export const rulesOfUser = sql<ListedRule[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'part', r.part, 'quote', r.quote, 'source', r.source,
    'createdAt', round(extract(epoch from r.created_at) * 1000)) order by r.source, r.position), '[]'::jsonb)
  from standing_rules r where r.user_id = users.id)`;

type Replaced = { userId: string; source: ListedRule['source']; when: SQL };

/**
 * Builds a statement that deletes the standing rules that Tandem read in one of a user's texts, named by `source`.
 * Deletes none if `when` is false.
 */
export const deleteRulesOf = (db: Db, { userId, source, when }: Replaced) =>
  db.delete(rules).where(and(eq(rules.userId, userId), eq(rules.source, source), when));

/**
 * Builds a statement that stores standing rules of a user, in the order given. Stores none if `when` is false, or if
 * the user is deleted.
 */
export const insertRules = (
  db: Db,
  { userId, source, when, given, now }: Replaced & { given: StoredRule[]; now: number },
) =>
  db.execute(sql`
    insert into ${rules} (id, user_id, source, position, kind, part, quote, created_at)
    select rule.id, ${users.id}, ${source}, rule.position, rule.kind, rule.part, rule.quote, ${at(now)}
    from ${users}, rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (id text, kind text, part jsonb, quote text))
      with ordinality as rule(id, kind, part, quote, position)
    where ${users.id} = ${userId} and ${users.endedAt} is null and ${when}`);

/** Builds a statement that deletes one standing rule of a user, or all of them if no id is given. */
export const deleteRules = (db: Db, { userId, id, guard }: { userId: string; id?: string; guard?: SQL }) =>
  db.delete(rules).where(and(eq(rules.userId, userId), id === undefined ? undefined : eq(rules.id, id), guard));
