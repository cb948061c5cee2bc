import type { Ctx } from '../../kit/context.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';

/** The state of an OAuth consent, stored until the person returns from the provider. */
export interface AuthorizationRequest {
  email: string;
  codeVerifier: string;
  /** Id of the platform that asked for the consent. Absent if a person signs in to their own page. */
  platformId?: string;
  redirectUri?: string;
  state?: string;
}

const TTL_SECONDS = 600;
const AUDIENCE = 'oauth-state';

/** Returns the URI to which the calendar provider sends a person back after consent. */
export const callbackUri = (ctx: Ctx) => `${ctx.config.baseUrl}/oauth/callback`;

/** Stores an OAuth request for ten minutes. Returns a signed state parameter that can redeem the request once. */
export async function openAuthorization(ctx: Ctx, request: AuthorizationRequest): Promise<string> {
  const id = ctx.ids.secret('');
  await ctx.nonces.put(`oauth:${id}`, JSON.stringify(request), TTL_SECONDS);
  return (await signToken(ctx, { audience: AUDIENCE, id, seconds: TTL_SECONDS })).token;
}

/**
 * Redeems an OAuth state parameter for its stored request, once. Returns `expired` if the state is forged or too old,
 * and `used` if it was redeemed before.
 */
export async function takeAuthorization(ctx: Ctx, state: string): Promise<AuthorizationRequest | 'expired' | 'used'> {
  const signed = await readToken(ctx, AUDIENCE, state);
  if (signed === undefined) return 'expired';
  const kept = await ctx.nonces.take(`oauth:${signed.id}`);
  return kept === null ? 'used' : JSON.parse(kept);
}
