import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { users } from '../users/table.ts';
import { revocations } from './table.ts';

/** Statement: the refresh token of the account this owner holds is to end at the provider. */
export const insertRevocation = (db: Db, { userId, owner, now }: { userId: string; owner: string; now: number }) =>
  db.execute(sql`
    insert into revocations (provider_id, user_id, email, generation, token, due_at, created_at)
    select a.provider_id, a.user_id, u.email, a.generation, a.refresh_token, ${at(now)}, ${at(now)}
    from ${calendarAccounts} a join ${users} u on u.id = a.user_id
    where a.user_id = ${userId} and a.refresh_token is not null and ${isClaimedBy(userId, owner)}
    on conflict (provider_id) do update
      set user_id = excluded.user_id, email = excluded.email, token = excluded.token, generation = excluded.generation,
        attempts = 0, due_at = excluded.due_at, created_at = excluded.created_at`);

const unleased = (now: number) => or(isNull(revocations.leaseUntil), lte(revocations.leaseUntil, now));

/**
 * Takes what is due and in nobody's hands for one try each and sets the next, a minute later, then two, up to an hour;
 * with `userId` that user's only, due or not. One whose account has had a consent since is left alone.
 */
export async function claimRevocations(
  db: Db,
  input: { owner: string; now: number; leaseUntil: number; limit: number; userId?: string | undefined },
) {
  const { owner, now, leaseUntil, limit, userId } = input;
  const { rows } = await db.execute<{ provider_id: string; user_id: string; token: string; attempts: number }>(sql`
    update ${revocations} set attempts = attempts + 1, owner = ${owner}, lease_until = ${at(leaseUntil)},
      due_at = ${at(now)} + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 6)))
    where provider_id in (
      select r.provider_id from ${revocations} r left join ${calendarAccounts} a on a.provider_id = r.provider_id
      where (a.user_id is null or (a.generation = r.generation and a.status <> 'connected'))
        and ${userId === undefined ? sql`r.due_at <= ${at(now)}` : sql`r.user_id = ${userId}`}
        and (r.lease_until is null or r.lease_until <= ${at(now)})
        and (r.held_until is null or r.held_until <= ${at(now)})
      order by r.due_at limit ${limit} for update of r skip locked)
    returning provider_id, user_id, token, attempts`);
  return rows.map(({ provider_id: providerId, user_id, token, attempts }) => ({
    providerId,
    userId: user_id,
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

/** Keeps this address's grant from being revoked before then; nothing when it is being revoked, or need not be. */
export async function holdRevocation(
  db: Db,
  { email, now, heldUntil }: { email: string; now: number; heldUntil: number },
): Promise<void> {
  await db
    .update(revocations)
    .set({ heldUntil })
    .where(and(eq(revocations.email, email), unleased(now)));
}

/** Statement: a new consent replaces the grant that was to end, unless it is being revoked. */
export const dropRevocation = (db: Db, { providerId, now }: { providerId: string; now: number }) =>
  db.delete(revocations).where(and(eq(revocations.providerId, providerId), unleased(now)));

/** The user's id; null while the account's grant is being revoked, when they have another account, and once they have ended. */
export const unrevokedUserId = (userId: string, providerId: string) => sql<string>`(
  select u.id from users u
  where u.id = ${userId} and u.ended_at is null
    and not exists (select 1 from ${revocations} r where r.provider_id = ${providerId})
    and not exists (select 1 from ${calendarAccounts} a where a.user_id = u.id and a.provider_id <> ${providerId}))`;
