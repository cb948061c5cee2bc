import { type Context, Hono } from 'hono';
import { hasCode } from '../../lib/kit/errors.ts';
import {
  AGENT_DAYS,
  type Agent,
  consentForm,
  decide,
  exchange,
  isOurResource,
  readRequest,
  resourceOf,
} from '../../lib/people/agents.ts';
import { whoAmI } from '../../lib/people/own-page.ts';
import { quotedWords } from '../../lib/words/people.ts';
import { ERRORS } from '../../schema/api/http-errors.ts';
import { readForm } from '../http/body.ts';
import type { AppEnv } from '../http/env.ts';
import { renderError, takeFailure } from '../http/errors.ts';
import { rateLimitByIp } from '../middleware/rate-limit.ts';
import { Form, Mark, Notice } from '../pages/components.tsx';
import { Layout, leadingToGoogle, renderFailure, renderPage } from '../pages/layout.tsx';
import { form, page, SignInPage } from '../pages/me/session.tsx';

export const agentTokens = new Hono<AppEnv>();

agentTokens.onError((error, c) => (c.req.path === TOKEN_PATH ? renderTokenError(error, c) : renderError(error, c)));
agentTokens.use('/.well-known/oauth-*', rateLimitByIp());

export const TOKEN_PATH = '/oauth/token';

/** Path of the metadata that says where agents get a token for `/mcp` (RFC 9728). */
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

const SERVER_METADATA = '/.well-known/oauth-authorization-server';

/** Returns the path of `/mcp` as the client has it, perhaps with a slash at the end, because strict clients compare it. */
const mcpPathOf = ({ req: { path } }: Context<AppEnv>) => (path.endsWith('/') ? '/mcp/' : '/mcp');

export const challengeFor = (c: Context<AppEnv>, { hadToken }: { hadToken: boolean }) =>
  `Bearer ${hadToken ? 'error="invalid_token", ' : ''}resource_metadata="${c.var.ctx.config.baseUrl}${RESOURCE_METADATA}${mcpPathOf(c)}"`;

