import { type Context, Hono } from 'hono';
import { isOurResource, resourceOf } from '../../lib/people/agents/authorize.ts';
import { AGENT_DAYS, exchange } from '../../lib/people/agents/tokens.ts';
import { ERRORS } from '../../schema/api/http-errors.ts';
import { readForm } from '../http/body.ts';
import type { AppEnv } from '../http/env.ts';
import { renderError, takeFailure } from '../http/errors.ts';
import { rateLimitByIp } from '../middleware/rate-limit.ts';

const DAY_SECONDS = 86_400;

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
  return c.json({ access_token: exchanged.key, token_type: 'Bearer', expires_in: AGENT_DAYS * DAY_SECONDS });
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
