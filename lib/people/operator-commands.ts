import { anyGrant, lockAccount } from '../../schema/calendar-accounts/lease-queries.ts';
import { batch } from '../../schema/db.ts';
import { findUserFacts } from '../../schema/operators/find-queries.ts';
import { findErasable } from '../../schema/users/erase-queries.ts';
import { commitEndOfAccess } from '../calendars/disconnect.ts';
import { endingOf } from '../calendars/grants/end-connections.ts';
import type { Auditing } from '../kit/audit.ts';
import { AppError } from '../kit/errors.ts';
import { commitDeletion } from './account/erase.ts';

/** Returns a person, found by address or id, with the facts that an operator needs. Throws `not_found`. */
export async function showPerson(ctx: Pick<Auditing, 'db' | 'clock'>, text: string) {
  const person = await findUserFacts(ctx.db, { text, now: ctx.clock.now() });
  if (person === undefined)
    throw new AppError('not_found', `Nobody has the address or id ${text}. Check the spelling.`);
  return person;
}

/**
 * Ends a platform's access to a person's calendar, or the access of all platforms if none is given. The background
 * sweep, which runs every minute, sends the events and revokes the grant. Throws `not_found`.
 */
export async function disconnectPerson(ctx: Auditing, text: string, platformId?: string): Promise<void> {
  const { id: userId } = await showPerson(ctx, text);
  if (platformId !== undefined) {
    const ended = await commitEndOfAccess(ctx, { userId, platformId });
    if (ended === undefined)
      throw new AppError(
        'not_found',
        `${platformId} has no access to this person's calendar. "people show" lists the platforms that have.`,
      );
    return;
  }
  const user = await findErasable(ctx.db, userId);
  if (user === undefined)
    throw new AppError('not_found', 'This person has no calendar connected, so there is nothing to disconnect.');
  const ending = { ...user, userId, reason: 'user_requested', when: anyGrant } as const;
  const { ended } = await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    ...endingOf(ctx, ending, ctx.clock.now()),
  });
  if (ended.length === 0) throw new AppError('not_found', "No platform has access to this person's calendar.");
}

/**
 * Deletes a person's account as if they had asked for it themselves. The background sweep, which runs every minute,
 * sends the events and revokes the grant. Throws `not_found`.
 */
export async function erasePerson(ctx: Auditing, text: string): Promise<void> {
  const { id } = await showPerson(ctx, text);
  if ((await commitDeletion(ctx, id)) === undefined)
    throw new AppError('not_found', 'This person was deleted before, and nothing is left to erase.');
}
