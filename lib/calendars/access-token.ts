import { claimRefresh, endRefresh, findTokens, saveRefresh } from '../../schema/calendar-accounts/refresh-queries.ts';
import type { Ctx } from '../context.ts';
import { calendarUnavailable, reconnectRequired } from '../errors.ts';
import { GrantError } from '../ports.ts';

/** A token this close to its end is refreshed first. */
const MARGIN_MS = 60_000;
const LEASE_MS = 15_000;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 9_000;

interface Account {
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
  if (account.accessToken !== null && (account.accessExpiresAt ?? 0) > ctx.clock.now() + MARGIN_MS)
    return ctx.sealer.open(account.accessToken);
  return refreshToken(ctx, account);
}

/** Refreshes whatever the stored expiry says: the provider refused the token. */
export async function refreshToken(ctx: Ctx, account: Account): Promise<string> {
  const started = ctx.clock.now();
  while (ctx.clock.now() - started < LONGEST_WAIT_MS) {
    const owner = ctx.ids.id('ref_');
    const now = ctx.clock.now();
    const claimed = await claimRefresh(ctx.db, {
      userId: account.id,
      seen: account.accessToken,
      owner,
      now,
      leaseUntil: now + LEASE_MS,
    });
    if (claimed?.refreshToken) return renew(ctx, account, owner, claimed.refreshToken);
    const current = await findTokens(ctx.db, { userId: account.id });
    if (current === undefined || current.status !== 'connected') throw reconnectRequired(account.email);
    if (current.accessToken !== null && current.accessToken !== account.accessToken)
      return ctx.sealer.open(current.accessToken);
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw calendarUnavailable(account.email);
}

async function renew(ctx: Ctx, account: Account, owner: string, sealed: string): Promise<string> {
  try {
    const fresh = await ctx.oauth.refresh(await ctx.sealer.open(sealed));
    await saveRefresh(ctx.db, {
      userId: account.id,
      owner,
      accessToken: await ctx.sealer.seal(fresh.accessToken),
      accessExpiresAt: fresh.accessExpiresAt,
      refreshToken: fresh.refreshToken === undefined ? undefined : await ctx.sealer.seal(fresh.refreshToken),
      now: ctx.clock.now(),
    });
    return fresh.accessToken;
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    const ended = error.kind === 'invalid_grant';
    await endRefresh(ctx.db, { userId: account.id, owner, now: ctx.clock.now(), ended });
    throw ended ? reconnectRequired(account.email) : calendarUnavailable(account.email, undefined, error);
  }
}
