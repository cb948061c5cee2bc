import {
  claimRefresh,
  findTokens,
  releaseRefresh,
  saveRefresh,
} from '../../../schema/calendar-accounts/refresh-queries.ts';
import type { Ctx } from '../../context.ts';
import { calendarUnavailable, reconnectRequired } from '../../errors.ts';
import { GrantError } from '../../ports.ts';
import { accessTokenOf as placeOfAccess, refreshTokenOf } from '../../sealed-places.ts';
import { endGrant } from './reauthorization.ts';

/** A token this close to its end is refreshed first. */
const MARGIN_MS = 60_000;
const LEASE_MS = 15_000;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 9_000;

/** Whose calendar it is, with the sealed access token. */
export interface Account {
  id: string;
  email: string;
  status: 'connected' | 'needs_reauthorization' | 'disconnected';
  accessToken: string | null;
  accessExpiresAt: number | null;
}

/**
 * A live access token of the account, refreshed once however many requests race.
 * Throws `calendar_reconnect_required` when the grant has ended, `calendar_unavailable` when the provider failed.
 */
export async function accessTokenOf(ctx: Ctx, account: Account): Promise<string> {
  if (account.status !== 'connected') throw reconnectRequired(account.email);
  if (account.accessToken !== null && isFresh(ctx, account))
    return ctx.sealer.open(account.accessToken, placeOfAccess(account.id));
  return refreshToken(ctx, account, { refused: false });
}

/** Whether the access token that was read will do for a while. */
export const isFresh = (ctx: Ctx, { accessToken, accessExpiresAt }: Account): boolean =>
  accessToken !== null && (accessExpiresAt ?? 0) > ctx.clock.now() + MARGIN_MS;

/** Refreshes whatever the stored expiry says; `refused` when the provider did not accept the token. */
export async function refreshToken(ctx: Ctx, account: Account, { refused }: { refused: boolean }): Promise<string> {
  const started = ctx.clock.now();
  let seen = account;
  while (ctx.clock.now() - started < LONGEST_WAIT_MS) {
    const renewing = claimAndRenew(ctx, seen, refused);
    // A request that ends early, as when the other calendar fails, must not leave its claim behind.
    ctx.later(renewing.catch(() => undefined));
    const renewed = await renewing;
    if (renewed !== undefined) return renewed;
    const current = await findTokens(ctx.db, { userId: account.id });
    if (current === undefined || current.status !== 'connected') throw reconnectRequired(account.email);
    if (current.accessToken !== null && current.accessToken !== seen.accessToken) {
      const token = await ctx.sealer.open(current.accessToken, placeOfAccess(account.id));
      if (!(await isSealedIn(ctx, seen, token))) return token;
      seen = { ...seen, accessToken: current.accessToken };
      continue;
    }
    await ctx.sleep(WAIT_MS);
  }
  throw calendarUnavailable(account.email);
}

/** Whether it is the same token as before, sealed anew. */
const isSealedIn = async (ctx: Ctx, { id, accessToken }: Account, token: string): Promise<boolean> =>
  accessToken !== null && token === (await ctx.sealer.open(accessToken, placeOfAccess(id)));

/** The fresh token; undefined when another is at it or the token is no longer the one that was seen. */
async function claimAndRenew(ctx: Ctx, account: Account, refused: boolean): Promise<string | undefined> {
  const { id, email, accessToken: seen } = account;
  const owner = ctx.ids.id('ref_');
  const now = ctx.clock.now();
  const claimed = await claimRefresh(ctx.db, { userId: id, seen, owner, now, leaseUntil: now + LEASE_MS });
  if (!claimed?.refreshToken) return undefined;
  const isRevoked = refused && (account.accessExpiresAt ?? 0) > now;
  return renew(ctx, { id, email, providerId: claimed.providerId, owner, isRevoked }, claimed.refreshToken);
}

async function renew(ctx: Ctx, account: Parameters<typeof endGrant>[1], sealed: string): Promise<string> {
  const { id: userId, email, owner } = account;
  try {
    const fresh = await ctx.oauth.refresh(await ctx.sealer.open(sealed, refreshTokenOf(userId)));
    await saveRefresh(ctx.db, {
      userId,
      owner,
      accessToken: await ctx.sealer.seal(fresh.accessToken, placeOfAccess(userId)),
      accessExpiresAt: fresh.accessExpiresAt,
      refreshToken:
        fresh.refreshToken === undefined
          ? undefined
          : await ctx.sealer.seal(fresh.refreshToken, refreshTokenOf(userId)),
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
