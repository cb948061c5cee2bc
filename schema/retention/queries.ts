import { type SQL, sql } from 'drizzle-orm';
import { apiKeys } from '../api-keys/table.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { deliveries } from '../deliveries/table.ts';
import { holds } from '../holds/table.ts';
import { idempotencyKeys } from '../idempotency/table.ts';
import { jobs } from '../jobs/table.ts';
import { learningLedger } from '../learning/table.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { pendingOperations } from '../pending-operations/table.ts';
import { revocations } from '../revocations/table.ts';
import { inTurn } from '../turns.ts';
import { isErased } from '../users/queries.ts';
import { users } from '../users/table.ts';

/** What has an age: rows older than `before`, at most so many at a time, oldest first. */
interface Old {
  before: number;
  limit: number;
}

/**
 * Ids of old rows `w`: every platform's oldest first, then every platform's second, so that one with a great many does not
 * keep the others waiting. `age` is the column they have their age by.
 */
const oldOfEach = (
  table: SQL,
  { age, indexed = sql`true`, where = sql`true` }: { age: SQL; indexed?: SQL; where?: SQL },
  { before, limit }: Old,
) => sql`array(
  select old.id from (${inTurn({
    table,
    owner: sql`w.platform_id`,
    indexed,
    where: sql`${age} < ${at(before)} and ${where}`,
    since: age,
    columns: sql`w.id`,
    each: limit,
  })}) old order by old.place limit ${limit}::int)`;

/** Deletes deliveries that have ended, with their attempts. */
export const deleteOldDeliveries = (db: Db, old: Old) =>
  db.execute(
    sql`delete from ${deliveries} where id = any(${oldOfEach(
      sql`${deliveries}`,
      { age: sql`w.created_at`, where: sql`w.status <> 'pending'` },
      old,
    )})`,
  );

/** Deletes holds of time that is over: nobody is to be kept from it any more. */
export const deleteOldHolds = (db: Db, { before, limit }: Old) =>
  db.execute(
    sql`delete from ${holds} where (meeting_id, user_id, during) in (
      select h.meeting_id, h.user_id, h.during from ${holds} h where upper(h.during) < ${at(before)}
      order by upper(h.during) limit ${limit}::int)`,
  );

/** Deletes jobs that have ended; their meetings stay. */
export const deleteOldJobs = (db: Db, old: Old) =>
  db.execute(
    sql`delete from ${jobs} where id = any(${oldOfEach(
      sql`${jobs}`,
      { age: sql`w.completed_at`, indexed: sql`w.completed_at is not null` },
      old,
    )})`,
  );

/** Deletes meetings that never came to be and that nothing is left to look after for. */
export const deleteFailedMeetings = (db: Db, old: Old) =>
  db.execute(
    sql`delete from ${meetings} where id = any(${oldOfEach(
      sql`${meetings}`,
      {
        age: sql`w.failed_at`,
        indexed: sql`w.failed_at is not null`,
        where: sql`not exists (select 1 from ${pendingOperations} p where p.meeting_id = w.id)`,
      },
      old,
    )})`,
  );

/** Deletes answers kept under idempotency keys. */
export const deleteOldAnswers = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${idempotencyKeys} where (platform_id, operation, key) in (
    select k.platform_id, k.operation, k.key from ${idempotencyKeys} k
    where k.state = 'done' and k.created_at < ${at(before)} order by k.created_at limit ${limit}::int)`);

/** Deletes API keys that have ended. */
export const deleteRevokedKeys = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${apiKeys} where hash in (
    select k.hash from ${apiKeys} k where k.revoked_at < ${at(before)} order by k.revoked_at limit ${limit}::int)`);

/** Deletes changes of weights that were taken back. */
export const deleteUndoneChanges = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${learningLedger} where id in (
    select l.id from ${learningLedger} l where l.undone_at < ${at(before)} order by l.undone_at limit ${limit}::int)`);

/** Gives up grants whose end the provider did not accept for so long; answers a row for each. */
export const deleteOldRevocations = (db: Db, { before, limit }: Old) =>
  db.execute(sql`delete from ${revocations} where provider_id in (
    select r.provider_id from ${revocations} r where r.created_at < ${at(before)} order by r.created_at limit ${limit}::int)
    returning provider_id`);

/** Users who have ended and are not erased yet. */
export async function listEndedUsers(db: Db, { before, limit }: Old): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select ${users.id} from ${users} join ${calendarAccounts} a on a.user_id = ${users.id}
    where ${users.endedAt} < ${at(before)} order by ${users.endedAt} limit ${limit}::int`);
  return rows.map(({ id }) => id);
}

/** Takes the address out of meetings that were being written while their person was erased, some time after `since`. */
export const eraseLateAddresses = (db: Db, { since }: { since: number }) =>
  db.execute(sql`
    update ${meetingPeople} set email = ${users.email} from ${users}
    where ${meetingPeople.userId} = ${users.id} and ${meetingPeople.email} <> ${users.email}
      and ${users.endedAt} > ${at(since)} and ${isErased}`);

/** Deletes what is left of users erased between two instants whom no meeting names. */
export const deleteFormerUsers = (db: Db, { after, before, limit }: Old & { after: number }) =>
  db.execute(sql`
    with gone as (
      select ${users.id} as id from ${users}
      where ${users.endedAt} > ${at(after)} and ${users.endedAt} < ${at(before)} and ${isErased}
        and not exists (select 1 from ${meetingPeople} p where p.user_id = ${users.id})
        and not exists (select 1 from ${holds} h where h.user_id = ${users.id})
        and not exists (select 1 from ${revocations} r where r.user_id = ${users.id})
      order by ${users.endedAt} limit ${limit}::int),
    unconnected as (delete from ${connections} where user_id in (select id from gone))
    delete from ${users} where id in (select id from gone)`);
