import { lockActive, lockPlatform } from '../../schema/access/platforms.ts';
import { insistOnCredential, insistOnWorking } from '../../schema/access/sessions.ts';
import { lockUser } from '../../schema/access/users.ts';
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
  return admitted(
    batch(db, {
      lock: lockPlatform(db, { platformId }),
      admitted: insistOnCredential(db, { credential: actor.credential, now: clock.now() }),
      ...statements,
    }),
  );
}

/** Does the same for a user's own data, which a replaced key that still works may change. */
export async function changeUser<T extends Record<string, Statement>>(
  { db, actor, clock }: Pick<Ctx, 'db' | 'actor' | 'clock'>,
  userId: string,
  statements: T,
): Promise<{ [Name in keyof T]: Results<[T[Name]]>[0] }> {
  const { credential } = actor;
  const [lock, works] = [lockUser(db, userId), insistOnWorking(db, { credential, now: clock.now() })];
  return admitted(batch(db, { lock, works, ...statements }));
}

/** Begins a batch that changes other rows than the platform's, so that such batches need not wait for each other. */
export const insistOnCaller = ({ db, actor, clock }: Pick<Ctx, 'db' | 'actor' | 'clock'>, platformId: string) => ({
  active: lockActive(db, { platformId }),
  admitted: insistOnCredential(db, { credential: actor.credential, now: clock.now() }),
});

/** Throws `unauthorized` for a batch that was refused because the caller's API key or session has ended. */
export const admitted = <T>(sent: Promise<T>): Promise<T> =>
  sent.catch((error: unknown) => {
    throw refusalOf(error) === 'credential_ended' ? userGone() : error;
  });
