import { raw } from 'hono/html';
import { FEED_PATH } from '../../http/files.ts';
import type { OpenapiDocument } from '../../http/openapi-document.ts';
import { oneLine } from '../base-style.ts';
import { htmlOf } from '../html-of.ts';
import { Layout } from '../layout.tsx';
import { either, placeOf } from '../placeholders.ts';
import { WEEK_STYLE } from '../week/style.ts';
import { blocksOf, FIGURE } from './blocks.ts';
import { createResolver } from './directives.ts';
import { feedOf } from './feed.ts';
import { Card, DocsPage, type Entry } from './frame.tsx';
import { htmlOfBlocks } from './markdown.ts';
import { eventPages, llmsText, type Page, referencePages, writtenPages } from './pages.ts';
import { SCRIPT } from './search.tsx';
import { type Place, placesOf } from './search-index.ts';
import { readSource, type Sources } from './source.ts';
import { DOCS_STYLE } from './style.ts';
import { addressOf, SECTIONS } from './tree.ts';
import { FIGURE_DAY, WeekFigure } from './week-figure.tsx';

/**
 * Renders the documentation from the Markdown files and the contract, by path below the prerendered pages. The Worker
 * fills in what differs by deployment and by day (`placeholders.ts`).
 */
export async function prerenderDocs(document: OpenapiDocument, sources: Sources): Promise<Record<string, string>> {
  const written = writtenPages(document, sources);
  const reference = referencePages(document);
  const events = eventPages(document);
  const home = readSource('home', sources);
  const figures = {
    week: String(await (<WeekFigure first="2026-12-01" last="2026-12-04" />)),
    day: String(await (<WeekFigure first={FIGURE_DAY} last={FIGURE_DAY} />)),
  };
  const blocks = blocksOf('home', createResolver(document)('home', home.body));
  const texts: Record<string, string> = {
    'home.html': await wholeOf(<HomePage {...home} html={htmlOfBlocks('home', blocks, figures)} />),
    'llms.txt': llmsText(written, reference),
  };
  const places: Place[] = [];
  for (const pages of [written, reference, events])
    for (const [at, page] of pages.entries()) {
      const { path, title, about, text, code } = page;
      const blocks = blocksOf(path, text, code === undefined);
      if (path === addressOf('changelog')) texts[FEED_PATH.slice(1)] = feedOf(page);
      if (page.isList !== true) places.push(...placesOf(page, blocks));
      texts[`${path.slice(1)}.md`] =
        `${[`# ${title}`, text.replace(FIGURE, ''), code].filter((part) => part !== undefined).join('\n\n')}\n`;
      texts[`${path.slice(1)}.html`] = await wholeOf(
        <DocsPage
          path={path}
          title={title}
          about={about}
          sections={sectionsFor(page, [...written, ...reference, ...events])}
          turns={[pages[at - 1], pages[at + 1]]}
          blocks={blocks}
          html={htmlOfBlocks(path, blocks, figures)}
          beside={code === undefined ? undefined : htmlOfBlocks(path, blocksOf(path, code))}
        />,
      );
    }
  texts['docs/places.json'] = `[\n${places.map((place) => JSON.stringify(place)).join(',\n')}\n]\n`;
  return texts;
}

/** Returns the list of pages as a page shows it: all of the tree, and what lies around the page below it. */
function sectionsFor(page: Page, all: readonly Page[]) {
  const above = all.find(({ path }) => path === page.within);
  const open = new Set([page.path, page.within, above?.within]);
  const listed = (path: string): Entry[] => {
    const found = all.find((one) => one.path === path);
    const below = all.filter((one) => one.within === path && open.has(path) && !one.path.startsWith('/docs/webhooks/'));
    return found === undefined
      ? []
      : [
          { path, title: found.title, isWithin: found.within !== undefined },
          ...below.flatMap((one) => listed(one.path)),
        ];
  };
  return SECTIONS.map(({ name, pages }) => ({ name, pages: pages.flatMap((one) => listed(addressOf(one))) }));
}

/** Renders a whole page. The addresses of its social card get the service's own, because the format takes only whole ones. */
const wholeOf = async (page: Parameters<typeof htmlOf>[0]) =>
  (await htmlOf(page)).replaceAll(/(<meta property="og:\w+" content=")\//g, `$1${placeOf('BASE_URL')}/`);

const LEGAL = either('COMPANY_NAME', '<p><a href="/privacy">Privacy</a> · <a href="/terms">Terms</a></p>', '');

/** The first page of the service. Its first paragraph is the lead, and its second one the button. */
const HomePage = ({ title, about, html }: Record<'title' | 'about' | 'html', string>) => (
  <Layout
    title={title}
    home="/"
    style={DOCS_STYLE + oneLine(WEEK_STYLE)}
    nav={{
      label: 'Main',
      links: [
        { path: '/docs', title: 'Docs' },
        { path: '/docs/reference', title: 'Reference' },
      ],
    }}
    head={
      <>
        <Card title="Tandem" about={about} path="/" />
        <script>{raw(SCRIPT)}</script>
      </>
    }
  >
    {raw(html.replace('<p>', '<p class="lead">').replace('<p><a ', '<p><a class="button" '))}
    {raw(LEGAL)}
  </Layout>
);
