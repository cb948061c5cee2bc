import type { Child } from 'hono/jsx';
import { Layout } from '../layout.tsx';
import { placeOf } from '../placeholders.ts';

const LEGAL = [
  { path: '/privacy', title: 'Privacy' },
  { path: '/terms', title: 'Terms' },
] as const;

/** Company that operates the service, and where to write to it. */
export const COMPANY = placeOf('COMPANY_NAME');
const CONTACT = placeOf('CONTACT_EMAIL');

/** Page of legal text, such as the terms, with the contact address of the operator below it. */
export function LegalPage({ title, children }: { title: (typeof LEGAL)[number]['title']; children: Child }) {
  const current = LEGAL.find((page) => page.title === title)?.path;
  return (
    <Layout title={title} width="wide" nav={{ label: 'About Tandem', links: LEGAL, current }}>
      {children}
      <h2>Contact</h2>
      <p>
        {COMPANY}, <a href={`mailto:${CONTACT}`}>{CONTACT}</a>
      </p>
    </Layout>
  );
}
