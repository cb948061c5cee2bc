import type { Context, MiddlewareHandler } from 'hono';
import { allows, findPerson, roleOf } from './accounts.ts';
import { methodOf } from './contract/contract.ts';
import { SCOPE_PREFIX } from './contract/reduce.ts';
import { insufficientScopes, invalidCredentials, notFound, parseError, requiredAccessLevel } from './errors.ts';
import type { Grant, Grants } from './grants.ts';
import type { Calendar, Person, Role, Store } from './store.ts';

export interface Session {
  person: Person;
  grant: Grant;
  scopes: string[];
}

export type GoogleEnv = { Variables: { session: Session } };

/** Returns the bearer token of a request, or an empty text. */
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

/** Calendar, with the role that the requester has on it. */
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
