import { Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { edgeRoutes } from './control/edge.ts';
import { googleRoutes } from './control/google.ts';
import { inboxRoutes } from './control/inbox.ts';
import { indexRoutes } from './control/index-page.ts';
import { modelRoutes } from './control/model.ts';
import { peopleRoutes } from './control/people.ts';
import { timeRoutes } from './control/time.ts';
import { triggerRoutes } from './control/triggers.ts';

type ControlDeps = Parameters<typeof edgeRoutes>[0] &
  Parameters<typeof timeRoutes>[0] &
  Parameters<typeof peopleRoutes>[0] &
  Parameters<typeof triggerRoutes>[0] & {
    google: Parameters<typeof googleRoutes>[0];
    inbox: Parameters<typeof inboxRoutes>[0];
    llm: Parameters<typeof modelRoutes>[0];
    /** Serves Google's pages, so that a browser can open them at the loopback address. */
    pages: (request: Request) => Response | Promise<Response>;
  };

/** Creates the control server, which reads and changes the local world. It also serves Google's consent pages. */
export function createControl(deps: ControlDeps) {
  return new Hono()
    .use(endLines)
    .route('/', indexRoutes())
    .route('/', edgeRoutes(deps))
    .route('/', googleRoutes(deps.google))
    .route('/', inboxRoutes(deps.inbox))
    .route('/', modelRoutes(deps.llm))
    .route('/', peopleRoutes(deps))
    .route('/', timeRoutes(deps))
    .route('/', triggerRoutes(deps))
    .all('/o/*', (c) => deps.pages(c.req.raw))
    .notFound((c) => c.json({ error: 'not_found', message: `There is no ${c.req.method} ${c.req.path} here.` }, 404))
    .onError((error, c) => {
      if (error instanceof HTTPException) {
        const code = error.status === 400 ? 'invalid_request' : 'refused';
        return c.json({ error: code, message: error.message }, error.status);
      }
      return c.json({ error: 'internal', message: error.stack ?? error.message }, 500);
    });
}

/** Ends JSON with a newline, so that a terminal's prompt begins on a line of its own. */
const endLines: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.get('content-type')?.startsWith('application/json')) return;
  c.res = new Response(`${await c.res.text()}\n`, c.res);
};
