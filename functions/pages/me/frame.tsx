import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../../env.ts';
import { Layout, renderPage } from '../layout.tsx';

/** A person's own pages, in the order of the bar on top. */
const PAGES = [
  { path: '/me', title: 'Your page' },
  { path: '/me/preferences', title: 'Your week' },
  { path: '/me/learning', title: 'What it learned' },
] as const;

/** Who is signed in, and what the forms of their session carry. */
export interface SignedIn {
  email: string;
  csrf: string;
}

interface Framed {
  title: string;
  /** Which page of the bar it is, or belongs to. */
  at: (typeof PAGES)[number]['path'];
  me: SignedIn;
  status?: ContentfulStatusCode;
}

/** Answers one of a person's own pages in their frame: who they are, where else to go, and the way out. */
export function renderMine(c: Context<AppEnv>, { title, at, me, status = 200 }: Framed, content: Child) {
  const page = (
    <Layout
      title={title}
      home="/me"
      nav={{ label: 'Your pages', links: PAGES, current: at, isWithin: at !== c.req.path }}
      signedIn={{ as: me.email, action: '/me/sign-out', csrf: me.csrf }}
    >
      {content}
    </Layout>
  );
  return renderPage(c, page, status);
}