agentTokens.on('GET', [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`, `${RESOURCE_METADATA}/mcp/`], (c) =>
  c.json({
    resource: `${c.var.ctx.config.baseUrl}${mcpPathOf(c)}`,
    authorization_servers: [c.var.ctx.config.baseUrl],
    bearer_methods_supported: ['header'],
    resource_name: 'Tandem',
    resource_documentation: `${c.var.ctx.config.baseUrl}/docs/agents`,
  }),
);

/** RFC 8414. Clients that take the MCP server for the issuer ask under its path. */
agentTokens.on('GET', [SERVER_METADATA, `${SERVER_METADATA}/mcp`], (c) => {
  const { baseUrl } = c.var.ctx.config;
  return c.json({
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/agent`,
    token_endpoint: `${baseUrl}${TOKEN_PATH}`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

agentTokens.post(TOKEN_PATH, rateLimitByIp(), async (c) => {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(c.req.header('Content-Type') ?? ''))
    return refuse(c, 'invalid_request', 'The body must be application/x-www-form-urlencoded.');
  const given = await readForm(c);
  const [code, verifier, clientId] = ['code', 'code_verifier', 'client_id'].map((name) => given.get(name) ?? '');
  if (given.get('grant_type') !== 'authorization_code')
    return refuse(c, 'unsupported_grant_type', 'The grant_type must be authorization_code.');
  if (!code || !verifier || !clientId)
    return refuse(c, 'invalid_request', 'The body must have code, code_verifier and client_id.');
  if (!isOurResource(c.var.ctx, given.get('resource')))
    return refuse(c, 'invalid_target', `The resource must be ${resourceOf(c.var.ctx)}.`);
  const redirectUri = given.get('redirect_uri');
  const exchanged = await exchange(c.var.ctx, { code, verifier, clientId, redirectUri });
  if (typeof exchanged === 'string') return refuse(c, 'invalid_grant', exchanged);
  return c.json({ access_token: exchanged.key, token_type: 'Bearer', expires_in: AGENT_DAYS * 86_400 });
});

/** Refuses a token request in the form of OAuth (RFC 6749, section 5.2), which differs from that of the API. */
function refuse(c: Context<AppEnv>, error: string, description: string): Response {
  c.set('refusal', error);
  return c.json({ error, error_description: description }, 400);
}

export function renderTokenError(failed: unknown, c: Context<AppEnv>): Response {
  const { code, message: error_description } = takeFailure(failed, c);
  const { status } = ERRORS[code];
  const ours = status === 500 ? 'server_error' : 'invalid_request';
  return c.json({ error: status === 429 ? 'temporarily_unavailable' : ours, error_description }, status);
}

/** A fault is not sent to the agent at once: anybody can publish a document, and Tandem would redirect to it. */
export const agent = new Hono<AppEnv>();

agent.onError((error, c) => (hasCode(error, 'unauthorized') ? signInFirst(c) : renderFailure(error, c)));

const signInFirst = (c: Context<AppEnv>) => {
  if (c.req.method === 'POST') return refuseStale(c);
  return renderPage(c, <SignInPage agent={new URL(c.req.url).search.slice(1)} />, 401, leadingToGoogle(c));
};

function refuseStale(c: Context<AppEnv>) {
  c.set('refusal', 'stale_form');
  return renderPage(c, <StaleAgentPage />, 400);
}

page(
  agent,
  '/oauth/agent',
  async (c, { id, userId }) => {
    const { ctx } = c.var;
    const person = await whoAmI(ctx, userId);
    await ctx.admitted;
    const read = await readRequest(ctx, new URL(c.req.url).searchParams);
    if (person === undefined) return undefined;
    if ('wrong' in read) {
      c.set('refusal', 'invalid_request');
      return renderPage(c, <AgentRefusedPage host={read.agent?.host} wrong={read.wrong} backTo={read.backTo} />, 400);
    }
    const request = await consentForm(ctx, id, read.asked);
    const { redirectUri } = read.asked;
    return renderPage(c, <AgentConsentPage {...{ ...read, email: person.email, redirectUri, request }} />, 200, {
      formAction: `'self' ${sourceOf(redirectUri)}`,
    });
  },
  signInFirst,
);

/** A policy names the scheme for `[::1]`, because it takes no IPv6. */
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

type AgentConsent = { agent: Agent } & Record<'email' | 'redirectUri' | 'request', string>;

/** Asks a person whether an agent may act for them. It names the agent by its host, which nobody can make up. */
function AgentConsentPage({ agent: { host, path, name }, email, redirectUri, request }: AgentConsent) {
  const to = new URL(redirectUri);
  return (
    <Layout title={`Let ${host} act for you?`} width="card">
      <p>
        <strong>{host}</strong> <bdi>{path}</bdi>,{' '}
        {name === '' ? (
          'which gives itself no name,'
        ) : (
          <>
            which calls itself <bdi>{quotedWords(name)}</bdi>,
          </>
        )}{' '}
        asks for access to your Tandem account <strong>{email}</strong>.
        {name === '' ? null : ' Tandem has not checked that name.'}
      </p>
      <h2>What it can do</h2>
      <ul>
        <li>See when you are free</li>
        <li>See your meetings on all platforms, with their titles and guests</li>
        <li>Change your work hours and your other preferences</li>
      </ul>
      <h2>What it cannot do</h2>
      <ul>
        <li>See what else is on your calendar</li>
        <li>Book, move or cancel meetings</li>
        <li>Create API keys, disconnect calendars or delete your account</li>
      </ul>
      <p>
        The access ends after {AGENT_DAYS} days. You can end it at any time on <a href="/me#agents">your Tandem page</a>
        .
      </p>
      {to.protocol === 'http:' && (
        <Notice kind="warn" title="A program on this computer gets the access">
          <p>Allow it only if you have just started that program yourself.</p>
        </Notice>
      )}
      {to.protocol !== 'http:' && to.hostname !== host && (
        <Notice kind="warn" title={`The access goes to ${to.hostname}`}>
          <p>
            That is another site than <strong>{host}</strong>. Allow it only if you know both.
          </p>
        </Notice>
      )}
      <p>
        When you decide, you go back to <strong>{to.host}</strong>.
      </p>
      <Form action="/oauth/agent" fields={{ request }}>
        <div class="actions">
          <button type="submit" name="decision" value="allow">
            Allow
          </button>
          <button type="submit" name="decision" value="refuse" class="quiet">
            Refuse
          </button>
        </div>
      </Form>
    </Layout>
  );
}

type AgentRefusal = { host?: string | undefined; wrong: string; backTo?: string | undefined };

const AgentRefusedPage = ({ host, wrong, backTo }: AgentRefusal) => (
  <Layout title="This request does not work" width="card" mark={<Mark kind="warn" />}>
    <p>
      {host === undefined ? 'An agent' : <strong>{host}</strong>} asked for access to your Tandem account, but its
      request is not correct. It got no access. This is not your fault.
    </p>
    <p>Whoever made the agent can use this line:</p>
    <p>
      <code>{wrong}</code>
    </p>
    {backTo === undefined ? null : (
      <p>
        <a class="button" href={backTo} rel="noreferrer">
          Go back to {new URL(backTo).host}
        </a>
      </p>
    )}
  </Layout>
);

const StaleAgentPage = () => (
  <Layout title="This page has expired" width="card" mark={<Mark kind="info" />}>
    <p>You already decided, or the page was open for more than ten minutes, or you signed out since.</p>
    <p>Go back to the agent and connect it again.</p>
  </Layout>
);
