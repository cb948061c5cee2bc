import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../../env.ts';
import { Layout, renderPage } from '../layout.tsx';
import { openedSession } from './session.ts';

export const PAGES = [
  { path: '/dashboard', title: 'Overview' },
  { path: '/dashboard/people', title: 'People' },
  { path: '/dashboard/meetings', title: 'Meetings' },
  { path: '/dashboard/why', title: 'Why not?' },
  { path: '/dashboard/webhooks', title: 'Webhooks' },
  { path: '/dashboard/keys', title: 'Keys' },
  { path: '/dashboard/audit-log', title: 'Audit log' },
  { path: '/dashboard/settings', title: 'Settings' },
] as const;
const DOCS = { path: '/docs', title: 'Docs' };

interface Framed {
  title: string;
  /** Navigation entry to highlight: this page's own, or that of the section it belongs to. */
  at?: (typeof PAGES)[number]['path'];
  status?: ContentfulStatusCode;
}

/**
 * Answers with a page in the dashboard's frame: navigation, the platform's name, and the button to sign out. Waits
 * until Postgres has confirmed the session.
 */
export async function renderDashboard(c: Context<AppEnv>, { title, at, status = 200 }: Framed, content: Child) {
  await c.var.ctx.admitted;
  const { csrf } = c.var.session;
  const { platform, readOnly } = openedSession(c);
  const page = (
    <Layout
      title={title}
      width="wide"
      home="/dashboard"
      nav={{ label: 'Dashboard', links: [...PAGES, DOCS], current: at, isWithin: at !== c.req.path }}
      signedIn={{ as: readOnly ? `${platform.name} (read only)` : platform.name, action: '/dashboard/sign-out', csrf }}
    >
      {content}
    </Layout>
  );
  return renderPage(c, page, status);
}

/** Hidden field with the session's CSRF token. The handler of every form of the dashboard rejects a form without it. */
export const Csrf = ({ csrf }: { csrf: string }) => <input type="hidden" name="csrf" value={csrf} />;

/**
 * Hidden field with a random value, for forms that must take effect only once. If the browser sends such a form twice,
 * the value is the same.
 */
export const Once = ({ once }: { once: string }) => <input type="hidden" name="once" value={once} />;
