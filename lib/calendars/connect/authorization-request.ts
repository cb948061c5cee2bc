import type { Ctx } from '../../context.ts';
import { readToken, signToken } from '../../signed-token.ts';

/** What a consent under way must remember until the person comes back. */
export interface AuthorizationRequest {
  email: string;
  codeVerifier: string;
  /** Absent when a person signs in to their own page. */
  platformId?: string;
  redirectUri?: string;
  state?: string;
}

const TTL_SECONDS = 600;
const AUDIENCE = 'oauth-state';

/** Where the provider sends the person back to. */
export const callbackUri = (ctx: Ctx) => `${ctx.config.baseUrl}/oauth/callback`;

/** Keeps the request for ten minutes; answers the signed state that takes it once. */
export async function openAuthorization(ctx: Ctx, request: AuthorizationRequest): Promise<string> {
  const id = ctx.ids.secret('');
  await ctx.nonces.put(`oauth:${id}`, JSON.stringify(request), TTL_SECONDS);
  return signToken(ctx, { audience: AUDIENCE, id, seconds: TTL_SECONDS });
}

/** The request of a state, once; else why there is none: a state that is not ours, or not any more, or was used. */
export async function takeAuthorization(ctx: Ctx, state: string): Promise<AuthorizationRequest | 'expired' | 'used'> {
  const signed = await readToken(ctx, AUDIENCE, state);
  if (signed === undefined) return 'expired';
  const kept = await ctx.nonces.take(`oauth:${signed.id}`);
  return kept === null ? 'used' : JSON.parse(kept);
}
