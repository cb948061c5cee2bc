import { and, eq, sql } from 'drizzle-orm';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { userIdOf } from '../users/queries.ts';
import { revocations } from './table.ts';

/** Statement: the refresh token of the account this owner holds is to end at the provider. */
export const insertRevocation = (db: Db, { userId, owner, now }: { userId: string; owner: string; now: number }) =>
  db.execute(sql`
    insert into revocations (user_id, token, due_at, created_at)
    select user_id, refresh_token, ${at(now)}, ${at(now)} from ${calendarAccounts}
    where user_id = ${userId} and refresh_token is not null and ${isClaimedBy(userId, owner)}
    on conflict (user_id) do update
      set token = excluded.token, attempts = 0, due_at = excluded.due_at, created_at = excluded.created_at`);

/** Takes what is due for one try each and sets the next, a minute later, then two, up to an hour; `userId` narrows it. */
export async function claimRevocations(db: Db, input: { now: number; limit: number; userId?: string | undefined }) {
  const { now, limit, userId } = input;
  const { rows } = await db.execute<{ user_id: string; token: string; attempts: number }>(sql`
    update revocations set attempts = attempts + 1,
      due_at = ${at(now)} + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 6)))
    where user_id in (
      select user_id from revocations
      where due_at <= ${at(now)} and (${userId ?? null}::text is null or user_id = ${userId ?? null}::text)
      order by due_at limit ${limit} for update skip locked)
    returning user_id, token, attempts`);
  return rows.map((row) => ({ userId: row.user_id, token: row.token, attempts: row.attempts }));
}

/** The provider has this token's end. */
export async function deleteRevocation(db: Db, { userId, token }: { userId: string; token: string }): Promise<void> {
  await db.delete(revocations).where(and(eq(revocations.userId, userId), eq(revocations.token, token)));
}

/** Statement: a new consent replaces the grant that was to end; ending it now would end the new one too. */
export const dropRevocation = (db: Db, email: string) =>
  db.delete(revocations).where(eq(revocations.userId, userIdOf(email)));
