import { createHash, createHmac, randomUUID } from 'node:crypto';

const LIFETIME_SECONDS = 300;

const encoded = (part: Record<string, unknown>) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns the `Upstash-Signature` of one delivery attempt: a JSON Web Token, signed with HMAC-SHA256. */
export function signDelivery(key: string, url: string, body: Uint8Array, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    iss: 'Upstash',
    sub: url,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    jti: `jwt_${randomUUID().replaceAll('-', '')}`,
    body: createHash('sha256').update(body).digest('base64url'),
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
