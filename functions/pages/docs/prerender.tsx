import type { Child } from 'hono/jsx';
import { GROUPS } from '../../groups.ts';
import type { OpenapiDocument } from '../../openapi-document.ts';
import { dateIn, placeOf } from '../../placeholders.ts';
import { AgentsPage } from './agents.tsx';
import { AutomaticPage, ReschedulePage, SearchPage } from './booking.tsx';
import type { Site } from './call.tsx';
import { ConceptsPage } from './concepts.tsx';
import { AuthenticationPage, ConnectPage } from './connect.tsx';
import { ErrorsPage } from './errors.tsx';
import { EventsPage } from './events.tsx';
import type { DocsPath } from './frame.tsx';
import { GoingLivePage, TestingPage } from './going-live.tsx';
import { HomePage } from './home.tsx';
import { IdempotencyPage } from './idempotency.tsx';
import { ChangelogPage, DataPage, LimitsPage } from './limits.tsx';
import { llmsText } from './llms.ts';
import { markdownOf } from './markdown.ts';
import { ProposalsPage } from './proposals.tsx';
import { GroupPage, groupPath, ReferencePage } from './reference.tsx';
import { docsHtmlOf } from './render.ts';
import { RoundsPage } from './rounds.tsx';
import { type Place, placesOf } from './search-index.ts';
import { StartPage } from './start.tsx';
import { TimePage } from './time.tsx';
import { WebhooksPage } from './webhooks.tsx';

/** Pages by path. The types make sure that each page of the navigation is here. */
const PAGES: Record<DocsPath, (site: Site) => Child> = {
  '/docs': StartPage,
  '/docs/concepts': ConceptsPage,
  '/docs/authentication': AuthenticationPage,
  '/docs/testing': TestingPage,
  '/docs/connect': ConnectPage,
  '/docs/search': SearchPage,
  '/docs/automatic': AutomaticPage,
  '/docs/reschedule': ReschedulePage,
  '/docs/proposals': ProposalsPage,
  '/docs/rounds': RoundsPage,
  '/docs/webhooks': WebhooksPage,
  '/docs/agents': AgentsPage,
  '/docs/going-live': GoingLivePage,
  '/docs/idempotency': IdempotencyPage,
  '/docs/time': TimePage,
  '/docs/limits': LimitsPage,
  '/docs/data': DataPage,
  '/docs/reference': ReferencePage,
  '/docs/events': EventsPage,
  '/docs/errors': ErrorsPage,
  '/docs/changelog': ChangelogPage,
};

/**
 * Renders the documentation, by path among the prerendered pages. The Worker fills in what differs by deployment and by day
 * (`placeholders.ts`).
 */
export async function prerenderDocs(document: OpenapiDocument): Promise<Record<string, string>> {
  const site: Site = {
    baseUrl: placeOf('BASE_URL'),
    supportEmail: placeOf('SUPPORT_EMAIL'),
    date: dateIn(0),
    document,
  };
  const pages: [path: string, page: Child][] = [
    ...Object.entries(PAGES).map(([path, page]) => [path, page(site)] as [string, Child]),
    ...GROUPS.map((group) => [groupPath(group), GroupPage({ group, site })] as [string, Child]),
  ];
  const texts: Record<string, string> = {
    'home.html': await docsHtmlOf(<HomePage {...site} />),
    'llms.txt': llmsText(site.baseUrl),
  };
  const places: Place[] = [];
  for (const [path, page] of pages) {
    const html = await docsHtmlOf(page);
    places.push(...placesOf(path, html));
    texts[`${path.slice(1)}.html`] = html;
    texts[`${path.slice(1)}.md`] = markdownOf(html);
  }
  texts['docs/places.json'] = `[\n${places.map((place) => JSON.stringify(place)).join(',\n')}\n]\n`;
  return texts;
}
