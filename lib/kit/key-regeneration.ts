import * as keyRows from '../../schema/access/api-keys.ts';
import { both, isStillValid } from '../../schema/access/sessions.ts';
import type { Guard } from '../../schema/db.ts';
import { HOUR, MINUTE } from '../engine/time/dates.ts';
import type { Ctx } from './context.ts';
import { AppError, formerKey } from './errors.ts';
import { maskKey, sha256 } from './ids.ts';
import { secretOfForm } from './page-session.ts';
import type { KeyPrefix } from './ports.ts';

/** Decided in schema/DECISIONS.md, "Replacing a key". */
const REPLACED_ONCE_MS = HOUR;

export interface NextKey {
  /** A form makes the key first, because it must show the same key however often it is sent. */
  key?: string | undefined;
  /** Hours for which the replaced API key still works. Without this field the replaced key is refused at once. */
  keepHours?: number | undefined;
  /** `Idempotency-Key` of the request. Together with the replaced API key, it determines the new one. */
  idempotencyKey?: string | undefined;
}

/** `formerUntil` is undefined if the replaced key was refused at once. */
export type MadeKey = { key: string; formerUntil: number | undefined };

interface Replacement {
  prefix: KeyPrefix;
  owner: keyRows.Owner;
  /** Returns an SQL condition that is true if no key of the owner was replaced since `since`, in epoch milliseconds. */
  mayReplace: (since: number) => Guard;
}

/** Time in milliseconds for which a repeated request gets the API key that the first one made. */
const SHOWN_FOR_MS = 10 * MINUTE;

/**
 * `made` has a row if the new key is accepted now, and `ever` if it was made at any time, even by an earlier request.
 * `former` has the time from which the key that sent the request is refused, or for a session the owner's former key.
 */
type Outcome = { made: unknown[]; ever: { createdAt: number }[]; former: { revokedAt: number | null }[] };

/**
 * Returns statements for the caller's batch: `next` replaces the key, and `outcome` finds out if that happened. `read`
 * returns the new key, or undefined if none was made. It throws `idempotency_key_reused` if an earlier request made
 * this key and it was replaced or revoked since, or too long ago, or for other hours, and `forbidden` if the key that
 * sent the request was replaced before.
 */
export async function replaceKey(ctx: Ctx, { prefix, owner, mayReplace }: Replacement, asked: NextKey) {
  const key = await nextKeyOf(ctx, prefix, asked);
  const [hash, masked] = [await sha256(key), maskKey(key)];
  const [now, sender] = [ctx.clock.now(), keyOf(ctx)];
  const { keepHours } = asked;
  // The key that sent the request works on until then. A session has no hash: the current key works on.
  const keep = keepHours === undefined ? undefined : { until: now + keepHours * HOUR, hash: sender };
  const guard = both(isStillValid(ctx.actor.credential, now), mayReplace(now - REPLACED_ONCE_MS));
  return {
    now,
    /** True before `next` if that is going to make the key, so it is told once, however many requests ask for it. */
    isToMake: both(keyRows.isNewKey(hash), guard),
    details: { key: masked, ...(keepHours !== undefined && { keep_old_for_hours: keepHours }) },
    next: keyRows.insertNextKey(ctx.db, { owner, hash, masked, now, keep, guard }),
    outcome: {
      made: keyRows.selectAccepted(ctx.db, { hash, now }),
      ever: keyRows.selectMade(ctx.db, { hash }),
      former:
        sender === undefined ? keyRows.selectFormer(ctx.db, { owner }) : keyRows.selectMade(ctx.db, { hash: sender }),
    },
    read: (outcome: Outcome) => readMade(ctx, outcome, { key, asked, now }),
  };
}

