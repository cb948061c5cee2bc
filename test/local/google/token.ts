import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { findPerson } from './accounts.ts';
import { tokenOf } from './bearer.ts';
import { oauthError } from './errors.ts';
import type { Grant, Grants } from './grants.ts';
import type { Person, Store } from './store.ts';

interface TokenDeps {
  store: Store;
  grants: Grants;
  clientId: string;
  clientSecret: string;
}

/** Serves `/token` and `/revoke` of `oauth2.googleapis.com`. */
export function tokenRoutes(deps: TokenDeps) {
  const app = new Hono();

  app.post('/token', async (c) => {
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()));
    const refusal = checkClient(c, form, deps);
    if (refusal) return refusal;
    if (form.grant_type === 'authorization_code') return exchangeCode(c, form, deps);
    if (form.grant_type === 'refresh_token') return refresh(c, form, deps);
    return oauthError(c, 400, 'unsupported_grant_type', `Invalid grant_type: ${form.grant_type ?? ''}`);
  });

  app.post('/revoke', async (c) => {
    const token = c.req.query('token') ?? new URLSearchParams(await c.req.text()).get('token') ?? '';
    if (deps.grants.revokeToken(token)) return c.json({});
    return oauthError(c, 400, 'invalid_token', 'Token expired or revoked');
  });

  return app;
}

function checkClient(c: Context, form: Record<string, string>, deps: TokenDeps): Response | undefined {
  const [id, secret] = basicAuth(c.req.header('authorization')) ?? [form.client_id, form.client_secret];
  if (id !== deps.clientId) return oauthError(c, 401, 'invalid_client', 'The OAuth client was not found.');
  if (secret !== deps.clientSecret) return oauthError(c, 401, 'invalid_client', 'Unauthorized');
  return undefined;
}

function basicAuth(header: string | undefined): [string, string] | undefined {
  const encoded = header?.match(/^basic (.+)$/i)?.[1];
  if (!encoded) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return [decodeURIComponent(id), decodeURIComponent(rest.join(':'))];
}

async function exchangeCode(c: Context, form: Record<string, string>, deps: TokenDeps): Promise<Response> {
  const code = deps.grants.findCode(form.code ?? '');
  if (!code) return oauthError(c, 400, 'invalid_grant', 'Bad Request');
  if (form.redirect_uri !== code.redirectUri) return oauthError(c, 400, 'redirect_uri_mismatch', 'Bad Request');
  if (code.challenge !== undefined) {
    if (!form.code_verifier) return oauthError(c, 400, 'invalid_grant', 'Missing code verifier.');
    if (!isVerifier(form.code_verifier, code.challenge)) {
      return oauthError(c, 400, 'invalid_grant', 'Invalid code verifier.');
    }
  }
  deps.grants.spendCode(form.code ?? '');
  const refreshToken = code.withRefreshToken ? deps.grants.issueRefreshToken(code.grant) : undefined;
  return answer(c, deps, { grant: code.grant, refreshToken, nonce: code.nonce });
}

function isVerifier(verifier: string, challenge: string): boolean {
  const hash = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const expected = Buffer.from(challenge);
  return hash.length === expected.length && timingSafeEqual(hash, expected);
}

async function refresh(c: Context, form: Record<string, string>, deps: TokenDeps): Promise<Response> {
  if (!form.refresh_token) return oauthError(c, 400, 'invalid_request', 'Missing required parameter: refresh_token');
  const grant = deps.grants.findRefreshToken(form.refresh_token);
  if (!grant) return oauthError(c, 400, 'invalid_grant', 'Token has been expired or revoked.');
  return answer(c, deps, { grant });
}

async function answer(
  c: Context,
  { store, grants, clientId }: TokenDeps,
  { grant, refreshToken, nonce }: { grant: Grant; refreshToken?: string | undefined; nonce?: string | undefined },
): Promise<Response> {
  const { token, scopes } = grants.issueAccessToken(grant);
  const person = findPerson(store, grant.email);
  c.header('Cache-Control', 'no-store');
  return c.json({
    access_token: token,
    expires_in: store.settings.tokenSeconds.get(grant.email) ?? 3599,
    ...(refreshToken ? { refresh_token: refreshToken } : {}),
    scope: scopes.join(' '),
    token_type: 'Bearer',
    ...(scopes.includes('openid')
      ? { id_token: await signIdToken({ person, clientId, accessToken: token, nonce, now: store.clock.now() }) }
      : {}),
  });
}

/** Serves `/v1/userinfo`, and the keys with which ID tokens are signed. */
export function identityRoutes({ store, grants }: { store: Store; grants: Grants }) {
  const app = new Hono();

  app.get('/oauth2/v3/certs', async (c) => {
    c.header('Cache-Control', 'public, max-age=3600');
    return c.json(await certs());
  });

  app.get('/v1/userinfo', (c) => {
    const found = grants.findAccessToken(tokenOf(c.req.raw));
    if (!found?.scopes.includes('openid')) return oauthError(c, 401, 'invalid_request', 'Invalid Credentials');
    const { sub, email, name } = findPerson(store, found.grant.email);
    return c.json({ sub, name, email, email_verified: true });
  });

  return app;
}

const KID = 'tandem-local-google-1';
let keys: Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }> | undefined;

function signingKeys() {
  keys ??= generateKeyPair('RS256');
  return keys;
}

/** JWKS served at `/oauth2/v3/certs`. */
async function certs(): Promise<{ keys: JWK[] }> {
  const { publicKey } = await signingKeys();
  return { keys: [{ ...(await exportJWK(publicKey)), kid: KID, alg: 'RS256', use: 'sig' }] };
}

async function signIdToken(input: {
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
