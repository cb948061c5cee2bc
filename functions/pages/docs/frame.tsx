import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Layout } from '../layout.tsx';
import { Card } from './card.tsx';
import { DOCS_SCRIPT, Search } from './search.tsx';
import { DOCS_STYLE } from './style.ts';

/** Pages of the developer documentation by section, in reading order. */
export const SECTIONS = [
  {
    name: 'Get started',
    pages: [
      { path: '/docs', title: 'Quickstart', about: 'how to book your first meeting in four calls' },
      {
        path: '/docs/concepts',
        title: 'Concepts',
        about: 'what platforms, people, free time, ranking, jobs and meetings are',
      },
      {
        path: '/docs/authentication',
        title: 'Authentication and keys',
        about: 'which key does what, and how to replace it',
      },
      { path: '/docs/testing', title: 'Testing', about: 'the service on your machine, with people for each case' },
    ],
  },
  {
    name: 'Guides',
    pages: [
      {
        path: '/docs/connect',
        title: 'Connect a person',
        about: 'the link, the consent, and every way a person returns',
      },
      { path: '/docs/search', title: 'Search and book', about: 'let a person choose one of the best times' },
      { path: '/docs/automatic', title: 'Automatic scheduling', about: 'let Tandem choose and book the time' },
      { path: '/docs/reschedule', title: 'Reschedule and cancel', about: 'move a meeting for a reason in plain words' },
      {
        path: '/docs/proposals',
        title: 'When only one side is connected',
        about: 'offer times to somebody without a connected calendar, who chooses on a page',
      },
      {
        path: '/docs/rounds',
        title: 'Schedule a round',
        about: 'book up to 2,000 meetings in one call, placed together, from your server or from a spreadsheet',
      },
      {
        path: '/docs/webhooks',
        title: 'Webhooks',
        about: 'how to receive and verify events, and how to get events that you missed',
      },
      { path: '/docs/agents', title: 'Agents', about: 'tools for AI agents, and how the tools stay safe' },
    ],
  },
  {
    name: 'Before you go live',
    pages: [
      { path: '/docs/going-live', title: 'Going live', about: 'the checklist before real people use your integration' },
      { path: '/docs/idempotency', title: 'Idempotency and retries', about: 'how to retry without booking twice' },
      { path: '/docs/time', title: 'Times and zones', about: 'how to write a time, and which time zone applies' },
      { path: '/docs/limits', title: 'Limits and plans', about: 'every limit, and what happens at it' },
      { path: '/docs/data', title: 'Data and privacy', about: 'what Tandem reads and keeps, and how it is deleted' },
    ],
  },
  {
    name: 'API',
    pages: [
      { path: '/docs/reference', title: 'Reference', about: 'every operation with its fields, responses and errors' },
      { path: '/docs/events', title: 'Events', about: 'every webhook event with its fields' },
      { path: '/docs/errors', title: 'Errors', about: 'the cause of each error code, and what to do' },
      { path: '/docs/changelog', title: 'Versions and changelog', about: 'what may change, and what has changed' },
    ],
  },
] as const;

/** Pages of the developer documentation, in reading order. */
export const DOCS = SECTIONS.flatMap(({ pages }): { path: DocsPath; title: string; about: string }[] => [...pages]);
export type DocsPath = (typeof SECTIONS)[number]['pages'][number]['path'];

interface Frame {
  path: DocsPath;
  title?: string;
  /** Pages within this one, which the navigation lists below its link. */
  within?: readonly { path: string; title: string }[];
  /** Path of the open page, if it is one of those in `within`. */
  current?: string;
  children: Child;
}

/** A page of the developer documentation, with links to all other pages, to the one before and to the one after. */
export function DocsPage({ path, title, within = [], current = path, children }: Frame) {
  const at = DOCS.findIndex((one) => one.path === path);
  return (
    <Layout
      title={title ?? DOCS[at]?.title ?? ''}
      width="wide"
      home="/docs"
      style={DOCS_STYLE}
      head={
        <>
          <Card
            title={title ?? DOCS[at]?.title ?? ''}
            about={`Tandem's documentation: ${DOCS[at]?.about ?? ''}.`}
            path={current}
          />
          <script>{raw(DOCS_SCRIPT)}</script>
        </>
      }
      side={
        <div class="side">
          <Search />
          <button type="button" class="quiet tiny" popovertarget="contents">
            All pages
          </button>
          <nav aria-label="Documentation" class="contents" id="contents" popover="auto">
            {SECTIONS.map(({ name, pages }) => (
              <>
                <p>{name}</p>
                {pages.map((page) => (
                  <>
                    <PageLink {...page} current={current} />
                    {page.path === path
                      ? within.map((one) => <PageLink {...one} current={current} isWithin={true} />)
                      : null}
                  </>
                ))}
              </>
            ))}
          </nav>
        </div>
      }
    >
      {children}
      <nav aria-label="Previous and next page" class="turn">
        <Turn page={DOCS[at - 1]} word="Previous" />
        <Turn page={DOCS[at + 1]} word="Next" />
      </nav>
    </Layout>
  );
}

const Turn = ({ page, word }: { page: { path: string; title: string } | undefined; word: string }) =>
  page === undefined ? (
    <span />
  ) : (
    <a href={page.path}>
      <small>{word}</small> {page.title}
    </a>
  );

interface PageLinkProps {
  path: string;
  title: string;
  current: string;
  isWithin?: boolean;
}

const PageLink = ({ path, title, current, isWithin = false }: PageLinkProps) => (
  <a href={path} class={isWithin ? 'within' : undefined} aria-current={path === current ? 'page' : undefined}>
    {title}
  </a>
);
