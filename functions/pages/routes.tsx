import { type Context, Hono } from 'hono';
import { endAccess } from '../../lib/calendars/connections.ts';
import { deleteUser } from '../../lib/users/erase.ts';
import { exportUser } from '../../lib/users/export.ts';
import { makeUserKey } from '../../lib/users/key.ts';
import { myPage } from '../../lib/users/page.ts';
import { csrfToken } from '../../lib/users/page-session.ts';
import { readText } from '../body.ts';
import type { AppEnv } from '../env.ts';
import { toExportAnswer } from '../v1/own-user.ts';
import { renderFailure } from './failure.tsx';
import { renderPage } from './layout.tsx';
import { DeletedPage, DeletePage, MePage, NewKeyPage, SignInPage } from './me.tsx';
import { MessagePage } from './message.tsx';
import { currentSession, signOut } from './session-cookie.ts';

/** A person's own pages. */
export const pages = new Hono<AppEnv>();

pages.onError(renderFailure);

pages.get('/me', async (c) => {
  const own = await ownPage(c);
  return own === undefined ? signInFirst(c) : renderPage(c, <MePage {...own} />);
});

pages.get('/me/delete', async (c) => {
  const own = await ownPage(c);
  return own === undefined ? signInFirst(c) : renderPage(c, <DeletePage {...own} />);
});

pages.get('/me/export', async (c) => {
  const own = await ownPage(c);
  if (own === undefined) return signInFirst(c);
  c.header('Content-Disposition', 'attachment; filename="tandem.json"');
  const text = JSON.stringify(toExportAnswer(await exportUser(c.var.ctx, own.userId)), null, 2);
  return c.body(text, 200, { 'Content-Type': 'application/json' });
});

pages.post('/me/api-key', (c) =>
  change(c, async (userId) => {
    const apiKey = await makeUserKey(c.var.ctx, userId);
    return apiKey === undefined ? signInFirst(c) : renderPage(c, <NewKeyPage apiKey={apiKey} />);
  }),
);

pages.post('/me/disconnect', (c) =>
  change(c, async (userId, form) => {
    await endAccess(c.var.ctx, { userId, platformId: form.get('platform_id') ?? '' });
    // The page itself says who has access now, also to a form that was sent twice.
    return c.redirect('/me', 303);
  }),
);

pages.post('/me/delete', (c) =>
  change(c, async (userId) => {
    await deleteUser(c.var.ctx, userId);
    signOut(c);
    return renderPage(c, <DeletedPage />);
  }),
);

async function ownPage(c: Context<AppEnv>) {
  const signedIn = await currentSession(c);
  const me = signedIn && (await myPage(c.var.ctx, signedIn.userId));
  if (signedIn === undefined || me === undefined) return undefined;
  return { ...me, userId: signedIn.userId, csrf: await csrfToken(c.var.ctx, signedIn.session) };
}

/** What a form of this session's own pages asks for; a form of anybody else changes nothing. */
async function change(c: Context<AppEnv>, make: (userId: string, form: URLSearchParams) => Promise<Response>) {
  const signedIn = await currentSession(c);
  if (signedIn === undefined) return signInFirst(c);
  const form = new URLSearchParams(await readText(c));
  if (form.get('csrf') === (await csrfToken(c.var.ctx, signedIn.session))) return make(signedIn.userId, form);
  const message =
    'Nothing was changed: this form is not of your page as it is now. Open your page again and retry there.';
  return renderPage(c, <MessagePage title="Not done" message={message} />, 403);
}

// A browser holds the redirect that answers the form to the same rule as the form.
const signInFirst = (c: Context<AppEnv>) =>
  renderPage(c, <SignInPage />, 401, { formAction: `'self' ${new URL(c.var.env.GOOGLE_AUTHORIZE_URL).origin}` });
