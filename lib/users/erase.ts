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
  const ending = { ...user, userId, reason: 'user_requested', when: anyGrant } as const;
  const { disconnected } = await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    ...endingOf(ctx, ending, ctx.clock.now()),
    ...(await erasing(ctx, { userId, email: user.email })),
  });
  publishAll(ctx, disconnected);
  await revokeSoon(ctx, userId);
}

/** The same for somebody whose connections have ended already, if they have ended before then and not come back. */
export async function eraseEnded(ctx: Ctx, { userId, before }: { userId: string; before: number }): Promise<void> {
  await batch(ctx.db, { lock: lockAccount(ctx.db, userId), ...(await erasing(ctx, { userId, endedBefore: before })) });
}

async function erasing(ctx: Ctx, { email, ...who }: { userId: string; email?: string; endedBefore?: number }) {
  const inMeetings = await listMeetingAddresses(ctx.db, who.userId);
  const addresses = [...new Set(email === undefined ? inMeetings : [email, ...inMeetings])];
  return eraseStatements(ctx.db, {
    ...who,
    formerAddress: formerAddress(ctx.ids),
    formerName: FORMER_USER,
    addresses,
    names: namesOf(addresses),
    now: ctx.clock.now(),
  });
}

/** A single word may be any word in longer text; in a title it is the name we put there. */
function namesOf(addresses: string[]) {
  const inTitles = [...new Set(addresses.map(nameOf))];
  return { inTitles, inText: inTitles.filter((name) => name.includes(' ')) };
}
