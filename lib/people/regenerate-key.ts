import { hasKey, mayHaveNewKey, revokeOwnKeys, selectUserKey } from '../../schema/access/api-keys.ts';
import { both, isStillValid } from '../../schema/access/sessions.ts';
import { lockUser } from '../../schema/access/users.ts';
import { batch } from '../../schema/db.ts';
import { audited } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { insist, insistOnPause, type MadeKey, type NextKey, replaceKey } from '../kit/key-regeneration.ts';

/** Returns undefined for a deleted account. Throws `too_many_regenerations` within an hour of the last replacement. */
export async function makeUserKey(ctx: Ctx, userId: string, asked: NextKey = {}): Promise<MadeKey | undefined> {
  const mayReplace = (since: number) => mayHaveNewKey({ userId, since });
  const replaced = await replaceKey(ctx, { prefix: 'sk_user_', owner: { userId }, mayReplace }, asked);
  const { isToMake: guard, details } = replaced;
  const row = audited(ctx, { userId, action: 'key.created', details, guard });
  const outcome = await insist(ctx, asked, () =>
    batch(ctx.db, { lock: lockUser(ctx.db, userId), audited: row, next: replaced.next, ...replaced.outcome }),
  );
  const made = replaced.read(outcome);
  if (made !== undefined) return made;
  const [live] = await selectUserKey(ctx.db, userId);
  insistOnPause(ctx, live?.replacedAt ?? null);
  return undefined;
}

/** Throws `unauthorized` for a deleted account, and `too_many_regenerations` within an hour of the last replacement. */
export async function regenerateUserKey(ctx: Ctx, userId: string, asked: NextKey = {}): Promise<MadeKey> {
  const made = await makeUserKey(ctx, userId, asked);
  if (made === undefined) throw userGone();
  return made;
}

/** Leaves the keys of their agents. Unlike making a key, revoking has no limit. Does nothing without a key. */
export async function revokeKey(ctx: Ctx, userId: string): Promise<void> {
  const now = ctx.clock.now();
  const isMine = isStillValid(ctx.actor.credential, now);
  await batch(ctx.db, {
    lock: lockUser(ctx.db, userId),
    audited: audited(ctx, { userId, action: 'key.revoked', guard: both(hasKey({ userId, now }), isMine) }),
    revoked: revokeOwnKeys(ctx.db, { userId, now, guard: isMine }),
  });
}
