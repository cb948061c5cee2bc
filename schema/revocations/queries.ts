import { and, eq, sql } from 'drizzle-orm';
import { isAccountHeldBy } from '../calendar-accounts/lease-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at, unleased } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { inTurn } from '../turns.ts';
import { userIdOf } from '../users/identity-queries.ts';
import { users } from '../users/table.ts';
import { revocations } from './table.ts';

/**
 * Builds a statement that schedules the revocation of an account's refresh token at the provider. Earlier in the batch,
 * `owner` must have leased the account.
 */
export const insertRevocation = (db: Db, { userId, owner, now }: { userId: string; owner: string; now: number }) =>
  db.execute(sql`
    insert into revocations (provider_id, user_id, email, turn_of, generation, token, held_until, due_at, created_at)
    select a.provider_id, a.user_id, u.email, coalesce((
      select c.platform_id from ${connections} c where c.user_id = a.user_id order by c.connected_at desc limit 1), a.user_id), a.generation, a.refresh_token,
      (select to_timestamp(max(value::float8) / 1000) from jsonb_each_text(a.consents)), ${at(now)}, ${at(now)}
    from ${calendarAccounts} a join ${users} u on u.id = a.user_id
    where a.user_id = ${userId} and a.refresh_token is not null and ${isAccountHeldBy(userId, owner)}
    on conflict (provider_id) do update
      set user_id = excluded.user_id, email = excluded.email, turn_of = excluded.turn_of, token = excluded.token, generation = excluded.generation,
        held_until = excluded.held_until,
        attempts = 0, due_at = excluded.due_at, created_at = excluded.created_at`);

/**
 * Returns an SQL condition for grant revocations, called `w`, that may be tried now. They have no current lease, are
 * not delayed for a consent, and their account has had no consent since.
 */
const isFree = (now: number) => sql`(w.lease_until is null or w.lease_until <= ${at(now)})
    and (w.held_until is null or w.held_until <= ${at(now)})
    and not exists (select 1 from ${calendarAccounts} a where a.provider_id = w.provider_id
      and (a.generation <> w.generation or a.status = 'connected'))`;

/**
 * Lists due grant revocations without a current lease. Every platform's longest waiting revocation comes first, then
 * every platform's second.
 */
export async function listDueRevocations(
  db: Db,
  { now, limit, except }: { now: number; limit: number; except: string[] },
) {
  const due = inTurn({
    table: sql`${revocations}`,
    tenant: sql`w.turn_of`,
    indexed: except.length === 0 ? sql`true` : sql`w.turn_of not in ${except}`,
    where: sql`w.due_at <= ${at(now)}`,
    open: isFree(now),
    since: sql`w.due_at`,
    columns: sql`w.provider_id, w.turn_of`,
    each: limit,
  });
  const { rows } = await db.execute<{ provider_id: string; turn_of: string }>(sql`
    select due.provider_id, due.turn_of from (${due}) due order by due.place, due.since limit ${limit}::int`);
  return rows.map(({ provider_id: providerId, turn_of: turnOf }) => ({ providerId, turnOf }));
}

/** Selects a grant revocation: one provider account's if it is due, or one user's even if it is not due. */
export type WhichRevocation = { providerId: string } | { userId: string };

/**
 * Leases a grant revocation for one try. It schedules the next try for a minute later, then two minutes, up to an hour.
 * If several callers ask at once, only one gets the lease, and the others get undefined.
 */
export async function leaseRevocation(
  db: Db,
  { owner, now, leaseUntil, ...which }: WhichRevocation & { owner: string; now: number; leaseUntil: number },
) {
  const isIt =
    'userId' in which
      ? sql`w.user_id = ${which.userId}`
      : sql`w.provider_id = ${which.providerId} and w.due_at <= ${at(now)}`;
  const { rows } = await db.execute<{ provider_id: string; user_id: string; token: string; attempts: number }>(sql`
    update ${revocations} set attempts = attempts + 1, owner = ${owner}, lease_until = ${at(leaseUntil)},
      due_at = ${at(now)} + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 6)))
    where provider_id in (
      select w.provider_id from ${revocations} w where ${isIt} and ${isFree(now)}
      order by w.due_at limit 1 for update of w skip locked)
    returning provider_id, user_id, token, attempts`);
  const [row] = rows;
  return row && { providerId: row.provider_id, userId: row.user_id, token: row.token, attempts: row.attempts, owner };
}

interface RevocationLease {
  providerId: string;
  owner: string;
}

const mine = ({ providerId, owner }: RevocationLease) =>
  and(eq(revocations.providerId, providerId), eq(revocations.owner, owner));

/** Deletes a grant revocation that the provider has accepted. */
export async function deleteRevocation(db: Db, lease: RevocationLease): Promise<void> {
  await db.delete(revocations).where(mine(lease));
}

