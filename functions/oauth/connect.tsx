import { type Context, Hono } from 'hono';
import { beginConnect, beginLogin } from '../../lib/calendars/connect/begin.ts';
import { finishConnect, type Outcome } from '../../lib/calendars/connect/finish.ts';
import { AppError } from '../../lib/errors.ts';
import { sha256 } from '../../lib/keys.ts';
import type { AppEnv } from '../env.ts';
import { ConnectedPage } from '../pages/connected.tsx';
import { renderFailure } from '../pages/failure.tsx';
import { renderPage } from '../pages/layout.tsx';
import { MessagePage } from '../pages/message.tsx';
import { dropCookie, keepCookie, readCookie, signIn } from '../pages/session-cookie.ts';

const FLOW_COOKIE = 'tandem_flow';
const FLOW_SECONDS = 600;

const REASONS: Record<Extract<Outcome, { kind: 'failed' }>['reason'], string> = {
  invalid_state: 'This link is no longer valid. Start again from where you came.',
  access_denied: 'You did not allow access, so nothing was connected.',
  email_mismatch: 'You signed in with another account than the one that was asked for. Start again with that one.',
  missing_scopes: 'Both calendar permissions are needed. Start again and leave them ticked.',
  calendar_refused: 'Google did not accept the sign-in. Start again from where you came.',
  calendar_unavailable: 'Google could not be reached. Nothing was changed; try again in a moment.',
};

/** The calendar consent, from the platform's link to the way back. */
export const connect = new Hono<AppEnv>();

connect.onError((error, c) => {
  if (!(error instanceof AppError && error.code === 'invalid_request')) return renderFailure(error, c);
  return renderPage(c, <MessagePage title="This link does not work" message={error.message} />, 400);
});

connect.get('/v1/auth/calendar/authorize', async (c) => {
  const { platform_key = '', user_email = '', redirect_uri, state } = c.req.query();
  const input = { platformKey: platform_key, userEmail: user_email, redirectUri: redirect_uri, state };
  return leave(c, await beginConnect(c.var.ctx, input));
});

connect.get('/oauth/login', async (c) => leave(c, await beginLogin(c.var.ctx, c.req.query('user_id') ?? '')));

connect.get('/oauth/callback', async (c) => {
  const { code, error, state = '' } = c.req.query();
  const outcome = await finishConnect(c.var.ctx, { code, error, state });
  // Only the browser that set out is signed in, so that nobody is led into another's session.
  const isSameBrowser = readCookie(c, FLOW_COOKIE) === (await sha256(state));
  dropCookie(c, FLOW_COOKIE);
  if (outcome.kind !== 'failed' && outcome.userId !== undefined && isSameBrowser) await signIn(c, outcome.userId);
  return arrive(c, outcome);
});

async function leave(c: Context<AppEnv>, { url, state }: { url: string; state: string }) {
  keepCookie(c, FLOW_COOKIE, await sha256(state), FLOW_SECONDS);
  c.header('Cache-Control', 'no-store');
  return c.redirect(url);
}

function arrive(c: Context<AppEnv>, outcome: Outcome) {
  c.header('Cache-Control', 'no-store');
  if (outcome.kind === 'redirect') return c.redirect(outcome.url);
  if (outcome.kind === 'page')
    return outcome.isLogin ? c.redirect('/me') : renderPage(c, <ConnectedPage email={outcome.email} />);
  const status = outcome.reason === 'calendar_unavailable' ? 503 : 400;
  return renderPage(c, <MessagePage title="Not connected" message={REASONS[outcome.reason]} />, status);
}
