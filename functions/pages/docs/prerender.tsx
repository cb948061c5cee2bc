import { raw } from 'hono/html';
import type { Tokens } from 'marked';
import { FEED_PATH, type OpenapiDocument } from '../../http/files.ts';
import { htmlOf, Layout } from '../layout.tsx';
import { either, placeholder } from '../prerendered.ts';
import { Card, DocsPage, type Entry, SCRIPT } from './frame.tsx';
import { type Block, blocksOf, escaped, FIGURE, htmlOfBlocks, textOf } from './markdown.ts';
import {
  addressOf,
  createResolver,
  eventPages,
  llmsText,
  type Page,
  readSource,
  referencePages,
  SECTIONS,
  type Sources,
  styleOf,
  writtenPages,
} from './pages.ts';
import { FIGURE_DAY, WeekFigure } from './week-figure.tsx';

/** By path below the prerendered pages. The Worker fills in what differs by deployment and day. */
export async function prerenderDocs(document: OpenapiDocument, sources: Sources): Promise<Record<string, string>> {
  const written = writtenPages(document, sources);
  const reference = referencePages(document);
  const events = eventPages(document);
  const home = readSource('home', sources);
  const style = styleOf(sources, 'docs');
  const drawn = style + styleOf(sources, 'week');
  const figures = {
    week: String(await (<WeekFigure first="2026-12-01" last="2026-12-04" />)),
    day: String(await (<WeekFigure first={FIGURE_DAY} last={FIGURE_DAY} />)),
  };
  const resolve = createResolver(document);
  const htmlIn = (name: string, body: string) => htmlOfBlocks(name, blocksOf(name, resolve(name, body)), figures);
  const texts: Record<string, string> = {
    'home.html': await wholeOf(<HomePage {...home} style={drawn} html={htmlIn('home', home.body)} />),
    'llms.txt': llmsText(written, reference),
    ...(await prerenderLegal(sources, htmlIn)),
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
          {...{ path, title, about, blocks }}
          sections={sectionsFor(page, [...written, ...reference, ...events])}
          turns={[pages[at - 1], pages[at + 1]]}
          style={blocks.some(({ kind }) => kind === 'figure') ? drawn : style}
          html={htmlOfBlocks(path, blocks, figures)}
          beside={code === undefined ? undefined : htmlOfBlocks(path, blocksOf(path, code))}
        />,
      );
    }
  texts['docs/places.json'] = `[\n${places.map((place) => JSON.stringify(place)).join(',\n')}\n]\n`;
  return texts;
}

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
  (await htmlOf(page)).replaceAll(/(<meta property="og:\w+" content=")\//g, `$1${placeholder('BASE_URL')}/`);

const HOME_LINKS = [
  { path: '/docs', title: 'Docs' },
  { path: '/docs/reference', title: 'Reference' },
];

/** The first page of the service. Its first paragraph is the lead, and its second one the button. */
const HomePage = ({ title, about, style, html }: Record<'title' | 'about' | 'style' | 'html', string>) => (
  <Layout
    title={title}
    home="/"
    style={style}
    nav={{ label: 'Main', links: HOME_LINKS }}
    head={
      <>
        <Card title="Tandem" about={about} path="/" />
        <script>{raw(SCRIPT)}</script>
      </>
    }
  >
    {raw(html.replace('<p>', '<p class="lead">').replace('<p><a ', '<p><a class="button" '))}
    {raw(either('COMPANY_NAME', '<p><a href="/privacy">Privacy</a> · <a href="/terms">Terms</a></p>', ''))}
  </Layout>
);

async function prerenderLegal(sources: Sources, htmlIn: (name: string, body: string) => string) {
  const pages = ['privacy', 'terms'].map((name) => ({ name, path: `/${name}`, ...readSource(name, sources) }));
  const texts: Record<string, string> = {};
  for (const { name, path, title, about, body } of pages)
    texts[`${name}.html`] = await htmlOf(
      <Layout
        title={title}
        width="wide"
        nav={{ label: 'About Tandem', links: pages, current: path }}
        head={<meta name="description" content={about} />}
      >
        {raw(htmlIn(name, body))}
      </Layout>,
    );
  return texts;
}

const BASE = placeholder('BASE_URL');

function feedOf({ path, title, text }: Pick<Page, 'path' | 'title' | 'text'>): string {
  const rows = blocksOf(path, text).flatMap((block) => (block.kind === 'table' ? block.token.rows : []));
  const dates = rows.map(([date]) => textOf(date?.tokens ?? []));
  const entries = rows.map(([, change], at) => {
    const tokens = change?.tokens ?? [];
    const paragraph: Tokens.Paragraph = { type: 'paragraph', raw: '', text: '', tokens };
    const html = htmlOfBlocks(path, [{ kind: 'text', token: paragraph }]).replaceAll('href="/', `href="${BASE}/`);
    // A new row stands above the others of its date, so counting from below keeps the IDs of those that were read.
    const number = dates.slice(at).filter((date) => date === dates[at]).length;
    return `
  <entry>
    <id>${BASE}${path}#${dates[at]}.${number}</id>
    <title>${escaped(titleOf(textOf(tokens)))}</title>
    <updated>${dates[at]}T00:00:00Z</updated>
    <link href="${BASE}${path}"/>
    <content type="html">${escaped(html.trim())}</content>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${BASE}${path}</id>
  <title>Tandem: ${escaped(title)}</title>
  <updated>${dates[0]}T00:00:00Z</updated>
  <author><name>Tandem</name></author>
  <link href="${BASE}${path}"/>
  <link rel="self" href="${BASE}${FEED_PATH}"/>${entries.join('')}
</feed>
`;
}

const titleOf = (change: string) => change.replace(/(?:: |\. |\.$).*$/s, '');

export interface Place {
  to: string;
  page: string;
  title: string;
  names?: string | undefined;
  words?: string | undefined;
  text: string;
  /** True for a row. A section with the same heading says more. */
  isRow?: true;
}

/** A place ends where the next begins, so that no text is found twice. Code repeats the words of the reference. */
function placesOf({ path, title, names, words }: Page, blocks: readonly Block[]): Place[] {
  let section: Place = { to: path, page: title, title, names, words, text: '' };
  const places = [section];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      section = { to: `${path}#${block.id}`, page: title, title: textOf(block.token.tokens), text: '' };
      places.push(section);
    } else if (block.kind === 'table') {
      block.token.rows.forEach(([first, ...others], row) => {
        const id = block.ids[row];
        const text = others.map(({ tokens }) => textOf(tokens)).join(' ');
        if (id === undefined) section.text += ` ${textOf(first?.tokens ?? [])} ${text}`;
        else places.push({ to: `${path}#${id}`, page: title, title: id, text, isRow: true });
      });
    } else if (block.kind === 'text') {
      section.text += ` ${textOf([block.token])}`;
    }
  }
  return places.map((place) => ({ ...place, text: place.text.replaceAll(/\s+/g, ' ').trim() }));
}