function readMade(
  ctx: Pick<Ctx, 'actor'>,
  { made, ever: [first], former }: Outcome,
  { key, asked, now }: { key: string; asked: NextKey; now: number },
): MadeKey | undefined {
  const until = former[0]?.revokedAt ?? 0;
  // A key that another request has just replaced without keeping it ends about now.
  const formerUntil = until > now + MINUTE ? until : undefined;
  const sender = keyOf(ctx);
  if (first === undefined && sender !== undefined && formerUntil !== undefined) throw formerKey();
  if (first === undefined) return undefined;
  if (made.length === 0) throw keyIsOver(asked);
  const keptMs = formerUntil && formerUntil - first.createdAt;
  const askedMs = asked.keepHours && asked.keepHours * HOUR;
  if (sender !== undefined && keptMs !== askedMs)
    throw reused(
      'This Idempotency-Key made an API key with another `keep_old_for_hours`. Repeat that request unchanged, or use a new Idempotency-Key.',
    );
  if (now - first.createdAt > SHOWN_FOR_MS)
    throw reused(
      `The API key that this request made is shown for ${SHOWN_FOR_MS / MINUTE} minutes only, and they are over. To make another API key, use a new Idempotency-Key or a new form.`,
    );
  return { key, formerUntil };
}

/** An `Idempotency-Key` and the key that sent the request derive it, so that a retry shows the first one's key. */
async function nextKeyOf(
  ctx: Pick<Ctx, 'keys' | 'actor' | 'config'>,
  prefix: KeyPrefix,
  { key, idempotencyKey: once }: NextKey,
): Promise<string> {
  const { credential } = ctx.actor;
  if (key !== undefined) return key;
  if (once === undefined || credential === undefined || !('key' in credential)) return ctx.keys.create(prefix);
  const { secret } = await secretOfForm(ctx, { session: `key:${credential.key}`, once });
  return ctx.keys.complete(secret(prefix));
}

const keyOf = ({ actor: { credential } }: Pick<Ctx, 'actor'>) =>
  credential !== undefined && 'key' in credential ? credential.key : undefined;

/** Sends the batch twice if need be, because the database may have made the key while its answer was lost. */
export async function insist<T>(ctx: Pick<Ctx, 'log'>, asked: NextKey, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    ctx.log('warn', 'a key may have been replaced, asked once more', { error });
    try {
      return await send();
    } catch (cause) {
      throw new AppError('internal_error', adviceFor(asked), {}, cause);
    }
  }
}

const adviceFor = ({ keepHours, idempotencyKey }: NextKey) => {
  const unknown = 'The database did not answer, so the API key may have been replaced.';
  const recover =
    "If you then have no key that may make another, the operator of this service can reissue a platform's key, and a person can make a new key on their own page.";
  if (keepHours === undefined) return `${unknown} Try again. ${recover}`;
  return idempotencyKey === undefined
    ? `${unknown} Your current API key still works. Try again. If the response is 403, the key was replaced. ${recover}`
    : `${unknown} Your current API key still works. To get the new key, try again with the same Idempotency-Key.`;
};

/** Undefined if the key may be replaced now. All times are in epoch milliseconds. */
export function waitsUntil(ctx: Pick<Ctx, 'clock'>, replacedAt: number | null): number | undefined {
  const until = (replacedAt ?? 0) + REPLACED_ONCE_MS;
  return until > ctx.clock.now() ? until : undefined;
}

export function insistOnPause(ctx: Pick<Ctx, 'clock'>, replacedAt: number | null): void {
  const until = waitsUntil(ctx, replacedAt);
  if (until === undefined) return;
  throw new AppError(
    'too_many_regenerations',
    `An API key can be replaced once an hour. You can replace this API key again ${fromThen(until)}.`,
    { retryAfterSeconds: (until - ctx.clock.now()) / 1_000, usage: { limit: 1, used: 1, resetsAt: until } },
  );
}

const reused = (message: string) => new AppError('idempotency_key_reused', message);

const keyIsOver = ({ idempotencyKey }: NextKey) =>
  reused(
    idempotencyKey === undefined
      ? 'This form already made an API key, and that API key was replaced or revoked since. Reload the page to make another API key.'
      : 'The API key that was made with this Idempotency-Key was replaced or revoked since. To make another API key, use a new Idempotency-Key.',
  );

/** Formats an instant as "from 14:05 UTC on", rounded up to the minute so that it is never too early. */
const fromThen = (instant: number) =>
  `from ${new Date(Math.ceil(instant / MINUTE) * MINUTE).toISOString().slice(11, 16)} UTC on`;
