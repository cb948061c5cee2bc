import { jwtVerify, SignJWT } from 'jose';
import type { Ctx } from '../../context.ts';

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

const keyOf = (ctx: Ctx) => new TextEncoder().encode(ctx.config.sessionSecret);

/** Where the provider sends the person back to. */
export const callbackUri = (ctx: Ctx) => `${ctx.config.baseUrl}/oauth/callback`;

/** Keeps the request for ten minutes; answers the signed state that takes it once. */
export async function openAuthorization(ctx: Ctx, request: AuthorizationRequest): Promise<string> {
  const id = ctx.ids.secret('');
  await ctx.nonces.put(`oauth:${id}`, JSON.stringify(request), TTL_SECONDS);
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(id)
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor(ctx.clock.now() / 1000) + TTL_SECONDS)
    .sign(keyOf(ctx));
}

/** The request of a state, once; undefined for a forged, expired or used one. */
export async function takeAuthorization(ctx: Ctx, state: string): Promise<AuthorizationRequest | undefined> {
  const id = await jwtVerify(state, keyOf(ctx), {
    algorithms: ['HS256'],
    audience: AUDIENCE,
    currentDate: new Date(ctx.clock.now()),
  }).then(
    ({ payload }) => payload.jti,
    () => undefined,
  );
  if (id === undefined) return undefined;
  const kept = await ctx.nonces.take(`oauth:${id}`);
  return kept === null ? undefined : JSON.parse(kept);
}
