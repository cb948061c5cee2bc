import { base64url } from 'jose';
import * as z from 'zod';
import { findPlatformByPublishableKey } from '../../../schema/api-keys/queries.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { sha256 } from '../../keys.ts';
import { finishRevocation } from '../grants/revoke.ts';
import { type AuthorizationRequest, callbackUri, openAuthorization } from './authorization-request.ts';

const Email = z.email().max(254);

/** Starts a person's consent for a platform; answers the provider's consent URL and the state it carries. */
export async function beginConnect(
  ctx: Ctx,
  input: { platformKey: string; userEmail: string; redirectUri?: string | undefined; state?: string | undefined },
) {
  const { redirectUri, state } = input;
  const isGenuine = await ctx.keys.isGenuine(input.platformKey);
  const platform = isGenuine ? await findPlatformByPublishableKey(ctx.db, await sha256(input.platformKey)) : undefined;
  if (platform === undefined) throw refusal('platform_key', 'platform_key is not a live publishable key.');
  if (redirectUri !== undefined && !platform.redirectUris.includes(redirectUri))
    throw refusal('redirect_uri', 'redirect_uri is not among the redirect URIs of this platform.');
  return begin(ctx, {
    email: parseEmail('user_email', input.userEmail),
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
