import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../../env.ts';
import { Layout, renderPage } from '../layout.tsx';
import { currentPlatform } from './session.ts';

/** The pages of the dashboard, in the order of its navigation. */
export const PAGES = [
  { path: '/dashboard', title: 'Overview' },
  { path: '/dashboard/people', title: 'People' },
  { path: '/dashboard/meetings', title: 'Meetings' },
  { path: '/dashboard/why', title: 'Why not?' },
  { path: '/dashboard/webhooks', title: 'Webhooks' },
  { path: '/dashboard/keys', title: 'Keys' },
  { path: '/dashboard/settings', title: 'Settings' },
] as const;
const DOCS = { path: '/docs', title: 'Docs' };

interface Framed {
  title: string;
  /** Which page of the navigation it is, or belongs to. */
  at?: (typeof PAGES)[number]['path'];
  status?: ContentfulStatusCode;
}

/** Answers a page within the dashboard's frame: whose it is, where else to go, and the way out. */
export function renderDashboard(c: Context<AppEnv>, { title, at, status = 200 }: Framed, content: Child) {
  const { csrf } = c.var.session;
  const page = (
    <Layout
      title={title}
      width="wide"
      home="/dashboard"
      nav={{ label: 'Dashboard', links: [...PAGES, DOCS], current: at, isWithin: at !== c.req.path }}
      signedIn={{ as: currentPlatform(c).name, action: '/dashboard/sign-out', csrf }}
    >
      {content}
    </Layout>
  );
  return renderPage(c, page, status);
}

/** What every form of the dashboard carries. */
export const Csrf = ({ csrf }: { csrf: string }) => <input type="hidden" name="csrf" value={csrf} />;

/** What a form carries that must not do twice what it does when it is sent twice. */
export const Once = ({ once }: { once: string }) => <input type="hidden" name="once" value={once} />;
