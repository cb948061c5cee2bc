import type { Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Platform } from '../../../lib/context.ts';
import { AppError } from '../../../lib/errors.ts';
import { onceIn } from '../../../lib/once.ts';
import { csrfToken, readSession, SESSION_SECONDS } from '../../../lib/page-session.ts';
import { readText } from '../../body.ts';
import { asCaller, confirm, identify } from '../../caller.ts';
import { type AppEnv, type DashboardSession, platformOf } from '../../env.ts';
import { dropCookie, keepCookie, readCookie } from '../session-cookie.ts';

const COOKIE = 'tandem_dashboard';

/** The platform whose dashboard this browser has open. */
export const currentPlatform = (c: Context<AppEnv>): Platform => platformOf(c);

/** Lets this browser into the dashboard for as long as a session lasts. */
export const startSession = (c: Context<AppEnv>, session: string) =>
  keepCookie(c, COOKIE, session, SESSION_SECONDS.dashboard);

/** Makes this browser forget its session. */
export const endSession = (c: Context<AppEnv>) => dropCookie(c, COOKIE);

/** The session of this browser, whose secret key may have ended since. Throws `unauthorized` where there is none. */
export async function openSession(c: Context<AppEnv>, text = readCookie(c, COOKIE)): Promise<DashboardSession> {
  const signed = text === undefined ? undefined : await readSession(c.var.ctx, 'dashboard', text);
  if (text === undefined || signed === undefined)
    throw new AppError('unauthorized', 'The dashboard is not open in this browser.');
  const session = { text, csrf: await csrfToken(c.var.ctx, text), subject: signed.subject };
  c.set('session', session);
  return session;
}

/**
 * Lets only a session of the dashboard through, as its platform: the secret key that the session stands for is asserted
 * in front of the page's first statements, as that of an API call is. Throws `unauthorized`.
 */
export const dashboardSession = () =>
  createMiddleware<AppEnv>(async function dashboardSession(c, next) {
    const { subject } = await openSession(c);
    await identify(c, subject);
    try {
      await next();
    } finally {
      await confirm(c);
    }
  });

type Answer = Response | Promise<Response>;

/** Mounts a page of the dashboard. */
export const page = (app: Hono<AppEnv>, path: string, handler: (c: Context<AppEnv>) => Answer) =>
  app.get(path, dashboardSession(), (c) => asCaller(c, async () => handler(c)));

/** Mounts what a form of the dashboard does. */
export const form = (app: Hono<AppEnv>, path: string, handler: (c: Context<AppEnv>, form: URLSearchParams) => Answer) =>
  app.post(path, dashboardSession(), async (c) => {
    const given = await ownForm(c);
    return asCaller(c, async () => handler(c, given));
  });

/** What a form of this session's own pages has; throws `forbidden` for one of anybody else. */
export async function ownForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  const given = new URLSearchParams(await readText(c));
  if (given.get('csrf') !== c.var.session.csrf) throw notOwn();
  return given;
}

const notOwn = () =>
  new AppError(
    'forbidden',
    'Nothing was changed: this form is not of the dashboard as it is open here now. Open the page again and retry there.',
  );

/** By what a form is known that is to do once what it does. */
export function onceOf(form: URLSearchParams): string {
  const once = onceIn(form);
  if (once === undefined) throw notOwn();
  return once;
}

/** Whether a form is sent for the first time. */
export const isFirst = (c: Context<AppEnv>, form: URLSearchParams): Promise<boolean> =>
  c.var.ctx.nonces.claim(`form:${onceOf(form)}`, c.var.ctx.ids.id('sent_'), SESSION_SECONDS.dashboard);
