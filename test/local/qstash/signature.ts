import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';

const LIFETIME_SECONDS = 300;

/** Returns the `Upstash-Signature` of one delivery attempt. */
export function signDelivery(key: string, url: string, body: Uint8Array, now: number): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ body: createHash('sha256').update(body).digest('base64url') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('Upstash')
    .setSubject(url)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .setJti(`jwt_${randomUUID().replaceAll('-', '')}`)
    .sign(new TextEncoder().encode(key));
}
