import type { Child } from 'hono/jsx';
import { Layout } from '../layout.tsx';

/** The pages for developers, in the order of reading. */
export const DOCS = [
  { path: '/docs', title: 'Start', about: 'from a key to a booked meeting in four calls' },
  { path: '/docs/concepts', title: 'Concepts', about: 'platforms, people, free time, ranking, meetings and jobs' },
  { path: '/docs/time', title: 'Times and zones', about: 'whose clock counts, and how a time is written' },
  { path: '/docs/idempotency', title: 'Idempotency', about: 'one request, one meeting, whatever fails in between' },
  {
    path: '/docs/webhooks',
    title: 'Webhooks',
    about: 'what is sent, how to verify it, what happens when you are down',
  },
  { path: '/docs/agents', title: 'Agents', about: 'the tools for AI agents, and how they stay safe' },
  { path: '/docs/errors', title: 'Errors', about: 'every code: its cause, and what to do' },
  { path: '/docs/reference', title: 'Reference', about: 'every operation with its fields, answers and errors' },
] as const;

export type DocsPath = (typeof DOCS)[number]['path'];

/** A page for developers, with the way to the others. */
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

/** A sentence whose `names` stand between backticks. */
export function Words({ children }: { children: string }) {
  return <>{children.split('`').map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>))}</>;
}
