import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { at, pick } from '../columns.ts';
import { type Db, refuse } from '../db.ts';
import { meetingPeople, meetings } from '../tables/meetings.ts';
import { learningLedger as ledger, preferencesVersion, standingRules as rules, users } from '../tables/users.ts';

type Rule = typeof rules.$inferSelect;
export type StoredRule = Pick<Rule, 'id' | 'kind' | 'part' | 'quote'>;
export type ListedRule = Omit<Rule, 'userId' | 'position'>;

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
export const insertRules = (db: Db, of: Replaced & { given: StoredRule[]; now: number }) =>
  db.execute(sql`
    insert into ${rules} (id, user_id, source, position, kind, part, quote, created_at)
    select rule.id, ${users.id}, ${of.source}, rule.position, rule.kind, rule.part, rule.quote, ${at(of.now)}
    from ${users}, rows from (jsonb_to_recordset(${JSON.stringify(of.given)}::jsonb) as (id text, kind text, part jsonb, quote text))
      with ordinality as rule(id, kind, part, quote, position)
    where ${users.id} = ${of.userId} and ${users.endedAt} is null and ${of.when}`);

export const deleteRules = (db: Db, { userId, id, guard }: { userId: string; id?: string; guard?: SQL }) =>
  db.delete(rules).where(and(eq(rules.userId, userId), id === undefined ? undefined : eq(rules.id, id), guard));

/** Bounds of every learned weight (schema/DECISIONS.md, "Learned weights"). */
export const LEAST_WEIGHT = 0.2;
export const GREATEST_WEIGHT = 2;

// Rounds to six places, so that undoing a change gives exactly the old number.
const bounded = (value: SQL) =>
  sql`least(${GREATEST_WEIGHT}::float8, greatest(${LEAST_WEIGHT}::float8, round((${value})::numeric, 6)::float8))`;

export interface WeightChange {
  id: string;
  pattern: string;
  weight: string;
  factor: number;
  /** If the weight has another value than the caller saw, the batch fails as `weights_changed`. */
  expected?: number;
}

interface NewChanges {
  userId: string;
  source: 'reschedule' | 'scheduling_context';
  meetingId: string | null;
  changes: WeightChange[];
  now: number;
  when?: SQL;
}

