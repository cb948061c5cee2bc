import { findUserKey, insertUserKey, mayHaveNewKey, revokeUserKey } from '../../schema/api-keys/queries.ts';
import { batch } from '../../schema/db.ts';
import { findUserWithAccount, lockUser } from '../../schema/users/queries.ts';
import { platformsWithAccess } from '../calendars/connections.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { maskKey, sha256 } from '../keys.ts';

/** A key that took another's place stays for so long (decisions, Keys). */
const REPLACED_ONCE_MS = 3_600_000;

/** What a person's own page shows; undefined for an id that is no user's. `newKeyAt` is set while they must wait. */
export async function myPage(ctx: Ctx, userId: string) {
  const [user, key, platforms] = await Promise.all([
    findUserWithAccount(ctx.db, userId),
    findUserKey(ctx.db, userId),
    platformsWithAccess(ctx, userId),
  ]);
  if (user === undefined) return undefined;
  return {
    email: user.email,
    status: user.status ?? 'disconnected',
    platforms,
    maskedKey: key?.masked ?? undefined,
    newKeyAt: waitsUntil(ctx, key?.replacedAt ?? null),
  };
}

/**
 * Makes a user's key and ends the one before; the key is shown once. Undefined for somebody who is a user no more; throws
 * `too_many_regenerations` when a key was replaced within the hour.
 */
export async function makeUserKey(ctx: Ctx, userId: string): Promise<string | undefined> {
  const key = await ctx.keys.create('sk_user_');
  const now = ctx.clock.now();
  const guard = mayHaveNewKey({ userId, since: now - REPLACED_ONCE_MS });
  const { made } = await batch(ctx.db, {
    lock: lockUser(ctx.db, userId),
    former: revokeUserKey(ctx.db, { userId, now, guard }),
    made: insertUserKey(ctx.db, { userId, hash: await sha256(key), masked: maskKey(key), now, guard }),
  });
  if (made.rows.length > 0) return key;
  const until = waitsUntil(ctx, (await findUserKey(ctx.db, userId))?.replacedAt ?? null);
  if (until === undefined) return undefined;
  throw new AppError(
    'too_many_regenerations',
    `A key can be replaced once an hour. The next can be made ${fromThen(until)}.`,
    {
      retryAfterSeconds: (until - now) / 1_000,
      body: { resets_at: new Date(until).toISOString() },
    },
  );
}

function waitsUntil(ctx: Ctx, replacedAt: number | null): number | undefined {
  const until = (replacedAt ?? 0) + REPLACED_ONCE_MS;
  return until > ctx.clock.now() ? until : undefined;
}

/** "from 14:05 UTC on", never too early. */
export const fromThen = (instant: number) =>
  `from ${new Date(Math.ceil(instant / 60_000) * 60_000).toISOString().slice(11, 16)} UTC on`;
