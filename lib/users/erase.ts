import { anyGrant, lockAccount } from '../../schema/calendar-accounts/claim-queries.ts';
import { batch } from '../../schema/db.ts';
import { eraseStatements, findErasable, listMeetingAddresses } from '../../schema/users/erase-queries.ts';
import { endingOf } from '../calendars/grants/end.ts';
import { revokeSoon } from '../calendars/grants/revoke.ts';
import type { Ctx } from '../context.ts';
import { FORMER_USER, formerAddress } from '../former-address.ts';
import { nameOf } from '../scheduling/title.ts';
import { publishAll } from '../webhooks/outbox.ts';

/**
 * Deletes a person: the grant is revoked, every platform that had them told, and their keys, preferences, weights and
 * ledger are gone in one batch. Meetings stay as the other person's record, with a former user in their place. Asked
 * again, nothing is left to do.
 */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
  const user = await findErasable(ctx.db, userId);
  if (user === undefined) return;
  const now = ctx.clock.now();
  const addresses = [...new Set([user.email, ...(await listMeetingAddresses(ctx.db, userId))])];
  const ending = {
    userId,
    email: user.email,
    providerId: user.providerId,
    reason: 'user_requested',
    when: anyGrant,
  } as const;
  const { disconnected } = await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    ...endingOf(ctx, ending, now),
    ...eraseStatements(ctx.db, {
      userId,
      formerAddress: formerAddress(ctx.ids),
      formerName: FORMER_USER,
      addresses,
      names: namesOf(addresses),
      now,
    }),
  });
  publishAll(ctx, disconnected);
  await revokeSoon(ctx, userId);
}

/** A single word may be any word in longer text; in a title it is the name we put there. */
function namesOf(addresses: string[]) {
  const inTitles = [...new Set(addresses.map(nameOf))];
  return { inTitles, inText: inTitles.filter((name) => name.includes(' ')) };
}
