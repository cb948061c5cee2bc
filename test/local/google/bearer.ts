import type { Context, MiddlewareHandler } from 'hono';
import { insufficientScopes, invalidCredentials, notFound, parseError } from './errors.ts';
import type { Grant, Grants } from './grants.ts';
import { findPerson, type Person, type Store } from './store.ts';

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

/** The calendar named in the path: `primary` or the token's own address, else 404. */
export function ownCalendar(c: Context<GoogleEnv>): string {
  const id = c.req.param('calendarId')?.toLowerCase();
  const { email } = c.var.session.person;
  if (id !== 'primary' && id !== email) throw notFound();
  return email;
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
