import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createSession, readSession, SESSION_SECONDS } from '../../lib/page-session.ts';
import type { AppEnv } from '../env.ts';

const SESSION = 'tandem_session';

/** A cookie out of scripts' reach; wherever there is TLS over that alone, and bound to this very host. */
const optionsFor = (c: Context<AppEnv>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'Lax' as const,
  ...(c.var.ctx.config.baseUrl.startsWith('https:') ? { secure: true, prefix: 'host' as const } : {}),
});

/** Sets a cookie of ours for so many seconds. */
export const keepCookie = (c: Context<AppEnv>, name: string, value: string, maxAge: number) =>
  setCookie(c, name, value, { ...optionsFor(c), maxAge });

/** The value of a cookie of ours, or undefined. */
export const readCookie = (c: Context<AppEnv>, name: string): string | undefined =>
  getCookie(c, name, optionsFor(c).prefix) || undefined;

/** Makes the browser forget a cookie of ours. */
export const dropCookie = (c: Context<AppEnv>, name: string) => deleteCookie(c, name, optionsFor(c));

/** Signs the browser in for an hour. */
export async function signIn(c: Context<AppEnv>, userId: string): Promise<void> {
  keepCookie(c, SESSION, await createSession(c.var.ctx, 'page', userId), SESSION_SECONDS.page);
}

/** Signs the browser out. */
export const signOut = (c: Context<AppEnv>) => dropCookie(c, SESSION);

/** The session of this browser, or undefined. */
export async function currentSession(c: Context<AppEnv>) {
  const session = readCookie(c, SESSION);
  const signed = session === undefined ? undefined : await readSession(c.var.ctx, 'page', session);
  return session === undefined || signed === undefined ? undefined : { session, userId: signed.subject };
}
