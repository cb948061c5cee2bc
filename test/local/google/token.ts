import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { SignJWT } from 'jose';
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
  if (form.client_id !== deps.clientId) return oauthError(c, 401, 'invalid_client', 'The OAuth client was not found.');
  if (form.client_secret !== deps.clientSecret) return oauthError(c, 401, 'invalid_client', 'Unauthorized');
  return undefined;
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
  return answer(c, deps, code.grant, refreshToken);
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
  return answer(c, deps, grant);
}

async function answer(c: Context, deps: TokenDeps, grant: Grant, refreshToken?: string): Promise<Response> {
  const { store, grants } = deps;
  const { token, scopes } = grants.issueAccessToken(grant);
  c.header('Cache-Control', 'no-store');
  return c.json({
    access_token: token,
    expires_in: store.settings.tokenSeconds.get(grant.email) ?? 3599,
    ...(refreshToken ? { refresh_token: refreshToken } : {}),
    scope: scopes.join(' '),
    token_type: 'Bearer',
    ...(scopes.includes('openid') ? { id_token: await signIdToken(findPerson(store, grant.email), deps) } : {}),
  });
}

/** Makes the ID token. Tandem takes it from Google itself and does not check its signature. */
function signIdToken({ email, isUnhosted, name, sub }: Person, { clientId, clientSecret, store }: TokenDeps) {
  const seconds = Math.floor(store.clock.now() / 1000);
  return new SignJWT({
    azp: clientId,
    email,
    email_verified: true,
    ...(isUnhosted || email.endsWith('@gmail.com') ? {} : { hd: email.split('@')[1] }),
    name,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('https://accounts.google.com')
    .setAudience(clientId)
    .setSubject(sub)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3600)
    .sign(new TextEncoder().encode(clientSecret));
}

interface Session {
  person: Person;
  grant: Grant;
  scopes: string[];
}

export type GoogleEnv = { Variables: { session: Session } };

/** Sets `session` from the bearer token, or answers 401 `authError`. */
export function bearer(store: Store, grants: Grants): MiddlewareHandler<GoogleEnv> {
  return async function authenticate(c, next) {
    const token = c.req.header('authorization')?.match(/^bearer (.+)$/i)?.[1] ?? '';
    const found = grants.findAccessToken(token);
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
  return role && { calendar, role };
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
