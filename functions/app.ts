import { Hono } from 'hono';
import { AppError } from '../lib/errors.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { AppEnv } from './env.ts';
import { renderError } from './errors.ts';
import { ROUTES } from './groups.ts';
import { calendarPush } from './internal/calendar-push.ts';
import { queue } from './internal/queue.ts';
import { auth } from './middleware/auth.ts';
import { https } from './middleware/https.ts';
import { rateLimitByIp } from './middleware/rate-limit.ts';
import { request } from './middleware/request.ts';
import { connect } from './oauth/connect.tsx';
import { openapi } from './openapi.ts';
import { docs } from './pages/docs.tsx';
import { pages } from './pages/routes.tsx';

export const app = new Hono<AppEnv>();

app.onError(renderError);
app.use(request(), https());
app.get('/health', (c) => c.json({ status: 'ok', version: packageJson.version }));

app.use('/v1/auth/*', rateLimitByIp());
app.use('/oauth/*', rateLimitByIp());
app.use('/me/*', rateLimitByIp());
app.use('/openapi.json', rateLimitByIp());
app.use('/docs/*', rateLimitByIp());
app.route('/', openapi);
app.route('/', docs);
app.route('/', connect);
app.route('/', pages);
app.route('/', queue);
app.route('/', calendarPush);

app.use('/v1/*', auth());
for (const routes of ROUTES) app.route('/', routes);

// A known path with another method is told from an unknown path.
const mounted = Map.groupBy(
  app.routes.filter(({ method }) => method !== 'ALL'),
  ({ path }) => path,
);
for (const [path, routes] of mounted) {
  const methods = new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  const allowed = [...methods].sort().join(', ');
  app.all(path, (c) => {
    c.header('Allow', allowed);
    throw new AppError('method_not_allowed', `${c.req.path} does not take ${c.req.method}.`);
  });
}
app.notFound((c) => renderError(new AppError('not_found', `There is nothing at ${c.req.path}.`), c));
