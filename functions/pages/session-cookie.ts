import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createSession, readSession, SESSION_SECONDS } from '../../lib/users/page-session.ts';
import type { AppEnv } from '../env.ts';

const NAME = 'tandem_session';

/** How our cookies are set: out of scripts' reach, and over TLS alone wherever there is TLS. */
export const cookieOptions = (c: Context<AppEnv>, maxAge: number) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'Lax' as const,
  maxAge,
  secure: c.var.ctx.config.baseUrl.startsWith('https:'),
});

/** Signs the browser in for an hour. */
export async function signIn(c: Context<AppEnv>, userId: string): Promise<void> {
  setCookie(c, NAME, await createSession(c.var.ctx, userId), cookieOptions(c, SESSION_SECONDS));
}

/** The session of this browser, or undefined. */
export async function currentSession(c: Context<AppEnv>) {
  const session = getCookie(c, NAME);
  const userId = session === undefined ? undefined : await readSession(c.var.ctx, session);
  return session === undefined || userId === undefined ? undefined : { session, userId };
}
