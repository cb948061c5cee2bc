import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { hmacSha256, isSameText } from '../../lib/kit/hmac.ts';
import { sha256 } from '../../lib/kit/ids.ts';
import { csrfToken, type PageSession, readSession, SESSION_SECONDS, sessionToken } from '../../lib/kit/page-session.ts';
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

/**
 * Each flow has a cookie of its own, named by its state, so that a second click, or another person's flow in another tab,
 * does not replace it. Only Tandem can write its value, because others may know the state: it is in copied addresses.
 */
export async function keepFlow(c: Context<AppEnv>, name: string, value: string, maxAge: number): Promise<void> {
  keepCookie(c, name, `${await signatureOf(c, name, value)}.${value}`, maxAge);
}

/** Returns undefined in a browser that did not begin the flow. */
export async function readFlow(c: Context<AppEnv>, name: string): Promise<string | undefined> {
  const [, signature = '', value = ''] = /^(\w+)\.(.+)$/s.exec(readCookie(c, name) ?? '') ?? [];
  return (await isSameText(signature, await signatureOf(c, name, value))) ? value : undefined;
}

export const flowName = async (kind: 'flow' | 'check', state: string) =>
  `tandem_${kind}_${(await sha256(state)).slice(0, 24)}`;

const signatureOf = (c: Context<AppEnv>, name: string, value: string) =>
  hmacSha256(c.var.ctx.config.sessionSecret, `flow:${JSON.stringify([name, value])}`);

export async function signIn(c: Context<AppEnv>, session: PageSession & { expiresAt: number }): Promise<void> {
  keepCookie(c, SESSION, await sessionToken(c.var.ctx, 'page', session), SESSION_SECONDS.page);
}

export const signOut = (c: Context<AppEnv>) => dropCookie(c, SESSION);

export type MySession = { id: string; userId: string };

/** Only Postgres knows whether it is still open. */
export async function currentSession(c: Context<AppEnv>): Promise<MySession | undefined> {
  const token = readCookie(c, SESSION);
  const session = token === undefined ? undefined : await readSession(c.var.ctx, 'page', token);
  if (session === undefined) return undefined;
  c.set('csrf', await csrfToken(c.var.ctx, session.id));
  return { id: session.id, userId: session.subject };
}

/** Answers a page while Postgres checks its session. Throws what the check throws, before anything is sent. */
export async function answerWhile<A>(
  c: Context<AppEnv>,
  admitted: Promise<void>,
  handle: () => A,
): Promise<Awaited<A>> {
  // The check may fail before anything awaits it, and that must not become an unhandled rejection.
  admitted.catch(() => undefined);
  c.set('ctx', { ...c.var.ctx, admitted });
  const [answer] = await Promise.allSettled([handle(), admitted]);
  await admitted;
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}

const signed = async ({ var: { csrf, ctx } }: Context<AppEnv>, to: string) =>
  `${to}.${(await hmacSha256(ctx.config.sessionSecret, `done:${csrf}:${to}`)).slice(0, 32)}`;

/** Leads to a page that says what a form has done. The address is signed, because a stranger's link may claim anything. */
export const redirectDone = async (c: Context<AppEnv>, to: string, place = '') =>
  c.redirect((await signed(c, to)) + place, 303);

/** Returns the `done` of an address that `redirectDone` made for this session and page. Undefined for any other. */
export async function doneIn(c: Context<AppEnv>): Promise<string | undefined> {
  const given = c.req.query('done');
  if (given === undefined) return undefined;
  const [at, what = ''] = [`${c.req.path}?done=`, given.split('.')[0]];
  return (await isSameText(at + given, await signed(c, at + what))) ? what : undefined;
}

export async function saidDone<W extends object>(c: Context<AppEnv>, words: W): Promise<W[keyof W] | undefined> {
  const done = await doneIn(c);
  return done !== undefined && Object.hasOwn(words, done) ? words[done as keyof W] : undefined;
}
