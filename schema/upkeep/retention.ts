import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { isErased } from '../access/users.ts';
import { LIVE_STATUSES } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { agentCodes, apiKeys, sessions } from '../tables/api-keys.ts';
import { batches, jobs } from '../tables/batches.ts';
import { calendarAccounts, revocations } from '../tables/calendar-accounts.ts';
import { deliveries } from '../tables/deliveries.ts';
import { eventAnswers, meetingPeople, meetings, pendingOperations } from '../tables/meetings.ts';
import { auditLog, idempotencyKeys, platforms } from '../tables/platforms.ts';
import { holds, proposals } from '../tables/proposals.ts';
import { inTurn } from '../tables/turns.ts';
import { connections, learningLedger, users } from '../tables/users.ts';

/** Range of the rows to delete: those older than `before`, oldest first, at most `limit` at a time. */
type Old = { before: number; limit: number };
type Aged = { age: SQL; indexed?: SQL; where?: SQL };

/**
 * Takes every platform's oldest first, then its second, so that very many old rows do not delay the others. The table
 * is called `w`, and `age` is the column that decides.
 */
const oldOfEach = (
  table: PgTable,
  { age, indexed = sql`true`, where = sql`true` }: Aged,
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

const deleteOldOfEach = (db: Db, table: PgTable, aged: Aged, old: Old) =>
  db.execute(sql`delete from ${table} where id = any(${oldOfEach(table, aged, old)})`);

/** With the first delivery of an event go all others, so that sending it again does not keep it. */
export const deleteOldDeliveries = (db: Db, old: Old) => {
  const again = (of: SQL) =>
    sql`r.platform_id = ${of}.platform_id and r.event_id = ${of}.event_id and r.replay_of is not null`;
  const where = sql`w.status <> 'pending'
    and not exists (select 1 from ${deliveries} r where ${again(sql`w`)} and r.status = 'pending')`;
  return db.execute(sql`
    with old as (
      select d.id, d.platform_id, d.event_id from ${deliveries} d
      where d.id = any(${oldOfEach(deliveries, { age: sql`w.created_at`, where }, old)}))
    delete from ${deliveries} where id in (
      select id from old union select r.id from old join ${deliveries} r on ${again(sql`old`)})`);
};

export const deleteOldHolds = (db: Db, { before, limit }: Old) =>
  db.execute(
    sql`delete from ${holds} where ctid = any(array(
      select h.ctid from ${holds} h where upper(h.during) < ${at(before)}
      order by upper(h.during) limit ${limit}::int))`,
  );

/** An accepted one stays until its meeting ended long ago, because its page can cancel the meeting. */
export const deleteOldProposals = (db: Db, old: Old) => {
  const where = sql`not exists (
    select 1 from ${meetings} b join ${meetings} m on m.provider_event_id = b.provider_event_id
    where b.id = w.meeting_id and m.status in ${LIVE_STATUSES} and m.ends_at >= ${at(old.before)})`;
  return deleteOldOfEach(db, proposals, { age: sql`w.ended_at`, indexed: sql`w.ended_at is not null`, where }, old);
};

export const deleteOldJobs = (db: Db, old: Old) =>
  deleteOldOfEach(db, jobs, { age: sql`w.completed_at`, indexed: sql`w.completed_at is not null` }, old);

/** Deletes batches that ended long ago, and dry runs that nobody committed. Their meetings stay. */
export const deleteOldBatches = (db: Db, old: Old) => {
  const where = sql`(w.ended_at < ${at(old.before)} or w.status = 'planned')`;
  return deleteOldOfEach(db, batches, { age: sql`w.created_at`, where }, old);
};

/** Deletes old failed bookings that have no pending calendar work, and people's answers to their calendar events. */
export const deleteFailedMeetings = (db: Db, old: Old) => {
  const where = sql`not exists (select 1 from ${pendingOperations} p where p.event_id = w.provider_event_id)`;
  const failed = oldOfEach(meetings, { age: sql`w.failed_at`, indexed: sql`w.failed_at is not null`, where }, old);
  return db.execute(sql`
    with gone as (delete from ${meetings} where id = any(${failed}) returning provider_event_id)
    delete from ${eventAnswers} where event_id in (select provider_event_id from gone)`);
};

export const deleteOldAnswers = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${idempotencyKeys} where (platform_id, operation, key) in (
    select k.platform_id, k.operation, k.key from ${idempotencyKeys} k
    where k.state = 'done' and k.created_at < ${at(before)} order by k.created_at limit ${limit}::int)`);

const deleteOldest =
  (table: PgTable, key: PgColumn, time: PgColumn) =>
  (db: Db, { before, limit }: Old) =>
    db.execute(sql`delete from ${table} where ${key} in (
    select ${key} from ${table} where ${time} < ${at(before)} order by ${time} limit ${limit}::int)`);

export const deleteOldSessions = deleteOldest(sessions, sessions.id, sessions.expiresAt);
export const deleteOldAudit = deleteOldest(auditLog, auditLog.id, auditLog.at);
export const deleteOldCodes = deleteOldest(agentCodes, agentCodes.hash, agentCodes.expiresAt);
export const deleteRevokedKeys = deleteOldest(apiKeys, apiKeys.hash, apiKeys.revokedAt);
export const deleteUndoneChanges = deleteOldest(learningLedger, learningLedger.id, learningLedger.undoneAt);

/** The provider has never accepted them, and Tandem gives up on them here. Returns a row for each. */
export const deleteOldRevocations = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${revocations} where provider_id in (
    select r.provider_id from ${revocations} r where r.created_at < ${at(before)} order by r.created_at limit ${limit}::int)
    returning provider_id`);

export async function listEndedUsers(db: Db, { before, limit }: Old): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${users.id} from ${users} join ${calendarAccounts} a on a.user_id = ${users.id}
    where ${users.endedAt} < ${at(before)} order by ${users.endedAt} limit ${limit}::int`);
  return rows.map(({ id }) => id);
}

/** Nobody can ask for their erasure any more. Begins with these few platforms, because most people are no guests. */
export async function listOrphanedGuests(db: Db, { before, limit }: Old) {
  const { rows } = await db.execute<{ id: string; email: string; platform_id: string }>(sql`
    select g.* from ${platforms} p cross join lateral (
      select u.id, u.guest_email as email, u.guest_of as platform_id from ${users} u
      where u.guest_of = p.id order by u.guest_email limit ${limit}::int) g
    where p.ended_at < ${at(before)} order by p.id limit ${limit}::int`);
  return rows.map(({ id: userId, email, platform_id: platformId }) => ({ userId, email, platformId }));
}

/** They are in no meeting and no proposal. A guest whom a request is inviting at this moment is locked, and stays. */
export const deleteUnusedGuests = (db: Db, { before, limit }: Old) =>
  db.execute(sql`
    delete from ${users} where id in (
      select g.id from ${users} g
      where g.guest_of is not null and g.created_at < ${at(before)}
        and not exists (select 1 from ${meetingPeople} p where p.user_id = g.id)
        and not exists (select 1 from ${proposals} o where o.other_id = g.id)
      order by g.id limit ${limit}::int for update skip locked)`);

/** Deletes erased users who were deleted between two instants, and their connections, once nothing refers to them. */
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
