import type { Context, Hono } from 'hono';
import { type Child, useContext } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError } from '../../../lib/kit/errors.ts';
import { findPersonSession } from '../../../schema/access/sessions.ts';
import { readForm } from '../../http/body.ts';
import type { AppEnv } from '../../http/env.ts';
import { dayOf, PageClock } from '../clock.tsx';
import { HiddenFields, InputField } from '../components.tsx';
import { Layout, leadingToGoogle, MessagePage, renderPage } from '../layout.tsx';
import { answerWhile, currentSession, type MySession } from '../session-cookie.ts';

/** "Wed 3 Mar", or "Wed 3 Mar 2027" if the year is not the present one. In UTC, or in `zone` if it is known. */
export function dateOf(instant: number, zone?: string): string {
  const clock = useContext(PageClock);
  return dayOf(instant, { ...clock, zone: zone ?? clock.zone });
}

const PAGES = [
  { path: '/me', title: 'Your page' },
  { path: '/me/meetings', title: 'Meetings' },
  { path: '/me/preferences', title: 'Your week' },
  { path: '/me/learning', title: 'Learning' },
] as const;

type Framed = { title: string; at: (typeof PAGES)[number]['path']; email: string; status?: ContentfulStatusCode };

export function renderMine(c: Context<AppEnv>, { title, at, email, status = 200 }: Framed, content: Child) {
  const page = (
    <Layout
      title={title}
      home="/me"
      nav={{ label: 'Your pages', links: PAGES, current: at, isWithin: at !== c.req.path }}
      signedIn={{ as: email, action: '/me/sign-out' }}
    >
      <PageClock.Provider value={{ zone: 'UTC', now: c.var.ctx.clock.now() }}>{content}</PageClock.Provider>
    </Layout>
  );
  return renderPage(c, page, status);
}

/** Response of a page or form handler, or of whatever asks the person to sign in. Undefined if the user was deleted. */
type Answer = Response | undefined | Promise<Response | undefined>;

async function isOpen({ var: { ctx } }: Context<AppEnv>, { id, userId }: MySession): Promise<boolean> {
  const found = await findPersonSession(ctx.db, { id, now: ctx.clock.now() });
  return found?.userId === userId;
}

async function confirm(c: Context<AppEnv>, session: MySession): Promise<void> {
  if (!(await isOpen(c, session)))
    throw new AppError('unauthorized', 'This browser is not signed in. Open /me to sign in.');
}

/** Reads its data while Postgres says whether the session is open, and sends nothing before that. */
export const page = (
  app: Hono<AppEnv>,
  path: string,
  handler: (c: Context<AppEnv>, session: MySession) => Answer,
  askToSignIn: (c: Context<AppEnv>) => Answer = signInFirst,
) =>
  app.get(path, async (c) => {
    const session = await currentSession(c);
    if (session === undefined) return askToSignIn(c);
    return (await answerWhile(c, confirm(c, session), () => handler(c, session))) ?? askToSignIn(c);
  });

/** `askToSignIn` answers without a session or user. `largest` is in bytes. */
export const form = (
  app: Hono<AppEnv>,
  path: string,
  handler: (c: Context<AppEnv>, session: MySession, form: URLSearchParams) => Answer,
  askToSignIn: (c: Context<AppEnv>) => Answer = signInFirst,
  largest?: number,
) =>
  app.post(path, async (c) => {
    const session = await currentSession(c);
    if (session === undefined || !(await isOpen(c, session))) return askToSignIn(c);
    const given = await readForm(c, largest);
    if (given.get('csrf') !== c.var.csrf) return refuseStale(c);
    const { id, userId } = session;
    c.set('ctx', { ...c.var.ctx, actor: { kind: 'person', id: userId, credential: { session: id } } });
    return (await handler(c, session, given)) ?? askToSignIn(c);
  });

/** Refuses a form that no page of this session showed, such as one from before the person signed in again, by default. */
export function refuseStale(
  c: Context<AppEnv>,
  message = 'This form has expired, perhaps because you signed in again after you opened it. Open your page and try again there.',
  next = { path: '/me', title: 'Open your page' },
  status: 403 | 409 = 403,
) {
  c.set('refusal', 'stale_form');
  return renderPage(c, <MessagePage title="Nothing was changed" kind="warn" {...{ message, next }} />, status);
}

export const signInFirst = (c: Context<AppEnv>) =>
  renderPage(
    c,
    <SignInPage to={c.req.method === 'GET' && c.req.path !== '/me' ? c.req.path : undefined} />,
    401,
    leadingToGoogle(c),
  );

/** `agent` is the query of an agent's request, on which the person then decides, `to` the page that they asked for. */
export const SignInPage = ({ agent, to }: { agent?: string; to?: string | undefined }) => (
  <Layout title="Sign in" width="card">
    <p>
      {agent === undefined ? 'To open your page,' : 'An agent asks to act for you. To see what it asks for,'} sign in
      with the Google account of your calendar. You stay signed in for an hour.
    </p>
    <form method="get" action="/oauth/login">
      <HiddenFields fields={{ agent, to }} />
      <InputField id="user_id" label="Email address of that account" type="email" required autocomplete="email" />
      <button type="submit">Continue to Google</button>
    </form>
  </Layout>
);
