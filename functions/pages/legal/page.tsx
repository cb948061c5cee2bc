import type { Child } from 'hono/jsx';
import { Layout } from '../layout.tsx';
import type { Operator } from './operator.ts';

const LEGAL = [
  { path: '/privacy', title: 'Privacy' },
  { path: '/terms', title: 'Terms' },
] as const;

interface Legal {
  title: (typeof LEGAL)[number]['title'];
  operator: Operator;
  children: Child;
}

/** Page of legal text, such as the terms, with the operator's contact address below it. */
export function LegalPage({ title, operator: { company, contact }, children }: Legal) {
  const current = LEGAL.find((page) => page.title === title)?.path;
  return (
    <Layout title={title} width="wide" nav={{ label: 'About Tandem', links: LEGAL, current }}>
      {children}
      <h2>Contact</h2>
      <p>
        {company}, <a href={`mailto:${contact}`}>{contact}</a>
      </p>
    </Layout>
  );
}
