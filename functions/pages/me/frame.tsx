import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../../http/env.ts';
import { PageClock } from '../clock.tsx';
import { Layout, renderPage } from '../layout.tsx';

const PAGES = [
  { path: '/me', title: 'Your page' },
  { path: '/me/meetings', title: 'Meetings' },
  { path: '/me/preferences', title: 'Your week' },
  { path: '/me/learning', title: 'Learning' },
] as const;

/** Email address of the person who is signed in, and the CSRF token that their forms need. */
export interface SignedIn {
  email: string;
  csrf: string;
}

interface Framed {
  title: string;
  /** Navigation entry to highlight: this page's own, or that of the section it belongs to. */
  at: (typeof PAGES)[number]['path'];
  me: SignedIn;
  status?: ContentfulStatusCode;
}

/** Answers with a page in the frame of a person's own pages: navigation, their address, and the button to sign out. */
export function renderMine(c: Context<AppEnv>, { title, at, me, status = 200 }: Framed, content: Child) {
  const page = (
    <Layout
      title={title}
      home="/me"
      nav={{ label: 'Your pages', links: PAGES, current: at, isWithin: at !== c.req.path }}
      signedIn={{ as: me.email, action: '/me/sign-out', csrf: me.csrf }}
    >
      <PageClock.Provider value={{ zone: 'UTC', now: c.var.ctx.clock.now() }}>{content}</PageClock.Provider>
    </Layout>
  );
  return renderPage(c, page, status);
}
