import { raw } from 'hono/html';
import { CARD, FEED_PATH, ICON_PATH } from '../../http/files.ts';
import { Layout } from '../layout.tsx';
import { either, placeOf } from '../prerendered.ts';
import { type Block, textOf } from './markdown.ts';
import { DOCS_SCRIPT, Search } from './search.tsx';

export type Entry = { path: string; title: string; isWithin?: boolean };

interface Frame {
  path: string;
  title: string;
  about: string;
  sections: readonly { name: string; pages: readonly Entry[] }[];
  turns: readonly [Entry | undefined, Entry | undefined];
  blocks: readonly Block[];
  style: string;
  html: string;
  beside?: string | undefined;
}

const SUPPORT = either('SUPPORT_EMAIL', `<a href="mailto:${placeOf('SUPPORT_EMAIL')}">Support</a>`, '');

export const DocsPage = ({
  path,
  title,
  about,
  sections,
  turns: [previous, next],
  blocks,
  style,
  html,
  beside,
}: Frame) => (
  <Layout
    title={title}
    width="wide"
    home="/docs"
    nav={
      <nav aria-label="Main">
        <a href="/dashboard">Dashboard</a>
        {raw(SUPPORT)}
      </nav>
    }
    style={style}
    head={
      <>
        <Card title={title} about={about} path={path} />
        <link rel="alternate" type="application/atom+xml" title="Tandem: Changelog" href={FEED_PATH} />
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
          {sections.map(({ name, pages }) => (
            <>
              <p>{name}</p>
              {pages.map((page) => (
                <a
                  href={page.path}
                  class={page.isWithin ? 'within' : undefined}
                  aria-current={page.path === path ? 'page' : undefined}
                >
                  {page.title}
                </a>
              ))}
            </>
          ))}
        </nav>
      </div>
    }
  >
    {beside === undefined ? (
      <div class="outlined">
        <div>{raw(html)}</div>
        <Outline blocks={blocks} />
      </div>
    ) : (
      <div class="beside">
        <div>{raw(html)}</div>
        <div>{raw(beside)}</div>
      </div>
    )}
    <nav aria-label="Previous and next page" class="turn">
      <Turn page={previous} word="Previous" />
      <Turn page={next} word="Next" />
    </nav>
  </Layout>
);

function Outline({ blocks }: { blocks: readonly Block[] }) {
  const headings = blocks.flatMap((block) => (block.kind === 'heading' && block.depth === 2 ? [block] : []));
  return headings.length < 2 ? null : (
    <nav aria-label="On this page" class="outline">
      <p>On this page</p>
      {headings.map(({ id, token }) => (
        <a href={`#${id}`}>{textOf(token.tokens)}</a>
      ))}
    </nav>
  );
}

const Turn = ({ page, word }: { page: Entry | undefined; word: string }) =>
  page === undefined ? (
    <span />
  ) : (
    <a href={page.path}>
      <small>{word}</small> {page.title}
    </a>
  );

export const Card = ({ title, about, path }: { title: string; about: string; path: string }) => (
  <>
    <meta name="description" content={about} />
    <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Tandem" />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={about} />
    <meta property="og:url" content={path} />
    <meta property="og:image" content={CARD.path} />
    <meta property="og:image:width" content={String(CARD.width)} />
    <meta property="og:image:height" content={String(CARD.height)} />
    <meta property="og:image:alt" content="Tandem, the scheduling API" />
    <meta name="twitter:card" content="summary_large_image" />
  </>
);
