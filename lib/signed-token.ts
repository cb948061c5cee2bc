import { jwtVerify, SignJWT } from 'jose';
import type { Ctx } from './context.ts';

type Signing = Pick<Ctx, 'clock' | 'config'>;

/** What a token of ours says: whom it is about, if anybody, by its own id, until when in epoch milliseconds. */
export interface Signed {
  id: string;
  subject: string | undefined;
  expiresAt: number;
}

interface NewToken {
  /** What it is for: a token for one thing is none for another. */
  audience: string;
  id: string;
  subject?: string | undefined;
  seconds: number;
}

const keyOf = ({ config }: Signing) => new TextEncoder().encode(config.sessionSecret);

/** A text that only this service can write and anybody may carry. */
export function signToken(ctx: Signing, { audience, id, subject, seconds }: NewToken): Promise<string> {
  const token = new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setJti(id)
    .setAudience(audience)
    .setExpirationTime(Math.floor(ctx.clock.now() / 1000) + seconds);
  return (subject === undefined ? token : token.setSubject(subject)).sign(keyOf(ctx));
}

/** What a token says; undefined for a forged one, an expired one, and one for something else. */
export async function readToken(ctx: Signing, audience: string, token: string): Promise<Signed | undefined> {
  const verified = await jwtVerify(token, keyOf(ctx), {
    algorithms: ['HS256'],
    audience,
    requiredClaims: ['jti', 'exp'],
    currentDate: new Date(ctx.clock.now()),
  }).catch(() => undefined);
  const { jti, exp, sub } = verified?.payload ?? {};
  return jti === undefined || exp === undefined ? undefined : { id: jti, subject: sub, expiresAt: exp * 1000 };
}
