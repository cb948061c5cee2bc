import type { StoredSuggestion } from '../../../schema/api/preferences.ts';
import type { Ctx } from '../../kit/context.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';

export interface AuthorizationRequest {
  email: string;
  codeVerifier: string;
  /** Id of the platform that asked for the consent. Absent if a person signs in to their own page. */
  platformId?: string;
  /** Query of the authorization request of an agent, to which a person returns after signing in. */
  agent?: string;
  /** Path of the page to which a person returns after signing in. Absent for `/me`. */
  to?: string;
  /** Preferences that the platform suggests, as the person was shown them. */
  suggested?: StoredSuggestion;
  redirectUri?: string;
  state?: string;
}

export const TTL_SECONDS = 600;
const AUDIENCE = 'oauth-state';

export const callbackUri = (ctx: Ctx) => `${ctx.config.baseUrl}/oauth/callback`;

/** The data is kept for ten minutes. The signed state takes it once. */
export async function openAuthorization(ctx: Ctx, request: AuthorizationRequest): Promise<string> {
  const id = ctx.ids.secret('');
  await ctx.nonces.put(`oauth:${id}`, JSON.stringify(request), TTL_SECONDS);
  return (await signToken(ctx, { audience: AUDIENCE, id, seconds: TTL_SECONDS })).token;
}

/** Reads the id of a consent from its state parameter. Returns undefined if the state is forged or too old. */
export const idOfState = async (ctx: Ctx, state: string): Promise<string | undefined> =>
  (await readToken(ctx, AUDIENCE, state))?.id;

/** Takes the stored data of a consent, so that nobody else finishes the consent meanwhile. */
export async function takeAuthorization(ctx: Ctx, id: string): Promise<AuthorizationRequest | undefined> {
  const kept = await ctx.nonces.take(`oauth:${id}`);
  return kept === null ? undefined : JSON.parse(kept);
}

/** Puts the data of a consent that came to nothing back, so that the person can try again on the provider's page. */
export const putBack = (ctx: Ctx, id: string, request: AuthorizationRequest) =>
  ctx.nonces.put(`oauth:${id}`, JSON.stringify(request), TTL_SECONDS);
