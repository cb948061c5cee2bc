import type { Ctx } from '../../kit/context.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';

/** Data of a person's OAuth consent that Tandem stores until the person returns from the calendar provider. */
export interface AuthorizationRequest {
  email: string;
  codeVerifier: string;
  /** Id of the platform that asked for the consent. Absent if a person signs in to their own page. */
  platformId?: string;
  /** Query of the authorization request of an agent, to which a person returns after signing in. */
  agent?: string;
  redirectUri?: string;
  state?: string;
}

export const TTL_SECONDS = 600;
const AUDIENCE = 'oauth-state';

/** Returns the URI to which the calendar provider sends a person back after consent. */
export const callbackUri = (ctx: Ctx) => `${ctx.config.baseUrl}/oauth/callback`;

/**
 * Stores the data of a person's OAuth consent for ten minutes. Returns the signed state parameter with which the data
 * can be fetched once.
 */
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
