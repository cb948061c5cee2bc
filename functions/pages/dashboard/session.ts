import type { Context, Hono } from 'hono';
import type * as z from 'zod';
import type { PlatformRef } from '../../../lib/kit/context.ts';
import { AppError, type ErrorDetails, InternalError } from '../../../lib/kit/errors.ts';
import { csrfToken, onceIn, readSession, SESSION_SECONDS, secretOfForm } from '../../../lib/kit/page-session.ts';
import { selectDashboardSession } from '../../../schema/access/sessions.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import { batch, type Results, type Statement } from '../../../schema/db.ts';
import { readForm } from '../../http/body.ts';
import { storable } from '../../http/body-fields.ts';
import type { AppEnv, DashboardSession } from '../../http/env.ts';
import { takeFailure } from '../../http/errors.ts';
import { check } from '../../http/input.ts';
import { answerWhile, dropCookie, keepCookie, readCookie } from '../session-cookie.ts';

const COOKIE = 'tandem_dashboard';

export const currentPlatform = (c: Context<AppEnv>): PlatformRef => ({ id: c.var.session.platformId });

/** Throws before Postgres has answered, so only form handlers, and pages whose data is complete, may call it. */
export function openedSession(c: Context<AppEnv>): NonNullable<DashboardSession['opened']> {
  const { opened } = c.var.session;
  if (opened === undefined) throw new InternalError('a dashboard session was not confirmed');
  return opened;
}

/** Waits until Postgres has confirmed the session. */
export async function mayChange(c: Context<AppEnv>): Promise<boolean> {
  await c.var.ctx.admitted;
  return !openedSession(c).readOnly;
}

export const idOf = (c: Context<AppEnv>): string => storable(c.req.param('id') ?? '');

export const startSession = (c: Context<AppEnv>, { token, seconds }: { token: string; seconds: number }) =>
  keepCookie(c, COOKIE, token, Math.floor(seconds));

export const endSession = (c: Context<AppEnv>) => dropCookie(c, COOKIE);

async function readCookieSession(c: Context<AppEnv>): Promise<void> {
  const token = readCookie(c, COOKIE);
  const session = token === undefined ? undefined : await readSession(c.var.ctx, 'dashboard', token);
  if (session === undefined) throw notSignedIn();
  const { id, subject: platformId } = session;
  c.set('session', { id, platformId });
  c.set('csrf', await csrfToken(c.var.ctx, id));
}

const sessionIn = ({ var: { ctx, session } }: Context<AppEnv>) =>
  selectDashboardSession(ctx.db, { id: session.id, now: ctx.clock.now() });

const confirmSession = async (c: Context<AppEnv>) => admit(c, (await sessionIn(c))[0]);

type Found = Awaited<ReturnType<typeof selectDashboardSession>>[number];

/** Keeps the session that Postgres found. Throws `unauthorized` if it has ended or its platform is suspended. */
function admit(c: Context<AppEnv>, found: Found | undefined): void {
  if (found === undefined || found.suspendedAt !== null) throw notSignedIn();
  const { platform, readOnly, linkedAt } = found;
  c.set('session', { ...c.var.session, opened: { platform, readOnly, linkedAt } });
  c.set('caller', { kind: 'secret', platform, isFormer: false });
}

const notSignedIn = () =>
  new AppError(
    'unauthorized',
    'This browser is not signed in to the dashboard. Get a new link to the dashboard where you got the last one.',
  );

type Answer = Response | Promise<Response>;

/** Reads its data while Postgres checks the session, so that it waits only once, and sends nothing before. */
export const page = (app: Hono<AppEnv>, path: string, handler: (c: Context<AppEnv>) => Answer) =>
  app.get(path, async (c) => {
    await readCookieSession(c);
    return answerWhile(c, confirmSession(c), () => handler(c));
  });

