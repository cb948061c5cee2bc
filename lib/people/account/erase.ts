import { anyGrant, lockAccount } from '../../../schema/calendar-accounts/lease-queries.ts';
import { batch } from '../../../schema/db.ts';
import { eraseStatements, findErasable, listMeetingAddresses } from '../../../schema/users/erase-queries.ts';
import { lockUser } from '../../../schema/users/find-queries.ts';
import { hasAddress } from '../../../schema/users/identity-queries.ts';
import { endingOf } from '../../calendars/grants/end-connections.ts';
import { revokeSoon } from '../../calendars/grants/revoke.ts';
import { type Auditing, audited } from '../../kit/audit.ts';
import type { Ctx } from '../../kit/context.ts';
import { FORMER_USER, formerAddress } from '../../kit/former-address.ts';
import { publishAll } from '../../webhooks/outbox.ts';
import { nameOf } from '../../words/title.ts';

/**
 * Deletes a person's account. One batch ends the grant, queues a webhook for every platform the person was connected
 * to, and deletes their keys, preferences, standing rules, weights and the ledger of what Tandem learned about them.
 * Meetings stay as the other person's record, with a placeholder in the deleted person's place. A repeated call has no
 * further effect. The batch locks the person before any row that a change of a meeting locks, and a change of a meeting
 * locks its people first. So a change either commits before the deletion, which then covers it, or sees the deletion.
 */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
  const deleted = await commitDeletion(ctx, userId);
  if (deleted === undefined) return;
  publishAll(ctx, deleted);
  await revokeSoon(ctx, userId);
}

/**
 * Deletes a person's account in the database alone. The background sweep, which runs every minute, sends the events and
 * revokes the grant. Returns the events' deliveries, or undefined if the account is already deleted.
 */
export async function commitDeletion(ctx: Auditing, userId: string) {
  const user = await findErasable(ctx.db, userId);
  if (user === undefined) return undefined;
  const ending = { ...user, userId, reason: 'user_requested', when: anyGrant } as const;
  const { disconnected } = await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    person: lockUser(ctx.db, userId),
    ...endingOf(ctx, ending, ctx.clock.now()),
    ...(await erasing(ctx, { userId, email: user.email })),
  });
  return disconnected;
}

/**
 * Erases a person whose connections with platforms have already ended. Does nothing if the connections ended after
 * `before`, or if the person connected again.
 */
export async function eraseEnded(ctx: Ctx, { userId, before }: { userId: string; before: number }): Promise<void> {
  await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    person: lockUser(ctx.db, userId),
    ...(await erasing(ctx, { userId, endedBefore: before })),
  });
}

async function erasing(ctx: Auditing, { email, ...who }: { userId: string; email?: string; endedBefore?: number }) {
  const inMeetings = await listMeetingAddresses(ctx.db, who.userId);
  const addresses = [...new Set(email === undefined ? inMeetings : [email, ...inMeetings])];
  const former = formerAddress(ctx.ids);
  const statements = eraseStatements(ctx.db, {
    ...who,
    formerAddress: former,
    formerName: FORMER_USER,
    addresses,
    names: namesOf(addresses),
    now: ctx.clock.now(),
  });
  const { userId } = who;
  const guard = hasAddress(userId, former);
  return { ...statements, erasureAudited: audited(ctx, { userId, action: 'person.erased', guard }) };
}

/**
 * Returns a deleted person's names to erase from texts. All of them are erased from meeting titles, where Tandem put
 * them. From longer texts only names of several words are erased, because a single name may also be an ordinary word.
 */
function namesOf(addresses: string[]) {
  const inTitles = [...new Set(addresses.map(nameOf))];
  return { inTitles, inText: inTitles.filter((name) => name.includes(' ')) };
}
