import { and, eq, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { type RULE_KINDS, type RULE_SOURCES, type RulePart, standingRules as rules, users } from '../tables/users.ts';

export interface StoredRule {
  id: string;
  kind: (typeof RULE_KINDS)[number];
  part: RulePart;
  quote: string;
}

export interface ListedRule extends StoredRule {
  source: (typeof RULE_SOURCES)[number];
  createdAt: number;
}

/** A column of queries on `users`, so that a search reads people and their rules in one statement. */
export const rulesOfUser = sql<ListedRule[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'part', r.part, 'quote', r.quote, 'source', r.source,
    'createdAt', round(extract(epoch from r.created_at) * 1000)) order by r.source, r.position), '[]'::jsonb)
  from standing_rules r where r.user_id = users.id)`;

type Replaced = { userId: string; source: ListedRule['source']; when: SQL };

/** `source` names one of the user's texts. Deletes none if `when` is false. */
export const deleteRulesOf = (db: Db, { userId, source, when }: Replaced) =>
  db.delete(rules).where(and(eq(rules.userId, userId), eq(rules.source, source), when));

/** Keeps the order. Stores none if `when` is false, or if the user is deleted. */
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

export const deleteRules = (db: Db, { userId, id, guard }: { userId: string; id?: string; guard?: SQL }) =>
  db.delete(rules).where(and(eq(rules.userId, userId), id === undefined ? undefined : eq(rules.id, id), guard));
