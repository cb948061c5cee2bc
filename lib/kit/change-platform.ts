import { insistOnCredential } from '../../schema/credentials.ts';
import { batch, type Results, type Statement } from '../../schema/db.ts';
import { lockPlatform } from '../../schema/platforms/queries.ts';
import { refusalOf } from '../../schema/refusals.ts';
import type { Ctx } from './context.ts';
import { userGone } from './errors.ts';

/**
 * Runs named statements that change a platform's settings or webhook as one transaction, if the caller's API key or
 * session is still valid. The transaction locks the platform first, as the replacement of a key does, so a caller whose
 * key was replaced after their request was admitted changes nothing. Throws `unauthorized` for such a caller.
 */
export async function changePlatform<T extends Record<string, Statement>>(
  { db, actor, clock }: Pick<Ctx, 'db' | 'actor' | 'clock'>,
  platformId: string,
  statements: T,
): Promise<{ [Name in keyof T]: Results<[T[Name]]>[0] }> {
  try {
    return await batch(db, {
      lock: lockPlatform(db, { platformId }),
      admitted: insistOnCredential(db, { credential: actor.credential, now: clock.now() }),
      ...statements,
    });
  } catch (error) {
    throw refusalOf(error) === 'credential_ended' ? userGone() : error;
  }
}