/** Each is based on the current weight, and can be listed and undone. One meeting changes a weight only once. */
export const insertWeightChanges = (db: Db, { changes, when = sql`true`, ...row }: NewChanges) =>
  db.execute(sql`
    insert into ${ledger} (id, user_id, source, meeting_id, pattern, weight, before, after, created_at)
    select change.id, ${users.id}, ${row.source}, ${row.meetingId}, change.pattern, change.weight,
      case when change.expected is null or change.expected = w.before then w.before else ${refuse('weights_changed')}::float8 end,
      ${bounded(sql`w.before * change.factor`)}, ${at(row.now)}
    from ${users},
      jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change(id text, pattern text, weight text, factor float8, expected float8),
      lateral (select ${bounded(sql`coalesce((${users.weights} #>> string_to_array(change.weight, '.'))::float8, 1)`)} as before) w
    where ${users.id} = ${row.userId} and ${users.endedAt} is null and ${when}
    on conflict do nothing`);

/** The batch has just inserted the change records, whose values the weights get. */
export const applyWeightChanges = (db: Db, { userId, ids }: { userId: string; ids: string[] }) =>
  db.execute(sql`
    with rows as (
      select weight, after as value from ${ledger}
      where user_id = ${userId} and id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))
    update ${users} set weights = ${overlaid(users.weights)} where ${users.id} = ${userId} and exists (select 1 from rows)`);

/** Each starts at 1, and the changes that were not undone are applied in the order in which they were made. */
export const replayWeights = (db: Db, { userId }: { userId: string }) =>
  db.execute(sql`
    with recursive standing as (
      select weight, after / before as ratio, row_number() over (partition by weight order by created_at, id) as n
      from ${ledger} where user_id = ${userId} and undone_at is null),
    replay as (
      select weight, 0::bigint as n, 1::float8 as value from standing where n = 1
      union all
      select s.weight, s.n, ${bounded(sql`r.value * s.ratio`)} from replay r join standing s on s.weight = r.weight and s.n = r.n + 1),
    rows as (select distinct on (weight) weight, value from replay order by weight, n desc)
    update ${users} set weights = ${overlaid(sql`'{}'::jsonb`)} where ${users.id} = ${userId}`);

/** The values of the query named `rows` replace the stored ones. */
function overlaid(weights: SQL | typeof users.weights): SQL {
  const map = (name: string) => sql`coalesce(${weights} -> ${name}::text, '{}'::jsonb) || coalesce(
    (select jsonb_object_agg(split_part(weight, '.', 2), value) from rows where split_part(weight, '.', 1) = ${name}), '{}'::jsonb)`;
  return sql`jsonb_strip_nulls(jsonb_build_object(
    'time_of_day_preference', ${map('time_of_day_preference')},
    'day_of_week_preference', ${map('day_of_week_preference')},
    'buffer_importance', coalesce(
      (select to_jsonb(value) from rows where weight = 'buffer_importance'), ${weights} -> 'buffer_importance')))`;
}

export const undoEntries = (
  db: Db,
  of: { userId: string; now: number; id?: string; source?: 'reschedule' | 'scheduling_context'; when?: SQL },
) =>
  db
    .update(ledger)
    .set({ undoneAt: of.now })
    .where(
      and(
        eq(ledger.userId, of.userId),
        isNull(ledger.undoneAt),
        of.id === undefined ? undefined : eq(ledger.id, of.id),
        of.source === undefined ? undefined : sql`${ledger.source} = ${of.source}`,
        of.when,
      ),
    );

export const contextDiffers = (of: { userId: string; text: string; expected: string | undefined }): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${of.userId}
    and ${users.preferences} ->> 'scheduling_context' is distinct from ${of.text}
    and ${of.expected === undefined ? sql`true` : sql`${preferencesVersion} = ${of.expected}`})`;

/** Lists what the reasons for rescheduling the meeting ever changed, including what was undone since. */
export const listTaught = (db: Db, of: { userId: string; meetingId: string; weights: string[] }) =>
  db
    .select({ pattern: ledger.pattern, weight: ledger.weight, before: ledger.before, after: ledger.after })
    .from(ledger)
    .where(and(eq(ledger.userId, of.userId), eq(ledger.meetingId, of.meetingId), inArray(ledger.weight, of.weights)));

/** Lists, oldest first, what still stands of the platform's reasons for its people, and all of this meeting's. */
export const listTaughtByPlatform = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({ ...pick(ledger, 'userId', 'meetingId', 'pattern', 'weight', 'before', 'after') })
    .from(ledger)
    .innerJoin(meetings, and(eq(meetings.id, ledger.meetingId), eq(meetings.platformId, platformId)))
    .where(
      and(
        or(isNull(ledger.undoneAt), eq(ledger.meetingId, id)),
        sql`${ledger.userId} in (
          select p.user_id from ${meetingPeople} p where p.meeting_id = ${id} and p.platform_id = ${platformId})`,
      ),
    )
    .orderBy(ledger.createdAt, ledger.id);

export type Taught = Awaited<ReturnType<typeof listTaughtByPlatform>>[number];

const entry = {
  ...pick(ledger, 'id', 'source', 'pattern', 'weight', 'before', 'after', 'meetingId', 'createdAt', 'undoneAt'),
};

export const listLearning = (db: Db, of: { userId: string; limit: number; after: Place | undefined }) =>
  db
    .select(entry)
    .from(ledger)
    .where(
      and(
        eq(ledger.userId, of.userId),
        of.after && sql`(${ledger.createdAt}, ${ledger.id}) < (${at(of.after.at)}, ${of.after.id})`,
      ),
    )
    .orderBy(desc(ledger.createdAt), desc(ledger.id))
    .limit(of.limit);

export const findLearning = (db: Db, { userId, id }: { userId: string; id: string }) =>
  db
    .select(entry)
    .from(ledger)
    .where(and(eq(ledger.userId, userId), eq(ledger.id, id)));

export const selectWeights = (db: Db, { userId }: { userId: string }) =>
  db
    .select({ email: users.email, weights: users.weights, rules: rulesOfUser })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
