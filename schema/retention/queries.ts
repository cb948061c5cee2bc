import { type SQL, sql } from 'drizzle-orm';
import { apiKeys } from '../api-keys/table.ts';
import { auditLog } from '../audit-log/table.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { deliveries } from '../deliveries/table.ts';
import { eventAnswers } from '../event-answers/table.ts';
import { holds } from '../holds/table.ts';
import { idempotencyKeys } from '../idempotency/table.ts';
import { jobs } from '../jobs/table.ts';
import { learningLedger } from '../learning/table.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { pendingOperations } from '../pending-operations/table.ts';
import { proposals } from '../proposals/table.ts';
import { revocations } from '../revocations/table.ts';
import { sessions } from '../sessions/table.ts';
import { inTurn } from '../turns.ts';
import { isErased } from '../users/identity-queries.ts';
import { users } from '../users/table.ts';

/** Selection of rows to delete: those older than `before`, oldest first, at most `limit` at a time. */
interface Old {
  before: number;
  limit: number;
}

/**
 * Returns SQL for the ids of old rows of a table, called `w`: every platform's oldest first, then every platform's
 * second. A platform with very many old rows therefore does not delay the others. `age` is the column that decides a
 * row's age.
 */
const oldOfEach = (
  table: SQL,
  { age, indexed = sql`true`, where = sql`true` }: { age: SQL; indexed?: SQL; where?: SQL },
  { before, limit }: Old,
) => sql`array(
  select old.id from (${inTurn({
    table,
    tenant: sql`w.platform_id`,
    indexed,
    where: sql`${age} < ${at(before)} and ${where}`,
    since: age,
    columns: sql`w.id`,
    each: limit,
  })}) old order by old.place limit ${limit}::int)`;

/** Deletes old finished webhook deliveries together with their attempts. */
export const deleteOldDeliveries = (db: Db, old: Old) =>
  db.execute(
    sql`delete from ${deliveries} where id = any(${oldOfEach(
      sql`${deliveries}`,
      { age: sql`w.created_at`, where: sql`w.status <> 'pending'` },
      old,
    )})`,
  );

/** Deletes old holds, which reserve past times and no longer block anybody. */
export const deleteOldHolds = (db: Db, { before, limit }: Old) =>
  db.execute(
    sql`delete from ${holds} where ctid = any(array(
      select h.ctid from ${holds} h where upper(h.during) < ${at(before)}
      order by upper(h.during) limit ${limit}::int))`,
  );

/** Deletes proposals that ended long ago, with their times. */
export const deleteOldProposals = (db: Db, old: Old) =>
  db.execute(
    sql`delete from ${proposals} where id = any(${oldOfEach(
      sql`${proposals}`,
      { age: sql`w.ended_at`, indexed: sql`w.ended_at is not null` },
      old,
    )})`,
  );

/** Deletes old finished jobs and keeps the meetings that they created. */
export const deleteOldJobs = (db: Db, old: Old) =>
  db.execute(
    sql`delete from ${jobs} where id = any(${oldOfEach(
      sql`${jobs}`,
      { age: sql`w.completed_at`, indexed: sql`w.completed_at is not null` },
      old,
    )})`,
  );

/** Deletes old failed bookings that have no pending calendar work, and people's answers to their calendar events. */
export const deleteFailedMeetings = (db: Db, old: Old) =>
  db.execute(
    sql`with gone as (delete from ${meetings} where id = any(${oldOfEach(
      sql`${meetings}`,
      {
        age: sql`w.failed_at`,
        indexed: sql`w.failed_at is not null`,
        where: sql`not exists (select 1 from ${pendingOperations} p where p.event_id = w.provider_event_id)`,
      },
      old,
    )}) returning provider_event_id)
    delete from ${eventAnswers} where event_id in (select provider_event_id from gone)`,
  );

/** Deletes old answers stored under idempotency keys. */
export const deleteOldAnswers = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${idempotencyKeys} where (platform_id, operation, key) in (
    select k.platform_id, k.operation, k.key from ${idempotencyKeys} k
    where k.state = 'done' and k.created_at < ${at(before)} order by k.created_at limit ${limit}::int)`);

/** Deletes browser sessions that expired long ago, and dashboard links that expired long ago without being opened. */
export const deleteOldSessions = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${sessions} where id in (
    select s.id from ${sessions} s where s.expires_at < ${at(before)} order by s.expires_at limit ${limit}::int)`);

/** Deletes old rows of the audit log. */
export const deleteOldAudit = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${auditLog} where id in (
    select a.id from ${auditLog} a where a.at < ${at(before)} order by a.at limit ${limit}::int)`);

/** Deletes API keys that were revoked long ago. */
export const deleteRevokedKeys = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${apiKeys} where hash in (
    select k.hash from ${apiKeys} k where k.revoked_at < ${at(before)} order by k.revoked_at limit ${limit}::int)`);

/** Deletes changes of learned weights that were undone long ago. */
export const deleteUndoneChanges = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${learningLedger} where id in (
    select l.id from ${learningLedger} l where l.undone_at < ${at(before)} order by l.undone_at limit ${limit}::int)`);

/**
 * Deletes old pending revocations of grants. The provider has never accepted them, and Tandem gives up on them here.
 * Returns a row for each.
 */
export const deleteOldRevocations = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${revocations} where provider_id in (
    select r.provider_id from ${revocations} r where r.created_at < ${at(before)} order by r.created_at limit ${limit}::int)
    returning provider_id`);

/** Lists users who were deleted before a given time but whose personal data is not erased yet. */
export async function listEndedUsers(db: Db, { before, limit }: Old): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${users.id} from ${users} join ${calendarAccounts} a on a.user_id = ${users.id}
    where ${users.endedAt} < ${at(before)} order by ${users.endedAt} limit ${limit}::int`);
  return rows.map(({ id }) => id);
}

/**
 * Deletes what is left of erased users who were deleted between two instants: their connections and their rows in
 * `users`. Leaves out users who are still in a meeting or a proposal, have reserved time, or have a pending revocation.
 */
export const deleteFormerUsers = (db: Db, { after, before, limit }: Old & { after: number }) =>
  db.execute(sql`
    with gone as (
      select ${users.id} as id from ${users}
      where ${users.endedAt} > ${at(after)} and ${users.endedAt} < ${at(before)} and ${isErased}
        and not exists (select 1 from ${meetingPeople} p where p.user_id = ${users.id})
        and not exists (select 1 from ${holds} h where h.user_id = ${users.id})
        and not exists (select 1 from ${proposals} o where o.requester_id = ${users.id} or o.other_id = ${users.id})
        and not exists (select 1 from ${revocations} r where r.user_id = ${users.id})
      order by ${users.endedAt} limit ${limit}::int),
    unconnected as (delete from ${connections} where user_id in (select id from gone))
    delete from ${users} where id in (select id from gone)`);
