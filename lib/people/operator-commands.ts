import { anyGrant, lockAccount } from '../../schema/access/calendar-accounts.ts';
import { batch } from '../../schema/db.ts';
import { listUserFacts } from '../../schema/upkeep/operators-find.ts';
import { findErasable } from '../../schema/upkeep/users-erase.ts';
import { commitEndOfAccess } from '../calendars/disconnect.ts';
import { endingOf } from '../calendars/grants/end-connections.ts';
import type { Auditing } from '../kit/change.ts';
import { AppError } from '../kit/errors.ts';
import { commitDeletion, eraseGuestRow } from './account/erase.ts';

/** Throws `not_found`, and `invalid_request` for an address that guests of several platforms have. */
export async function showPerson(ctx: Pick<Auditing, 'db' | 'clock'>, text: string) {
  const [person, ...others] = await listUserFacts(ctx.db, { text, now: ctx.clock.now() });
  if (person === undefined)
    throw new AppError('not_found', `Tandem knows nobody with the email address or ID ${text}. Check the spelling.`);
  if (person.guest_of !== null && others.length > 0)
    throw new AppError(
      'invalid_request',
      `${text} is the address of guests of ${others.length + 1} platforms. Give the ID of one of these guests instead: ${namesOf([person, ...others])}.`,
    );
  return { ...person, guests: others.length === 0 ? null : namesOf(others) };
}

const namesOf = (guests: { id: string; guest_of: string | null }[]): string =>
  guests.map(({ id, guest_of: platformId }) => `${id} (guest of ${platformId})`).join(', ');

/** Ends all platforms' access if none is given. The sweep sends events and revokes the grant. Throws `not_found`. */
export async function disconnectPerson(ctx: Auditing, text: string, platformId?: string): Promise<void> {
  const { id: userId } = await showPerson(ctx, text);
  if (platformId !== undefined) {
    const ended = await commitEndOfAccess(ctx, { userId, platformId });
    if (ended === undefined)
      throw new AppError(
        'not_found',
        `The platform ${platformId} has no access to this person's calendar. "npm run admin -- people show" lists the platforms that have access.`,
      );
    return;
  }
  const user = await findErasable(ctx.db, userId);
  if (user === undefined)
    throw new AppError(
      'not_found',
      'This person has no calendar connected to any platform, so there is nothing to disconnect.',
    );
  const ending = { ...user, userId, reason: 'user_requested', when: anyGrant } as const;
  const { ended } = await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    ...endingOf(ctx, ending, ctx.clock.now()),
  });
  if (ended.length === 0)
    throw new AppError(
      'not_found',
      "No platform has access to this person's calendar, so there is nothing to disconnect.",
    );
}

/** Acts as if the person or the guest's platform had asked. The sweep sends events and revokes. Throws `not_found`. */
export async function erasePerson(ctx: Auditing, text: string): Promise<void> {
  const { id: userId, email, guest_of: platformId } = await showPerson(ctx, text);
  const isErased =
    platformId === null
      ? (await commitDeletion(ctx, userId)) !== undefined
      : await eraseGuestRow(ctx, { userId, email, platformId });
  if (!isErased)
    throw new AppError('not_found', "This person's account was deleted before, so there is nothing left to erase.");
}
