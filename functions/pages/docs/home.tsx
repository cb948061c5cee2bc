import { raw } from 'hono/html';
import { Layout } from '../layout.tsx';
import type { Block } from './blocks.ts';
import { Card } from './card.tsx';
import { htmlOfBlocks } from './markdown.ts';
import { SCRIPT } from './script.ts';
import { DOCS_STYLE } from './style.ts';

/** The first page of the service. Its first paragraph is the lead, and its second one the button. */
export const HomePage = ({ title, about, blocks }: { title: string; about: string; blocks: readonly Block[] }) => (
  <Layout
    title={title}
    home="/"
    style={DOCS_STYLE}
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
    {raw(htmlOfBlocks('home', blocks).replace('<p>', '<p class="lead">').replace('<p><a ', '<p><a class="button" '))}
  </Layout>
);
