import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { inTurn } from '../turns.ts';
import { userIdOf } from '../users/queries.ts';
import { users } from '../users/table.ts';
import { revocations } from './table.ts';

/** Statement: the refresh token of the account this owner holds is to end at the provider. */
export const insertRevocation = (db: Db, { userId, owner, now }: { userId: string; owner: string; now: number }) =>
  db.execute(sql`
    insert into revocations (provider_id, user_id, email, turn_of, generation, token, held_until, due_at, created_at)
    select a.provider_id, a.user_id, u.email, coalesce((
      select c.platform_id from ${connections} c where c.user_id = a.user_id order by c.connected_at desc limit 1), a.user_id), a.generation, a.refresh_token,
      (select to_timestamp(max(value::float8) / 1000) from jsonb_each_text(a.consents)), ${at(now)}, ${at(now)}
    from ${calendarAccounts} a join ${users} u on u.id = a.user_id
    where a.user_id = ${userId} and a.refresh_token is not null and ${isClaimedBy(userId, owner)}
    on conflict (provider_id) do update
      set user_id = excluded.user_id, email = excluded.email, turn_of = excluded.turn_of, token = excluded.token, generation = excluded.generation,
        held_until = excluded.held_until,
        attempts = 0, due_at = excluded.due_at, created_at = excluded.created_at`);

const unleased = (now: number) => or(isNull(revocations.leaseUntil), lte(revocations.leaseUntil, now));

/**
 * Takes what is due and in nobody's hands for one try each, the platforms in turn, and sets the next, a minute later, then two, up to an hour;
 * with `userId` that user's only, due or not. One whose account has had a consent since is left alone.
 */
export async function claimRevocations(
  db: Db,
  input: { owner: string; now: number; leaseUntil: number; limit: number; userId?: string; except?: string[] },
) {
  const { owner, now, leaseUntil, limit, userId, except = [] } = input;
  const isFree = sql`(w.lease_until is null or w.lease_until <= ${at(now)})
    and (w.held_until is null or w.held_until <= ${at(now)})
    and not exists (select 1 from ${calendarAccounts} a where a.provider_id = w.provider_id
      and (a.generation <> w.generation or a.status = 'connected'))`;
  const due =
    userId === undefined
      ? inTurn({
          table: sql`${revocations}`,
          owner: sql`w.turn_of`,
          indexed: except.length === 0 ? sql`true` : sql`w.turn_of not in ${except}`,
          where: sql`w.due_at <= ${at(now)}`,
          open: isFree,
          since: sql`w.due_at`,
          columns: sql`w.provider_id`,
          each: limit,
        })
      : sql`select w.provider_id, 1 as place, w.due_at as since from ${revocations} w where w.user_id = ${userId}`;
  const { rows } = await db.execute<{
    provider_id: string;
    user_id: string;
    turn_of: string;
    token: string;
    attempts: number;
  }>(sql`
    update ${revocations} set attempts = attempts + 1, owner = ${owner}, lease_until = ${at(leaseUntil)},
      due_at = ${at(now)} + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 6)))
    where provider_id in (
      select w.provider_id from (${due}) due join ${revocations} w using (provider_id)
      where ${isFree} order by due.place, due.since limit ${limit}::int for update of w skip locked)
    returning provider_id, user_id, turn_of, token, attempts`);
  return rows.map(({ provider_id: providerId, user_id, turn_of, token, attempts }) => ({
    providerId,
    userId: user_id,
    turnOf: turn_of,
    token,
    attempts,
    owner,
  }));
}

interface Claimed {
  providerId: string;
  owner: string;
}

const mine = ({ providerId, owner }: Claimed) =>
  and(eq(revocations.providerId, providerId), eq(revocations.owner, owner));

/** The provider has this grant's end. */
export async function deleteRevocation(db: Db, claimed: Claimed): Promise<void> {
  await db.delete(revocations).where(mine(claimed));
}

/** Lets others try it when it is due again. */
export async function releaseRevocation(db: Db, claimed: Claimed): Promise<void> {
  await db.update(revocations).set({ owner: null, leaseUntil: null }).where(mine(claimed));
}

/** What there is to revoke of this address, and until when it is in somebody's hands. */
export async function findRevocation(db: Db, email: string) {
  const [found] = await db
    .select({ userId: revocations.userId, leaseUntil: revocations.leaseUntil })
    .from(revocations)
    .where(eq(revocations.email, email))
    .orderBy(sql`${revocations.leaseUntil} desc nulls last`)
    .limit(1);
  return found;
}

/** An account whose grant had ended and been revoked. */
export interface EndedGrant {
  userId: string;
  generation: number;
}

/**
 * Keeps this address's grant from being revoked before then, should it end meanwhile too, for this consent; not what is being
 * revoked already. Answers the account, where that was over by now.
 */
export async function holdRevocation(
  db: Db,
  { email, consentId, now, heldUntil }: { email: string; consentId: string; now: number; heldUntil: number },
): Promise<EndedGrant | undefined> {
  const others = sql`(
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${calendarAccounts.consents}) where value::float8 > ${now}::float8)`;
  const [[ended]] = await db.batch([
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
      .update(calendarAccounts)
      .set({ consents: sql`${others} || jsonb_build_object(${consentId}::text, ${heldUntil}::float8)` })
      .where(eq(calendarAccounts.userId, userIdOf(email))),
    db
      .update(revocations)
      .set({ heldUntil: sql`greatest(${revocations.heldUntil}, ${at(heldUntil)})` })
      .where(and(eq(revocations.email, email), unleased(now))),
  ]);
  return ended;
}

/** Statement: locks what is to be revoked of this account, so that nobody begins to before the batch is over. */
export const lockRevocation = (db: Db, { providerId }: { providerId: string }) =>
  db
    .select({ providerId: revocations.providerId })
    .from(revocations)
    .where(eq(revocations.providerId, providerId))
    .for('update');

/** Statement, behind the grant that was kept: it replaces the one that was to end. */
export const dropRevocation = (db: Db, { providerId, now }: { providerId: string; now: number }) =>
  db.delete(revocations).where(and(eq(revocations.providerId, providerId), unleased(now)));

/**
 * The user's id; null while the account's grant is being revoked and where it was since then, when they have another
 * account, and once they have ended. What was to be revoked is locked, and there until the grant is kept. That `ended` was over
 * when the consent began is known without a clock; of an account that had another address then, the writers' clocks say it.
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
