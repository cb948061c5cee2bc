import { jwtVerify, SignJWT } from 'jose';
import type { Ctx } from './context.ts';

type Signing = Pick<Ctx, 'clock' | 'config'>;

export interface Signed {
  id: string;
  subject: string | undefined;
  expiresAt: number;
  claims: Readonly<Record<string, unknown>>;
}

interface NewToken {
  audience: string;
  id: string;
  subject?: string | undefined;
  seconds: number;
  claims?: Readonly<Record<string, unknown>>;
}

const keyOf = ({ config }: Signing) => new TextEncoder().encode(config.sessionSecret);

/** Anybody may carry the token but only this service can issue it. Returns its expiry in epoch ms. */
export async function signToken(ctx: Signing, { audience, id, subject, seconds, claims = {} }: NewToken) {
  const expires = Math.floor(ctx.clock.now() / 1000) + seconds;
  const jwt = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(id)
    .setAudience(audience)
    .setExpirationTime(expires);
  const token = await (subject === undefined ? jwt : jwt.setSubject(subject)).sign(keyOf(ctx));
  return { token, expiresAt: expires * 1000 };
}

export async function readToken(ctx: Signing, audience: string, token: string): Promise<Signed | undefined> {
  const verified = await jwtVerify(token, keyOf(ctx), {
    algorithms: ['HS256'],
    audience,
    requiredClaims: ['jti', 'exp'],
    currentDate: new Date(ctx.clock.now()),
  }).catch(() => undefined);
  const { jti, exp, sub, aud: _, ...claims } = verified?.payload ?? {};
  return jti === undefined || exp === undefined ? undefined : { id: jti, subject: sub, expiresAt: exp * 1000, claims };
}
