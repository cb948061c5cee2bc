import type { Context, MiddlewareHandler } from 'hono';
import { allows, findPerson, roleOf } from './accounts.ts';
import { insufficientScopes, invalidCredentials, notFound, parseError, requiredAccessLevel } from './errors.ts';
import type { Grant, Grants } from './grants.ts';
import type { Calendar, Person, Role, Store } from './store.ts';

export interface Session {
  person: Person;
  grant: Grant;
  scopes: string[];
}

export type GoogleEnv = { Variables: { session: Session } };

const PREFIX = 'https://www.googleapis.com/auth/';

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

/** Lets only tokens pass that hold one of these scopes (named without their prefix). */
export function needs(...scopes: string[]): MiddlewareHandler<GoogleEnv> {
  return async function checkScope(c, next) {
    if (!scopes.some((scope) => c.var.session.scopes.includes(PREFIX + scope))) throw insufficientScopes();
    await next();
  };
}

/** A calendar, and what the one who asks may do with it. */
export interface Access {
  calendar: Calendar;
  role: Role;
  reader: string;
}

/** The calendar named in the path (`primary` is the token's own): 404 to those who cannot see it, 403 below `needed`. */
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

/** The JSON body of a request, or 400 `parseError`. */
export async function jsonBody<T extends object>(c: Context): Promise<Partial<T>> {
  const text = await c.req.text();
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Partial<T>;
  } catch {}
  throw parseError();
}

export const writesEvents = needs('calendar', 'calendar.events', 'calendar.events.owned', 'calendar.app.created');

export const readsEvents = needs(
  'calendar',
  'calendar.readonly',
  'calendar.events',
  'calendar.events.readonly',
  'calendar.events.owned',
  'calendar.events.owned.readonly',
  'calendar.events.freebusy',
  'calendar.app.created',
);
