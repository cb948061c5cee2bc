import { base64url } from 'jose';
import * as z from 'zod';
import { findPlatformByPublishableKey } from '../../../schema/api-keys/queries.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { hmacSha256 } from '../../hmac.ts';
import { sha256 } from '../../keys.ts';
import { finishRevocation } from '../grants/revoke.ts';
import { type AuthorizationRequest, callbackUri, openAuthorization } from './authorization-request.ts';

const Email = z.email().max(254);

/** What a platform's link to a person carries. */
export interface ConnectLink {
  platformKey: string;
  userEmail: string;
  redirectUri?: string | undefined;
  state?: string | undefined;
}

/** Who asks for whose calendar by this link; throws `invalid_request` for one that does not work. */
export async function readConnectLink(ctx: Ctx, link: ConnectLink) {
  const { platformKey, redirectUri } = link;
  const isGenuine = await ctx.keys.isGenuine(platformKey);
  const platform = isGenuine ? await findPlatformByPublishableKey(ctx.db, await sha256(platformKey)) : undefined;
  if (platform === undefined) throw refusal('platform_key', 'platform_key is not a live publishable key.');
  if (redirectUri !== undefined && !platform.redirectUris.includes(redirectUri))
    throw refusal('redirect_uri', 'redirect_uri is not among the redirect URIs of this platform.');
  return { platform, email: parseEmail('user_email', link.userEmail) };
}

/** What the page about a link carries, so that only who was shown it goes on; `nonce` is their browser's. */
export const consentToken = (ctx: Ctx, nonce: string, { platformKey, userEmail, redirectUri, state }: ConnectLink) =>
  hmacSha256(
    ctx.config.sessionSecret,
    `consent:${JSON.stringify([nonce, platformKey, userEmail, redirectUri ?? null, state ?? null])}`,
  );

/** Starts a person's consent for a platform; answers the provider's consent URL and the state it carries. */
export async function beginConnect(ctx: Ctx, link: ConnectLink) {
  const { platform, email } = await readConnectLink(ctx, link);
  const { redirectUri, state } = link;
  return begin(ctx, {
    email,
    platformId: platform.id,
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(state === undefined ? {} : { state }),
  });
}

/** Starts a person's sign-in to their own page. */
export async function beginLogin(ctx: Ctx, userId: string) {
  return begin(ctx, { email: parseEmail('user_id', userId) });
}

async function begin(ctx: Ctx, request: Omit<AuthorizationRequest, 'codeVerifier'>) {
  await finishRevocation(ctx, request.email);
  const codeVerifier = ctx.ids.secret('');
  const state = await openAuthorization(ctx, { ...request, codeVerifier });
  const url = ctx.oauth.consentUrl({
    redirectUri: callbackUri(ctx),
    state,
    loginHint: request.email,
    codeChallenge: await challengeOf(codeVerifier),
  });
  return { url, state };
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url.encode(new Uint8Array(digest));
}

function parseEmail(field: string, text: string): string {
  const parsed = Email.safeParse(text.trim().toLowerCase());
  if (!parsed.success) throw refusal(field, `${field} must be an e-mail address.`);
  return parsed.data;
}

const refusal = (field: string, message: string) => new AppError('invalid_request', message, { field });
