import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { AppError } from '../lib/kit/errors.ts';
import { version } from '../package.json';
import type { AppEnv } from './http/env.ts';
import { renderError } from './http/errors.ts';
import { calendarPush, queue } from './internal/queue.ts';
import { ready } from './internal/ready.ts';
import { challenge, MCP_PATHS, mcp, ownHostOnly } from './mcp/routes.ts';
import { auth } from './middleware/auth.ts';
import { rateLimitByIp } from './middleware/rate-limit.ts';
import { request } from './middleware/request.ts';
import { agent, agentTokens, renderTokenError, TOKEN_PATH } from './oauth/agent.tsx';
import { connect } from './oauth/connect.tsx';
import { dashboard } from './pages/dashboard/routes.tsx';
import { renderFailure } from './pages/layout.tsx';
import { me } from './pages/me/routes.tsx';
import { proposalPages } from './pages/proposal/routes.tsx';
import { docs, legal, openapi } from './prerendered.ts';
import { calendars } from './v1/calendars.ts';
import { meetings } from './v1/meetings.ts';
import { platform } from './v1/platform.ts';
import { schedule } from './v1/schedule.ts';
import { user } from './v1/user.ts';
import { webhooks } from './v1/webhooks.ts';

export const app = new Hono<AppEnv>();

/** A person reads the failure of a page, so it is a page too, as a browser gets for any path outside the API. */
function fail(error: unknown, c: Context<AppEnv>) {
  if (c.req.path === TOKEN_PATH) return renderTokenError(error, c);
  return isPage(c) ? renderFailure(error, c) : renderError(error, c);
}

const isPage = ({ req }: Context<AppEnv>) =>
  /^\/(docs|me|dashboard|oauth|p|privacy|terms)(\/|$)/.test(req.path) ||
  (!/^\/(v1|mcp|health|internal)(\/|$)|\.json$/.test(req.path) && /\btext\/html\b/.test(req.header('Accept') ?? ''));

app.onError(fail);
app.use(request());
for (const path of MCP_PATHS) app.use(path, ownHostOnly());
app.use(async function https(c, next) {
  const url = new URL(c.req.url);
  if (url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) return next();
  url.protocol = 'https:';
  return c.redirect(url.href, 308);
});
// Everybody may read these anyway. Programs in a browser, such as a viewer of OpenAPI documents or an agent that wants to
// sign in, can then read them too.
for (const path of ['/openapi.json', '/.well-known/*', '/llms.txt', '/docs', '/docs/*', '/docs.md', '/health'])
  app.use(path, cors({ origin: '*', allowMethods: ['GET', 'HEAD'] }));
app.get('/health', (c) => c.json({ status: 'ok', version }));
app.route('/', ready);

app.use('/openapi.json', rateLimitByIp());
app.route('/', openapi);
app.route('/', docs);
app.route('/', legal);
app.route('/', agentTokens);
app.route('/', connect);
app.route('/', agent);
app.route('/', me);
app.route('/', dashboard);
app.route('/', proposalPages);
app.route('/', queue);
app.route('/', calendarPush);

for (const path of MCP_PATHS) app.use(path, challenge(), auth());
app.route('/', mcp);

app.use('/v1/*', auth());
for (const routes of [schedule, meetings, calendars, platform, user, webhooks]) app.route('/', routes);

const mounted = Map.groupBy(
  app.routes.filter(({ method }) => method !== 'ALL'),
  ({ path }) => path,
);
for (const [path, routes] of mounted) {
  const methods = new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  const allowed = [...methods].sort().join(', ');
  app.all(path, (c) => {
    c.header('Allow', allowed);
    throw new AppError(
      'method_not_allowed',
      `${c.req.path} does not accept ${c.req.method}. Use one of the methods in the response header Allow.`,
    );
  });
}
app.notFound((c) => {
  const hasSlash = /\/\/|.\/$/.test(c.req.path);
  // Mail programs and browsers put a slash at the end of a link. Whoever follows a link cannot mend it.
  if (hasSlash && isPage(c) && ['GET', 'HEAD'].includes(c.req.method)) {
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(pathname.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1') + search, 302);
  }
  const advice = hasSlash ? 'Leave out the slash that is too many.' : 'GET /openapi.json lists every path.';
  return fail(new AppError('not_found', `There is nothing at ${c.req.path}. ${advice}`), c);
});
