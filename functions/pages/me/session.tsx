import type { Context, Hono } from 'hono';
import { csrfToken } from '../../../lib/page-session.ts';
import { readText } from '../../body.ts';
import type { AppEnv } from '../../env.ts';
import { renderPage } from '../layout.tsx';
import { MessagePage } from '../message.tsx';
import { currentSession } from '../session-cookie.ts';
import { SignInPage } from './single.tsx';

/** The session of a person in this browser, and what its forms carry. */
export interface MySession {
  userId: string;
  csrf: string;
  /** The session's own text, which no page shows. */
  text: string;
}

/** Nothing for somebody who is a user no more. */
type Answer = Response | undefined | Promise<Response | undefined>;

async function sessionOf(c: Context<AppEnv>): Promise<MySession | undefined> {
  const signedIn = await currentSession(c);
  if (signedIn === undefined) return undefined;
  const { userId, session: text } = signedIn;
  return { userId, csrf: await csrfToken(c.var.ctx, text), text };
}

/** Mounts a page of a person's own; without a session, and where the handler finds nobody, they sign in first. */
export const page = (app: Hono<AppEnv>, path: string, handler: (c: Context<AppEnv>, session: MySession) => Answer) =>
  app.get(path, async (c) => {
    const session = await sessionOf(c);
    return (session && (await handler(c, session))) ?? signInFirst(c);
  });

/** Mounts what a form of a person's own pages does; a form that is not of this session's pages changes nothing. */
export const form = (
  app: Hono<AppEnv>,
  path: string,
  handler: (c: Context<AppEnv>, session: MySession, form: URLSearchParams) => Answer,
) =>
  app.post(path, async (c) => {
    const session = await sessionOf(c);
    if (session === undefined) return signInFirst(c);
    const given = new URLSearchParams(await readText(c));
    if (given.get('csrf') !== session.csrf) return renderPage(c, <StaleForm />, 403);
    return (await handler(c, session, given)) ?? signInFirst(c);
  });

export const StaleForm = () => (
  <MessagePage
    title="Not done"
    kind="warn"
    message="Nothing was changed: this form is out of date, perhaps because you signed in again after you opened it. Open your page and try again there."
    next={{ path: '/me', title: 'Open your page' }}
  />
);

/** Asks who this is; a browser holds the redirect that answers the form to the same rule as the form. */
export const signInFirst = (c: Context<AppEnv>) =>
  renderPage(c, <SignInPage />, 401, { formAction: `'self' ${new URL(c.var.env.GOOGLE_AUTHORIZE_URL).origin}` });
