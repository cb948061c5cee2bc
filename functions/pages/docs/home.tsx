import { raw } from 'hono/html';
import { oneLine } from '../base-style.ts';
import { Layout } from '../layout.tsx';
import { either } from '../placeholders.ts';
import { WEEK_STYLE } from '../week/style.ts';
import { Card } from './card.tsx';
import { SCRIPT } from './script.ts';
import { DOCS_STYLE } from './style.ts';

const LEGAL = either('COMPANY_NAME', '<p><a href="/privacy">Privacy</a> · <a href="/terms">Terms</a></p>', '');

/** The first page of the service. Its first paragraph is the lead, and its second one the button. */
export const HomePage = ({ title, about, html }: Record<'title' | 'about' | 'html', string>) => (
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
