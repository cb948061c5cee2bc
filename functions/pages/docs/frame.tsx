import type { Child } from 'hono/jsx';
import { Layout } from '../layout.tsx';

/** Pages of the developer documentation, in reading order. */
export const DOCS = [
  { path: '/docs', title: 'Start', about: 'book your first meeting in four calls' },
  { path: '/docs/concepts', title: 'Concepts', about: 'platforms, people, free time, ranking, jobs and meetings' },
  { path: '/docs/time', title: 'Times and zones', about: 'how to write a time, and which time zone applies' },
  { path: '/docs/idempotency', title: 'Idempotency', about: 'how to retry without booking twice' },
  {
    path: '/docs/webhooks',
    title: 'Webhooks',
    about: 'how to receive and verify events, and get missed events',
  },
  { path: '/docs/agents', title: 'Agents', about: 'tools for AI agents, and how the tools stay safe' },
  { path: '/docs/errors', title: 'Errors', about: 'the cause of each error code, and what to do' },
  { path: '/docs/reference', title: 'Reference', about: 'every operation with its fields, responses and errors' },
] as const;

export type DocsPath = (typeof DOCS)[number]['path'];

/** A page of the developer documentation, with links to the documentation's other pages. */
export function DocsPage({ path, title, children }: { path: DocsPath; title?: string; children: Child }) {
  const page = DOCS.find((one) => one.path === path);
  return (
    <Layout
      title={title ?? page?.title ?? ''}
      width="wide"
      home="/docs"
      side={{ label: 'Documentation', links: DOCS, current: path }}
    >
      {children}
    </Layout>
  );
}

/** Renders text and shows names that stand between backticks as code. */
export function Words({ children }: { children: string }) {
  return <>{children.split('`').map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>))}</>;
}
