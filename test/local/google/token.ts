import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { allows, findPerson, roleOf } from './accounts.ts';
import { methodOf } from './contract/contract.ts';
import { SCOPE_PREFIX } from './contract/reduce.ts';
import {
  insufficientScopes,
  invalidCredentials,
  notFound,
  oauthError,
  parseError,
  requiredAccessLevel,
} from './errors.ts';
import type { Grant, Grants } from './grants.ts';
import type { Calendar, Person, Role, Store } from './store.ts';

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

export interface Session {
  person: Person;
  grant: Grant;
  scopes: string[];
}

export type GoogleEnv = { Variables: { session: Session } };

export const tokenOf = ({ headers }: Pick<Request, 'headers'>): string =>
  headers.get('authorization')?.match(/^bearer (.+)$/i)?.[1] ?? '';

/** Sets `session` from the bearer token, or answers 401 `authError`. */
export function bearer(store: Store, grants: Grants): MiddlewareHandler<GoogleEnv> {
  return async function authenticate(c, next) {
    const found = grants.findAccessToken(tokenOf(c.req.raw));
    if (!found) throw invalidCredentials();
    const { grant, scopes } = found;
    c.set('session', { person: findPerson(store, grant.email), grant, scopes });
    await next();
  };
}

/** Lets only tokens through whose scopes allow the method that the request calls. */
export const allowedByScopes: MiddlewareHandler<GoogleEnv> = async (c, next) => {
  const { name, method } = methodOf(c.req.raw) ?? {};
  const isAllowed = method?.scopes.some((scope) => c.var.session.scopes.includes(SCOPE_PREFIX + scope)) ?? true;
  if (!isAllowed) throw insufficientScopes(name ?? '');
  await next();
};

export interface Access {
  calendar: Calendar;
  role: Role;
  reader: string;
}

/**
 * Returns the calendar named in the path (`primary` is the token's own). Answers 404 to those who cannot see it, and
 * 403 to those with a role below `needed`.
 */
export function accessTo(c: Context<GoogleEnv>, store: Store, needed: Role): Access {
  const access = findAccess(store, c.var.session.person, c.req.param('calendarId') ?? '');
  if (!access) throw notFound();
  if (!allows(access.role, needed)) throw requiredAccessLevel(needed);
  return access;
}

export function findAccess(store: Store, { email }: Person, id: string): Access | undefined {
  const calendar = store.calendars.get(id === 'primary' ? email : id.toLowerCase());
  const role = calendar && roleOf(store, calendar.id, email);
  return role && { calendar, role, reader: email };
}

/** Reads the JSON body of a request. Answers 400 `parseError` if it is invalid. */
export async function jsonBody<T extends object>(c: Context): Promise<Partial<T>> {
  const text = await c.req.text();
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Partial<T>;
  } catch {}
  throw parseError();
}
