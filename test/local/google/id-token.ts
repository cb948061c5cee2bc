import { createHash } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Person } from './store.ts';

const KID = 'tandem-local-google-1';
let keys: Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }> | undefined;

function signingKeys() {
  keys ??= generateKeyPair('RS256');
  return keys;
}

/** JWKS served at `/oauth2/v3/certs`. */
export async function certs(): Promise<{ keys: JWK[] }> {
  const { publicKey } = await signingKeys();
  return { keys: [{ ...(await exportJWK(publicKey)), kid: KID, alg: 'RS256', use: 'sig' }] };
}

export async function signIdToken(input: {
  person: Pick<Person, 'sub' | 'email' | 'name' | 'isUnhosted'>;
  clientId: string;
  accessToken: string;
  nonce: string | undefined;
  now: number;
}): Promise<string> {
  const { person, clientId, accessToken, nonce, now } = input;
  const { privateKey } = await signingKeys();
  const seconds = Math.floor(now / 1000);
  return new SignJWT({
    azp: clientId,
    email: person.email,
    email_verified: true,
    ...(person.isUnhosted || person.email.endsWith('@gmail.com') ? {} : { hd: person.email.split('@')[1] }),
    name: person.name,
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...(nonce ? { nonce } : {}),
  })
    .setProtectedHeader({ alg: 'RS256', kid: KID, typ: 'JWT' })
    .setIssuer('https://accounts.google.com')
    .setAudience(clientId)
    .setSubject(person.sub)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3600)
    .sign(privateKey);
}
