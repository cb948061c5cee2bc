import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { type PageSession, readSession, SESSION_SECONDS, sessionToken } from '../../lib/kit/page-session.ts';
import type { AppEnv } from '../http/env.ts';

const SESSION = 'tandem_session';

/** Scripts cannot read it. With HTTPS, it is also sent over HTTPS only and bound to this exact host. */
const optionsFor = (c: Context<AppEnv>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'Lax' as const,
  ...(c.var.ctx.config.baseUrl.startsWith('https:') ? { secure: true, prefix: 'host' as const } : {}),
});

export const keepCookie = (c: Context<AppEnv>, name: string, value: string, maxAge: number) =>
  setCookie(c, name, value, { ...optionsFor(c), maxAge });

export const readCookie = (c: Context<AppEnv>, name: string): string | undefined =>
  getCookie(c, name, optionsFor(c).prefix) || undefined;

export const dropCookie = (c: Context<AppEnv>, name: string) => deleteCookie(c, name, optionsFor(c));

/** Signs this browser in as a user, until the session expires. */
export async function signIn(c: Context<AppEnv>, session: PageSession & { expiresAt: number }): Promise<void> {
  keepCookie(c, SESSION, await sessionToken(c.var.ctx, 'page', session), SESSION_SECONDS.page);
}

export const signOut = (c: Context<AppEnv>) => dropCookie(c, SESSION);

/** Only Postgres knows whether it is still open. */
export async function currentSession(c: Context<AppEnv>): Promise<{ id: string; userId: string } | undefined> {
  const token = readCookie(c, SESSION);
  const session = token === undefined ? undefined : await readSession(c.var.ctx, 'page', token);
  return session && { id: session.id, userId: session.subject };
}