/** Releases the lease of a grant revocation, so that it is tried again when it is due. */
export async function releaseRevocation(db: Db, lease: RevocationLease): Promise<void> {
  await db.update(revocations).set({ owner: null, leaseUntil: null }).where(mine(lease));
}

/** Account at the provider whose grant had ended and been revoked there. */
export interface EndedGrant {
  userId: string;
  generation: number;
}

const pending = {
  userId: revocations.userId,
  providerId: revocations.providerId,
  attempts: revocations.attempts,
  leaseUntil: revocations.leaseUntil,
  createdAt: revocations.createdAt,
};

/**
 * Reads the pending revocations of grants that were given under this address, those in progress first. `ended` is the
 * address's account if its grant was already revoked.
 */
export async function findEndedGrants(db: Db, email: string) {
  const [[ended], revoking] = await db.batch([
    db
      .select({ userId: calendarAccounts.userId, generation: calendarAccounts.generation })
      .from(calendarAccounts)
      .where(
        and(
          eq(calendarAccounts.userId, userIdOf(email)),
          eq(calendarAccounts.status, 'disconnected'),
          sql`not exists (select 1 from ${revocations} r where r.provider_id = ${calendarAccounts.providerId})`,
        ),
      ),
    db
      .select(pending)
      .from(revocations)
      .where(eq(revocations.email, email))
      .orderBy(sql`${revocations.leaseUntil} desc nulls last`),
  ]);
  return { ended: ended as EndedGrant | undefined, revoking };
}

/**
 * Delays the revocation of an account's former grant until `heldUntil`, because the account has just consented again.
 * The delay also applies to a grant that ends before the consent is stored, but not to a revocation that is in
 * progress. Returns the pending revocation.
 */
export async function holdRevocation(
  db: Db,
  { providerId, consentId, now, heldUntil }: { providerId: string; consentId: string; now: number; heldUntil: number },
) {
  const others = sql`(
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${calendarAccounts.consents}) where value::float8 > ${now}::float8)`;
  const [, , [held]] = await db.batch([
    db
      .update(calendarAccounts)
      .set({ consents: sql`${others} || jsonb_build_object(${consentId}::text, ${heldUntil}::float8)` })
      .where(eq(calendarAccounts.providerId, providerId)),
    db
      .update(revocations)
      .set({ heldUntil: sql`greatest(${revocations.heldUntil}, ${at(heldUntil)})` })
      .where(and(eq(revocations.providerId, providerId), unleased(revocations.leaseUntil, now))),
    db.select(pending).from(revocations).where(eq(revocations.providerId, providerId)),
  ]);
  return held;
}

/** Builds a statement that locks the account's revocation, so that no worker starts it before the batch ends. */
export const lockRevocation = (db: Db, { providerId }: { providerId: string }) =>
  db
    .select({ providerId: revocations.providerId })
    .from(revocations)
    .where(eq(revocations.providerId, providerId))
    .for('update');

/**
 * Builds a statement that deletes the account's grant revocation, unless a worker is running it. It must follow the
 * statement that stores the new grant, which replaces the one to be revoked.
 */
export const dropRevocation = (db: Db, { providerId, now }: { providerId: string; now: number }) =>
  db.delete(revocations).where(and(eq(revocations.providerId, providerId), unleased(revocations.leaseUntil, now)));

/**
 * Returns SQL for the user's id if a new grant may be stored. It is null in four cases: the account's grant is being
 * revoked, the grant was revoked since the consent began, the user has another account, or the user was deleted. The
 * revocation's row was locked before, so it stays until the grant is stored. `ended` is the grant that was found
 * revoked when the consent began, so its revocation does not count, whatever its time. An account that had another
 * email address at that time was not found then. For it, the time at which the grant ended is compared with `since`,
 * although two machines' clocks may have set them.
 */
export const unrevokedUserId = (
  userId: string,
  providerId: string,
  { now, since, ended }: { now: number; since: number; ended: EndedGrant | undefined },
) => sql<string>`(
  select u.id from users u
  where u.id = ${userId} and u.ended_at is null
    and not exists (select 1 from ${revocations} r where r.provider_id = ${providerId} and r.lease_until > ${at(now)})
    and not exists (select 1 from ${calendarAccounts} a where a.user_id = u.id and a.provider_id <> ${providerId})
    and not exists (select 1 from ${calendarAccounts} a
      where a.user_id = u.id and a.status = 'disconnected' and a.updated_at >= ${at(since)}
        and not (a.user_id = ${ended?.userId ?? ''} and a.generation = ${ended?.generation ?? 0})
        and not exists (select 1 from ${revocations} r where r.provider_id = a.provider_id)))`;
