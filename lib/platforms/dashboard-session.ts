import { findSecretKeyHash } from '../../schema/api-keys/queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { sha256 } from '../keys.ts';
import { createSession } from '../page-session.ts';
import { readToken, type Signed, signToken } from '../signed-token.ts';

const LINK_SECONDS = 600;
const AUDIENCE = 'dashboard-link';

/**
 * A link that opens the platform's dashboard once, within ten minutes. The link and the session it opens stand for the
 * secret key they were made with, so that both end with it: who regenerates a key that got out ends what it opened.
 */
export async function dashboardLink(ctx: Ctx, platformId: string): Promise<{ url: string; expiresAt: number }> {
  const keyHash = await findSecretKeyHash(ctx.db, { platformId });
  if (keyHash === undefined) throw userGone();
  const token = { audience: AUDIENCE, id: ctx.ids.id('link_'), subject: keyHash, seconds: LINK_SECONDS };
  const url = new URL('/dashboard/enter', ctx.config.baseUrl);
  url.searchParams.set('link', await signToken(ctx, token));
  return { url: url.href, expiresAt: (Math.floor(ctx.clock.now() / 1000) + LINK_SECONDS) * 1000 };
}

/** The SHA-256 of the secret key a link stands for; undefined for a forged or expired one. */
export async function keyHashOfLink(ctx: Ctx, link: string): Promise<string | undefined> {
  return (await readLink(ctx, link))?.subject;
}

const readLink = (ctx: Ctx, link: string): Promise<Signed | undefined> => readToken(ctx, AUDIENCE, link);

/**
 * A session of the dashboard for the first browser that comes with a link, by a secret of that browser: it alone may come
 * again, as a form can be sent twice or its answer be lost. Undefined for a forged, expired or used link.
 */
export async function enterDashboard(ctx: Ctx, link: string, browser: string): Promise<string | undefined> {
  const signed = await readLink(ctx, link);
  if (signed?.subject === undefined) return undefined;
  const isFirst = await ctx.nonces.claim(`dashboard:${signed.id}`, await sha256(browser), LINK_SECONDS);
  return isFirst ? createSession(ctx, 'dashboard', signed.subject) : undefined;
}
