import {
  findTokens,
  leaseRefresh,
  releaseRefresh,
  saveRefresh,
} from '../../schema/access/calendar-accounts-refresh.ts';
import type { PersonRow } from '../../schema/access/people.ts';
import { MINUTE } from '../engine/time/dates.ts';
import { CalendarError, GrantError } from '../kit/calendar-ports.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, calendarUnavailable, reconnectRequired } from '../kit/errors.ts';
import { accessTokenPlace, refreshTokenPlace } from '../kit/reseal.ts';
import { endGrant } from './grants/end-connections.ts';

/** Refreshes a rejected token once, and repeats the call. Throws `CalendarError` for the provider's other errors. */
export async function withCalendar<T>(ctx: Ctx, person: Account, call: (accessToken: string) => Promise<T>) {
  const token = await accessTokenOf(ctx, person);
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'unauthorized') throw error;
    return call(await refreshToken(ctx, person, { refused: true }));
  }
}

export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CalendarError && ['not_found', 'forbidden'].includes(error.kind)) return undefined;
    throw error;
  }
}

export function calendarFailure(error: unknown, email: string): unknown {
  if (!(error instanceof CalendarError)) return error;
  if (error.kind === 'unauthorized') return reconnectRequired(email);
  if (error.kind === 'unavailable') return calendarUnavailable(email, error.retryAfterSeconds, error);
  if (error.kind === 'changed')
    return new AppError(
      'calendar_unavailable',
      `The event on the calendar of ${email} kept changing while Tandem tried to update the event. Send the same request again.`,
      { email },
      error,
    );
  return new AppError(
    'calendar_refused',
    `The calendar of ${email} refused the request. Check that ${email} may still use that calendar.`,
    { email },
    error,
  );
}

/** Time in milliseconds after the first attempt of a calendar call within which a retry may start. */
const BUDGET_MS = 6_000;
const FIRST_WAIT_MS = 250;

/**
 * Use it only for calls that are safe to repeat. Pauses grow, honor `Retry-After` and stay within the budget. After an
 * attempt that may have succeeded a refusal proves nothing, so it becomes `unavailable`.
 */
export async function retryTransient<T>(ctx: Ctx, call: () => Promise<T>): Promise<T> {
  const lastStart = ctx.clock.now() + BUDGET_MS;
  for (let wait = FIRST_WAIT_MS, isUnknown = false; ; wait *= 2, isUnknown = true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CalendarError) || error.kind !== 'unavailable')
        throw isUnknown ? new CalendarError('unavailable', String(error), undefined, error) : error;
      const pause = Math.max(wait, (error.retryAfterSeconds ?? 0) * 1_000);
      if (ctx.clock.now() + pause > lastStart) throw error;
      await ctx.sleep(pause);
    }
  }
}

/** Remaining lifetime in milliseconds below which Tandem refreshes an access token before it uses the token. */
const MARGIN_MS = MINUTE;
const LEASE_MS = 15_000;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 9_000;

export type Account = Pick<PersonRow, 'id' | 'email' | 'status' | 'accessToken' | 'accessExpiresAt'>;

/**
 * One of several concurrent requests refreshes the token, and the others wait. Throws `calendar_reconnect_required` if
 * the grant has ended, and `calendar_unavailable` if the provider failed.
 */
async function accessTokenOf(ctx: Ctx, account: Account): Promise<string> {
  if (account.status !== 'connected') throw reconnectRequired(account.email);
  if (account.accessToken !== null && isFresh(ctx, account))
    return ctx.sealer.open(account.accessToken, accessTokenPlace(account.id));
  return refreshToken(ctx, account, { refused: false });
}

export const isFresh = (ctx: Ctx, { accessToken, accessExpiresAt }: Account): boolean =>
  accessToken !== null && (accessExpiresAt ?? 0) > ctx.clock.now() + MARGIN_MS;

/** `refused` is true if the provider rejected the current token, which is then refreshed before its expiry. */
async function refreshToken(ctx: Ctx, account: Account, { refused }: { refused: boolean }): Promise<string> {
  const started = ctx.clock.now();
  let seen = account;
  while (ctx.clock.now() - started < LONGEST_WAIT_MS) {
    const renewing = leaseAndRenew(ctx, seen, refused);
    // A request may end early, for example if the other calendar fails. Its refresh still frees the lease.
    ctx.later(renewing.catch(() => undefined));
    const renewed = await renewing;
    if (renewed !== undefined) return renewed;
    const current = await findTokens(ctx.db, { userId: account.id });
    if (current === undefined || current.status !== 'connected') throw reconnectRequired(account.email);
    if (current.accessToken !== null && current.accessToken !== seen.accessToken) {
      const token = await ctx.sealer.open(current.accessToken, accessTokenPlace(account.id));
      if (!(await isSealedIn(ctx, seen, token))) return token;
      seen = { ...seen, accessToken: current.accessToken };
      continue;
    }
    await ctx.sleep(WAIT_MS);
  }
  throw calendarUnavailable(account.email);
}

/** Stored texts of one token differ, because they are encrypted again when the encryption key changes. */
const isSealedIn = async (ctx: Ctx, { id, accessToken }: Account, token: string): Promise<boolean> =>
  accessToken !== null && token === (await ctx.sealer.open(accessToken, accessTokenPlace(id)));

/** Returns undefined if another request has the lease, a lock that expires, or has already replaced the token. */
async function leaseAndRenew(ctx: Ctx, account: Account, refused: boolean): Promise<string | undefined> {
  const { id, email, accessToken: seen } = account;
  const owner = ctx.ids.id('ref_');
  const now = ctx.clock.now();
  const leased = await leaseRefresh(ctx.db, { userId: id, seen, owner, now, leaseUntil: now + LEASE_MS });
  if (!leased?.refreshToken) return undefined;
  const isRevoked = refused && (account.accessExpiresAt ?? 0) > now;
  return renew(ctx, { id, email, providerId: leased.providerId, owner, isRevoked }, leased.refreshToken);
}

async function renew(ctx: Ctx, account: Parameters<typeof endGrant>[1], sealed: string): Promise<string> {
  const { id: userId, email, owner } = account;
  try {
    const fresh = await ctx.oauth.refresh(await ctx.sealer.open(sealed, refreshTokenPlace(userId)));
    await saveRefresh(ctx.db, {
      userId,
      owner,
      accessToken: await ctx.sealer.seal(fresh.accessToken, accessTokenPlace(userId)),
      accessExpiresAt: fresh.accessExpiresAt,
      refreshToken:
        fresh.refreshToken === undefined
          ? undefined
          : await ctx.sealer.seal(fresh.refreshToken, refreshTokenPlace(userId)),
      now: ctx.clock.now(),
    });
    return fresh.accessToken;
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    if (error.kind === 'invalid_grant') {
      await endGrant(ctx, account);
      throw reconnectRequired(email);
    }
    await releaseRefresh(ctx.db, { userId, owner });
    throw calendarUnavailable(email, undefined, error);
  }
}
