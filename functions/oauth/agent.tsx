import { type Context, Hono } from 'hono';
import { hasCode } from '../../lib/kit/errors.ts';
import { consentForm, decide, readRequest } from '../../lib/people/agents/authorize.ts';
import { whoAmI } from '../../lib/people/own-page.ts';
import type { AppEnv } from '../http/env.ts';
import { AgentConsentPage, AgentRefusedPage, StaleAgentPage } from '../pages/agent.tsx';
import { renderFailure } from '../pages/failure.tsx';
import { renderPage } from '../pages/layout.tsx';
import { form, page } from '../pages/me/session.tsx';
import { SignInPage } from '../pages/me/single.tsx';

/**
 * `connect` counts these requests and refuses forms of other sites. The person sees a fault, and it is not sent to the
 * agent's URL at once: anybody can publish a document and would have a redirect from Tandem to their own.
 */
export const agent = new Hono<AppEnv>();

agent.onError((error, c) => (hasCode(error, 'unauthorized') ? signInFirst(c) : renderFailure(error, c)));

/** Asks the person to sign in, and brings them back to the agent's request afterwards. */
const signInFirst = (c: Context<AppEnv>) => {
  if (c.req.method === 'POST') return refuseStale(c);
  const formAction = `'self' ${new URL(c.var.env.GOOGLE_AUTHORIZE_URL).origin}`;
  return renderPage(c, <SignInPage agent={new URL(c.req.url).search.slice(1)} />, 401, { formAction });
};

function refuseStale(c: Context<AppEnv>) {
  c.set('refusal', 'stale_form');
  return renderPage(c, <StaleAgentPage />, 400);
}

page(
  agent,
  '/oauth/agent',
  async (c, { id, userId, csrf }) => {
    const { ctx } = c.var;
    const person = await whoAmI(ctx, userId);
    await ctx.admitted;
    const read = await readRequest(ctx, new URL(c.req.url).searchParams);
    if (person === undefined) return undefined;
    if ('wrong' in read) {
      c.set('refusal', 'invalid_request');
      return renderPage(c, <AgentRefusedPage host={read.agent?.host} wrong={read.wrong} backTo={read.backTo} />, 400);
    }
    const fields = { csrf, request: await consentForm(ctx, id, read.asked) };
    const { redirectUri } = read.asked;
    return renderPage(c, <AgentConsentPage {...{ ...read, email: person.email, redirectUri, fields }} />, 200, {
      formAction: `'self' ${sourceOf(redirectUri)}`,
    });
  },
  signInFirst,
);

/**
 * Browsers apply `form-action` to the redirect too. A policy names the scheme for `[::1]`, because it takes no IPv6.
 */
const sourceOf = (redirectUri: string) => {
  const { origin, hostname, protocol } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
};

form(
  agent,
  '/oauth/agent',
  async (c, { id, userId }, given) => {
    const isAllowed = given.get('decision') === 'allow';
    const url = await decide(c.var.ctx, { session: id, userId, form: given.get('request') ?? '', isAllowed });
    if (url === undefined) return refuseStale(c);
    if (!isAllowed) c.set('refusal', 'access_denied');
    return c.redirect(url, 303);
  },
  refuseStale,
);
