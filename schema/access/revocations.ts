import { and, eq, sql } from 'drizzle-orm';
import { at, pick, unleased } from '../columns.ts';
import type { Db } from '../db.ts';
import { calendarAccounts, revocations } from '../tables/calendar-accounts.ts';
import { type Line, listInTurn } from '../tables/turns.ts';
import { connections, users } from '../tables/users.ts';
import { isAccountHeldBy } from './calendar-accounts.ts';
import { userIdOf } from './users.ts';

/** An earlier statement of the batch must have reserved the account for `owner`. */
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

/** A revocation `w` may be tried if no worker runs it, no consent delays it, and the person did not consent again. */
const isFree = (now: number) => sql`(w.lease_until is null or w.lease_until <= ${at(now)})
    and (w.held_until is null or w.held_until <= ${at(now)})
    and not exists (select 1 from ${calendarAccounts} a where a.provider_id = w.provider_id
      and (a.generation <> w.generation or a.status = 'connected'))`;

/** No worker is running them. Every platform's longest waiting one comes first, then every platform's second. */
export const listDueRevocations = (db: Db, line: Line) =>
  listInTurn(db, line, {
    table: revocations,
    tenant: sql`w.turn_of`,
    where: sql`w.due_at <= ${at(line.now)}`,
    open: isFree(line.now),
    since: sql`w.due_at`,
    columns: { providerId: sql`w.provider_id`, turnOf: sql`w.turn_of` },
  });

/** With `providerId`, the account at the provider, it must be due. With `userId` it need not be. */
export type WhichRevocation = { providerId: string } | { userId: string };

/** Only one caller makes the try. Plans the next for a minute later, then two, up to an hour. */
export async function leaseRevocation(
  db: Db,
  { owner, now, leaseUntil, ...which }: WhichRevocation & { owner: string; now: number; leaseUntil: number },
) {
  const isIt =
    'userId' in which
      ? sql`w.user_id = ${which.userId}`
      : sql`w.provider_id = ${which.providerId} and w.due_at <= ${at(now)}`;
  type Leased = { providerId: string; userId: string; token: string; attempts: number };
  const { rows } = await db.execute<Leased>(sql`
    update ${revocations} set attempts = attempts + 1, owner = ${owner}, lease_until = ${at(leaseUntil)},
      due_at = ${at(now)} + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 6)))
    where provider_id in (
      select w.provider_id from ${revocations} w where ${isIt} and ${isFree(now)}
      order by w.due_at limit 1 for update of w skip locked)
    returning provider_id as "providerId", user_id as "userId", token, attempts`);
  const [row] = rows;
  return row && { ...row, owner };
}

type RevocationLease = { providerId: string; owner: string };

const mine = ({ providerId, owner }: RevocationLease) =>
  and(eq(revocations.providerId, providerId), eq(revocations.owner, owner));

export async function deleteRevocation(db: Db, lease: RevocationLease): Promise<void> {
  await db.delete(revocations).where(mine(lease));
}

export async function releaseRevocation(db: Db, lease: RevocationLease): Promise<void> {
  await db.update(revocations).set({ owner: null, leaseUntil: null }).where(mine(lease));
}

/** It was already revoked at the provider. */
export type EndedGrant = { userId: string; generation: number };

const pending = { ...pick(revocations, 'userId', 'providerId', 'attempts', 'leaseUntil', 'createdAt') };

/** `revoking` are still pending, those in progress first. `ended` is the one of the address's account, if revoked. */
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
 * Delays the revocation of the account's former grant, because the person has just consented again, and it would end
 * the new access too. The delay also applies to a grant that ends before the consent is stored, but not to a revocation
 * in progress. Returns the pending revocation, if there is one.
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

/** No worker starts it before the batch ends. */
export const lockRevocation = (db: Db, { providerId }: { providerId: string }) =>
  db
    .select({ providerId: revocations.providerId })
    .from(revocations)
    .where(eq(revocations.providerId, providerId))
    .for('update');

/** Does nothing while a worker runs it. Must follow the statement that stores the new grant, which it would end too. */
export const dropRevocation = (db: Db, { providerId, now }: { providerId: string; now: number }) =>
  db.delete(revocations).where(and(eq(revocations.providerId, providerId), unleased(revocations.leaseUntil, now)));

/**
 * Returns SQL for the user's id if the grant of their new consent may be stored, otherwise for null. An earlier
 * statement of the batch must have locked the row of the pending revocation. The SQL is null in these cases:
 * - The account's former grant is being revoked at the provider.
 * - The account's former grant was revoked after the consent began at `since`, because that revocation ended the new
 *   grant too. The grant named by `ended` was revoked before the consent began, so it does not count. `ended` is
 *   missing if the account had another address; the two times are then compared, although two machines' clocks may
 *   differ.
 * - The user has another account.
 * - The user was deleted.
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
