import type { Context } from 'hono';
import type { Opening } from '../lib/adapters/neon.ts';
import { AppError, InternalError } from '../lib/errors.ts';
import { assertKeyOwner, findKeyOwner, type KeyOwner } from '../schema/api-keys/queries.ts';
import { openContext } from './context.ts';
import type { AppEnv, Caller } from './env.ts';
import { countByIp } from './middleware/rate-limit.ts';

/**
 * Whose the keys are that this isolate has seen, by hash; null for one that has ended, which is for ever. It may be out of
 * date and is never believed: it is asserted in front of the first statements that a request sends to Postgres, which fail
 * with it, and nothing is answered before it has held.
 */
const remembered = new Map<string, KeyOwner | null>();
const MOST_REMEMBERED = 10_000;

/**
 * Makes known who calls, from the hash of their key: as remembered, else as Postgres says. Throws `unauthorized` for a key
 * that has ended or is nobody's.
 */
export async function identify(c: Context<AppEnv>, hash: string): Promise<void> {
  const owner = remembered.get(hash);
  if (owner === null) return refuse(c, 'unauthorized', NOT_VALID);
  if (owner === undefined) {
    await lookUp(c, hash);
    return;
  }
  const { ctx, env } = c.var;
  const opening: Opening = { assertion: assertKeyOwner(ctx.db, { ...owner, hash }).toSQL(), state: 'unasked' };
  c.set('caller', callerOf(owner));
  c.set('claim', { hash, owner, opening });
  c.set('ctx', openContext(ctx, env, opening));
}

/**
 * Runs what a caller asks for. Where they are not who they were remembered as, nothing of it was done, and it runs once
 * more for who they are. Throws `unauthorized` for a key that has ended.
 */
export async function asCaller<A>(c: Context<AppEnv>, run: () => Promise<A>): Promise<A> {
  const first = run();
  await first.catch(() => undefined);
  return (await confirm(c)) ? first : run();
}

/**
 * Whether what was done stands: false where the caller is not who they were remembered as, who nothing was done for; from
 * here on they are who they are. Unless a statement has found out, Postgres is asked. Throws `unauthorized`.
 */
export async function confirm(c: Context<AppEnv>): Promise<boolean> {
  const { claim } = c.var;
  if (claim === undefined || claim.opening.state === 'holds') return true;
  const { hash, owner, opening } = claim;
  c.set('claim', undefined);
  const { state } = opening;
  const now = await lookUp(c, hash);
  opening.state = 'holds';
  // Statements whose answer was lost may have gone in, and then they held.
  return state === 'asked' || (state === 'unasked' && JSON.stringify(now) === JSON.stringify(owner));
}

/** Who calls, as Postgres says. */
async function lookUp(c: Context<AppEnv>, hash: string): Promise<KeyOwner> {
  const { db } = openContext(c.var.ctx, c.var.env);
  const owner = await findKeyOwner(db, { hash });
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(hash, owner ?? null);
  if (owner === undefined) return refuse(c, 'unauthorized', NOT_VALID);
  c.set('caller', callerOf(owner));
  return owner;
}

/** An API key belongs to a platform or to a user. */
function callerOf({ platform, user }: KeyOwner): Caller {
  if (platform !== null) return { kind: 'secret', platform };
  if (user !== null) return { kind: 'user', userId: user.id, email: user.email };
  throw new InternalError('a key without an owner');
}

export const NOT_VALID = 'The API key is not valid.';

/** Refuses a request without a live key, counted by its network. */
export async function refuse(c: Context<AppEnv>, code: 'unauthorized' | 'forbidden', message: string): Promise<never> {
  await countByIp(c);
  throw new AppError(code, message);
}
