import { type Context, Hono } from 'hono';
import {
  beginConnect,
  beginLogin,
  consentToken,
  readConnectLink,
} from '../../lib/calendars/connect/authorization-request.ts';
import { finishConnect, type Outcome } from '../../lib/calendars/connect/finish-consent.ts';
import { hasCode } from '../../lib/kit/errors.ts';
import { syncCalendar } from '../../lib/meetings/index.ts';
import { readForm } from '../http/body.ts';
import { type AppEnv, isOperatorNamed } from '../http/env.ts';
import { rateLimitByIp } from '../middleware/rate-limit.ts';
import { sameOrigin } from '../middleware/request.ts';
import { imagesOf } from '../pages/components.tsx';
import { BrokenLinkPage, ConnectedPage, ConsentPage, NotConnectedPage, StaleConsentPage } from '../pages/consent.tsx';
import { leadingToGoogle, renderFailure, renderPage } from '../pages/layout.tsx';
import { returnFromCheck } from '../pages/proposal/check.tsx';
import { flowName, keepCookie, keepFlow, readCookie, readFlow, signIn } from '../pages/session-cookie.ts';

const CONSENT_COOKIE = 'tandem_consent';
const FLOW_SECONDS = 600;
const CONNECTED_SECONDS = 86_400;

export const connect = new Hono<AppEnv>();

connect.onError((error, c) => {
  if (!hasCode(error, 'invalid_request')) return renderFailure(error, c);
  return renderPage(c, <BrokenLinkPage field={error.details.field} detail={error.message} />, 400);
});

connect.use('/v1/auth/*', rateLimitByIp());
connect.use('/oauth/*', rateLimitByIp(), sameOrigin());

connect.get('/v1/auth/calendar/authorize', async (c) => {
  const query = queryOf(c);
  const { platform, email } = await readConnectLink(c.var.ctx, linkOf(query));
  const nonce = nonceOf(c) ?? c.var.ctx.ids.secret('');
  keepCookie(c, CONSENT_COOKIE, nonce, FLOW_SECONDS);
  const { platform_key = '', user_email = '', redirect_uri, state } = query;
  const token = await consentToken(c.var.ctx, nonce, linkOf(query), platform.defaultPreferences);
  const fields = { platform_key, user_email, redirect_uri, state, token };
  const page = (
    <ConsentPage platform={platform} email={email} hasPrivacy={isOperatorNamed(c.var.env)} fields={fields} />
  );
  return renderPage(c, page, 200, { ...leadingToGoogle(c), images: imagesOf(platform) });
});

/** Returns the query of a link. In mail that was escaped twice, each `&` of a link has become `&amp;`. */
const queryOf = (c: Context<AppEnv>): Record<string, string> =>
  Object.fromEntries(Object.entries(c.req.query()).map(([name, value]) => [name.replace(/^(?:amp;)+/, ''), value]));

/** Returns the nonce that the browser has from another tab or an earlier load, whose form then stays valid. */
function nonceOf(c: Context<AppEnv>): string | undefined {
  const nonce = readCookie(c, CONSENT_COOKIE) ?? '';
  return /^[\w-]{43}$/.test(nonce) ? nonce : undefined;
}

connect.post('/oauth/authorize', async (c) => {
  const form = Object.fromEntries(await readForm(c));
  const nonce = nonceOf(c);
  const [{ ctx }, link] = [c.var, linkOf(form)];
  if (nonce === undefined) return refuseStale(c);
  const read = await readConnectLink(ctx, link);
  const isShown = form.token === (await consentToken(ctx, nonce, link, read.platform.defaultPreferences));
  return isShown ? leave(c, await beginConnect(ctx, link, read), read.platform.name) : refuseStale(c);
});

function refuseStale(c: Context<AppEnv>) {
  c.set('refusal', 'stale_form');
  return renderPage(c, <StaleConsentPage />, 400);
}

const linkOf = ({ platform_key = '', user_email = '', redirect_uri, state }: Record<string, string>) => ({
  platformKey: platform_key,
  userEmail: user_email,
  redirectUri: redirect_uri,
  state,
});

connect.get('/oauth/login', async (c) => {
  const { user_id = '', agent, to } = queryOf(c);
  return leave(c, await beginLogin(c.var.ctx, user_id, { ...(agent && { agent }), ...(to && { to }) }));
});

connect.get('/oauth/callback', async (c) => {
  const returned = await returnFromCheck(c);
  if (returned !== undefined) return returned;
  const { code, error, state = '' } = c.req.query();
  const flow = await flowName('flow', state);
  const [kept, platform] = await flowAt(c, flow);
  // Otherwise somebody could finish another person's flow, or be signed in to another person's session.
  if (kept === undefined) return arrive(c, { kind: 'failed', reason: 'other_browser' }, flow);
  if (kept !== WAITING) return c.redirect(connectedPath(flow), 303);
  const { ctx } = c.var;
  const outcome = await finishConnect(ctx, { code, error, state }, (userId) => syncCalendar(ctx, userId));
  return arrive(c, outcome, flow, platform);
});

connect.get('/oauth/connected', async (c) => {
  const [email, platform] = await flowAt(c, `${FLOW_COOKIE}${c.req.query('flow') ?? ''}`);
  return renderPage(c, <ConnectedPage email={email === WAITING ? undefined : email} platform={platform} />);
});

/** A flow's cookie has this until its calendar is connected, and then the address. The name of the platform follows. */
const WAITING = 'waiting';
const flowAt = async (c: Context<AppEnv>, flow: string) => (await readFlow(c, flow))?.split(/ (.*)/s) ?? [];
const FLOW_COOKIE = 'tandem_flow_';
const connectedPath = (flow: string) => `/oauth/connected?flow=${flow.slice(FLOW_COOKIE.length)}`;

async function leave(c: Context<AppEnv>, { url, state }: { url: string; state: string }, platform = '') {
  await keepFlow(c, await flowName('flow', state), `${WAITING} ${platform}`, FLOW_SECONDS);
  c.header('Cache-Control', 'no-store');
  return c.redirect(url);
}

/** Leads to the agent's request, or to a page of theirs. The query is written anew to keep characters out of the header. */
const homeOf = ({ agent, to = '/me' }: { agent: string | undefined; to: string | undefined }) =>
  agent === undefined ? to : `/oauth/agent?${new URLSearchParams(agent)}`;

async function arrive(c: Context<AppEnv>, outcome: Outcome, flow: string, platform = '') {
  c.header('Cache-Control', 'no-store');
  switch (outcome.kind) {
    case 'redirect':
      c.set('refusal', outcome.reason);
      return c.redirect(outcome.url);
    case 'connected':
      await keepFlow(c, flow, `${outcome.email} ${platform}`, CONNECTED_SECONDS);
      return c.redirect(connectedPath(flow), 303);
    case 'signed_in':
      await signIn(c, outcome.session);
      return c.redirect(homeOf(outcome));
    case 'failed': {
      c.set('refusal', outcome.reason);
      const status = outcome.reason === 'calendar_unavailable' ? 503 : 400;
      return renderPage(c, <NotConnectedPage {...outcome} requestId={c.var.requestId} />, status);
    }
  }
}
