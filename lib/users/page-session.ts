import { jwtVerify, SignJWT } from 'jose';
import type { Ctx } from '../context.ts';
import { hmacSha256 } from '../keys.ts';

export const SESSION_SECONDS = 3600;
const AUDIENCE = 'page-session';

const keyOf = (ctx: Ctx) => new TextEncoder().encode(ctx.config.sessionSecret);

/** A signed session of one hour for a user, as the cookie carries it. */
export function createSession(ctx: Ctx, userId: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setJti(ctx.ids.id('sess_'))
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor(ctx.clock.now() / 1000) + SESSION_SECONDS)
    .sign(keyOf(ctx));
}

/** The user id of a session; undefined for a forged or expired one. */
export function readSession(ctx: Ctx, session: string): Promise<string | undefined> {
  return jwtVerify(session, keyOf(ctx), {
    algorithms: ['HS256'],
    audience: AUDIENCE,
    currentDate: new Date(ctx.clock.now()),
  }).then(
    ({ payload }) => payload.sub,
    () => undefined,
  );
}

/** What a form of this session must carry. */
export const csrfToken = (ctx: Ctx, session: string) => hmacSha256(ctx.config.sessionSecret, `csrf:${session}`);
