import { Hono } from 'hono';
import { AppError } from '../../../lib/kit/errors.ts';
import { ERRORS_PATH } from '../../../schema/api/http-errors.ts';
import type { AppEnv } from '../../env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { renderFailure } from '../failure.tsx';
import { renderPage } from '../layout.tsx';
import { AgentsPage } from './agents.tsx';
import { ConceptsPage } from './concepts.tsx';
import { ErrorsPage } from './errors.tsx';
import { exampleDate } from './example-time.ts';
import { IdempotencyPage } from './idempotency.tsx';
import { llmsText } from './llms.ts';
import { groupPage, ReferencePage } from './reference.tsx';
import { StartPage } from './start.tsx';
import { TimePage } from './time.tsx';
import { WebhooksPage } from './webhooks.tsx';

/** Serves the documentation: pages for developers, and llms.txt for language models. */
export const docs = new Hono<AppEnv>();

docs.onError(renderFailure);
docs.use('/docs/*', rateLimitByIp());

docs.get('/', (c) => c.redirect('/docs'));
docs.get('/docs', (c) =>
  renderPage(c, <StartPage baseUrl={c.var.env.BASE_URL} date={exampleDate(c.var.ctx.clock.now())} />),
);
docs.get('/docs/concepts', (c) => renderPage(c, <ConceptsPage />));
docs.get('/docs/time', (c) => renderPage(c, <TimePage date={exampleDate(c.var.ctx.clock.now())} />));
docs.get('/docs/idempotency', (c) => renderPage(c, <IdempotencyPage />));
docs.get('/docs/webhooks', (c) => renderPage(c, <WebhooksPage />));
docs.get('/docs/agents', (c) => renderPage(c, <AgentsPage baseUrl={c.var.env.BASE_URL} />));
docs.get(ERRORS_PATH, (c) => renderPage(c, <ErrorsPage />));
docs.get('/docs/reference', (c) => renderPage(c, <ReferencePage />));
docs.get('/docs/reference/:group', (c) => {
  const page = groupPage(c.req.param('group'));
  if (page === undefined)
    throw new AppError(
      'not_found',
      `There is nothing at ${c.req.path}. /docs/reference lists all groups of operations.`,
    );
  return renderPage(c, page);
});
docs.get('/llms.txt', (c) => c.text(llmsText(c.var.env.BASE_URL)));
