import { insistOnCredential } from '../../schema/access/credentials.ts';
import { lockPlatform } from '../../schema/access/platforms.ts';
import { batch, type Results, type Statement } from '../../schema/db.ts';
import { refusalOf } from '../../schema/refusals.ts';
import type { Ctx } from './context.ts';
import { userGone } from './errors.ts';

/**
 * Runs named statements that change a platform's settings or webhook as one transaction. Throws `unauthorized` if the
 * caller's API key or session is no longer valid. To be certain of that, the transaction locks the platform first, as
 * the replacement of an API key does. A caller whose key is replaced during their request thus changes nothing.
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