/** Like `page`, with the rows of a statement that the call which checks the session reads too. */
export const pageWith = <S extends Statement>(
  app: Hono<AppEnv>,
  path: string,
  build: (c: Context<AppEnv>) => S,
  handler: (c: Context<AppEnv>, rows: Promise<Results<[S]>[0]>) => Answer,
) =>
  app.get(path, async (c) => {
    await readCookieSession(c);
    const both = batch(c.var.ctx.db, { session: sessionIn(c), rows: build(c) });
    const rows = both.then((read) => read.rows);
    // The read may fail before the handler awaits its rows, and that must not become an unhandled rejection.
    rows.catch(() => undefined);
    const admitted = both.then((read) => admit(c, read.session[0]));
    return answerWhile(c, admitted, () => handler(c, rows));
  });

interface Handling {
  /** True if a read-only session may send the form too. */
  anySession?: boolean;
  /** True if `refused` also tells a session that its link is too old for the change. */
  needsFreshLink?: boolean;
  /** Answers a form that the handler refused. Without it, the page of an error does. */
  refused?: (c: Context<AppEnv>, refusal: FormRefusal, form: URLSearchParams) => Answer;
}

/** The form must be from one of the session's own pages. */
export const form = (
  app: Hono<AppEnv>,
  path: string,
  { anySession = false, needsFreshLink = false, refused }: Handling,
  handler: (c: Context<AppEnv>, form: URLSearchParams) => Answer,
) =>
  app.post(path, async (c) => {
    await readCookieSession(c);
    await confirmSession(c);
    const { id } = c.var.session;
    // The audit log names that session for the changes that the request makes.
    c.set('ctx', { ...c.var.ctx, actor: { kind: 'session', id, credential: { session: id } } });
    const given = await readForm(c);
    if (given.get('csrf') !== c.var.csrf) throw notOwn();
    if (!anySession && openedSession(c).readOnly) throw readOnly();
    if (refused === undefined) return handler(c, given);
    const { answer, refusal } = await attempt(c, async () => handler(c, given), needsFreshLink);
    return answer ?? refused(c, refusal, given);
  });

const notOwn = () =>
  new AppError('forbidden', 'This form has expired, so nothing was changed. Go back, reload the page and try again.');

const readOnly = () =>
  new AppError(
    'forbidden',
    'Nothing was changed, because you opened the dashboard with a read-only link. To make changes, ask for a link that is not read-only.',
  );

/** One showing of a form takes effect once, however often it is sent. Throws `forbidden` without the value. */
export function onceOf(form: URLSearchParams): string {
  const once = onceIn(form);
  if (once === undefined) throw notOwn();
  return once;
}

/** A form that is sent twice gets the secret that it made the first time. */
export const secretOf = (c: Context<AppEnv>, form: URLSearchParams) =>
  secretOfForm(c.var.ctx, { session: c.var.session.id, once: onceOf(form) });

export const isFirst = (c: Context<AppEnv>, form: URLSearchParams): Promise<boolean> =>
  c.var.ctx.nonces.bind(`form:${onceOf(form)}`, c.var.ctx.ids.id('sent_'), SESSION_SECONDS.dashboard);

export const givenOf = (c: Context<AppEnv>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(c.req.query()).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );

type Tried<A> = { answer: A; refusal?: undefined } | { answer?: undefined; refusal: FormRefusal };

export type FormRefusal = Pick<AppError, 'code' | 'message'> &
  Pick<ErrorDetails, 'field' | 'email'> & { status: (typeof ERRORS)[AppError['code']]['status'] };

/** Returns a refusal that the person can mend or try again. Rethrows an error that no other input would change. */
export async function attempt<A>(c: Context<AppEnv>, run: () => Promise<A>, mayForbid = false): Promise<Tried<A>> {
  try {
    return { answer: await run() };
  } catch (error) {
    if (!(error instanceof AppError) || UNMENDABLE.includes(error.code)) throw error;
    if (error.code === 'forbidden' && !mayForbid) throw error;
    const { code, message, details } = takeFailure(error, c);
    return { refusal: { code, message, ...details, status: ERRORS[code].status } };
  }
}

const UNMENDABLE: readonly AppError['code'][] = ['unauthorized', 'platform_suspended', 'internal_error'];

export const checked = <S extends z.ZodType>(
  c: Context<AppEnv>,
  schema: S,
  given: unknown,
): Promise<Tried<z.output<S>>> => attempt(c, async () => check(schema, given));
