import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { edgeRoutes } from './control/edge.ts';
import { googleRoutes } from './control/google.ts';
import { inboxRoutes } from './control/inbox.ts';
import { peopleRoutes } from './control/people.ts';
import { timeRoutes } from './control/time.ts';

type ControlDeps = Parameters<typeof edgeRoutes>[0] &
  Parameters<typeof timeRoutes>[0] &
  Parameters<typeof peopleRoutes>[0] & {
    google: Parameters<typeof googleRoutes>[0];
    inbox: Parameters<typeof inboxRoutes>[0];
    /** The calendar provider's pages, so that a browser can open them on the loopback address. */
    pages: (request: Request) => Response | Promise<Response>;
  };

/** The loopback server's own face: it asks and turns the local world; the consent pages are served beside it. */
export function createControl(deps: ControlDeps) {
  return new Hono()
    .route('/', edgeRoutes(deps))
    .route('/', googleRoutes(deps.google))
    .route('/', inboxRoutes(deps.inbox))
    .route('/', peopleRoutes(deps))
    .route('/', timeRoutes(deps))
    .all('/o/*', (c) => deps.pages(c.req.raw))
    .notFound((c) => c.json({ error: 'not_found', message: `${c.req.method} ${c.req.path} is not served here` }, 404))
    .onError((error, c) => {
      if (error instanceof HTTPException) {
        const code = error.status === 400 ? 'invalid_request' : 'refused';
        return c.json({ error: code, message: error.message }, error.status);
      }
      return c.json({ error: 'internal', message: error.stack ?? error.message }, 500);
    });
}
