import { type Context, Hono } from 'hono';
import { makeUserKey, myPage } from '../../lib/users/page.ts';
import { csrfToken } from '../../lib/users/page-session.ts';
import { readText } from '../body.ts';
import type { AppEnv } from '../env.ts';
import { renderFailure } from './failure.tsx';
import { renderPage } from './layout.tsx';
import { MePage, NewKeyPage } from './me.tsx';
import { MessagePage } from './message.tsx';
import { currentSession } from './session-cookie.ts';

/** A person's own pages. */
export const pages = new Hono<AppEnv>();

pages.onError(renderFailure);

pages.get('/me', async (c) => {
  const signedIn = await currentSession(c);
  const me = signedIn && (await myPage(c.var.ctx, signedIn.userId));
  if (signedIn === undefined || me === undefined) return signInFirst(c);
  return renderPage(c, <MePage {...me} csrf={await csrfToken(c.var.ctx, signedIn.session)} />);
});

pages.post('/me/api-key', async (c) => {
  const signedIn = await currentSession(c);
  if (signedIn === undefined) return signInFirst(c);
  const form = new URLSearchParams(await readText(c));
  if (form.get('csrf') !== (await csrfToken(c.var.ctx, signedIn.session)))
    return renderPage(c, <MessagePage title="Not done" message="Open your page again and retry from there." />, 403);
  const apiKey = await makeUserKey(c.var.ctx, signedIn.userId);
  return apiKey === undefined ? signInFirst(c) : renderPage(c, <NewKeyPage apiKey={apiKey} />);
});

const signInFirst = (c: Context<AppEnv>) =>
  renderPage(
    c,
    <MessagePage title="Sign in first" message="Open /oauth/login?user_id= with your e-mail address to sign in." />,
    401,
  );
