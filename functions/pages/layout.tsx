import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { STYLE } from './style.ts';

/** Navigation links, and the path of the link whose page is open. */
export interface NavLinks {
  /** Name of the navigation for screen readers, such as 'Dashboard' or 'Documentation'. */
  label: string;
  links: readonly { path: string; title: string }[];
  current?: string | undefined;
  /** True if the open page is a subpage of the page that the link `current` leads to. */
  isWithin?: boolean;
}

interface Frame {
  title: string;
  /** Width of the page: `narrow` (the default) for text and forms, `wide` for tables, `card` for one message. */
  width?: 'narrow' | 'wide' | 'card';
  /** Navigation links in the bar at the top of the page. */
  nav?: NavLinks;
  /** Navigation links beside the text, or above it on a narrow screen. */
  side?: NavLinks;
  /** Target of the Tandem logo. Without one, the logo is no link. */
  home?: string;
  /** Name of whoever is signed in, and the form with which they sign out. */
  signedIn?: { as: string; action: string; csrf: string };
  /** Icon above the heading, for pages that show only one message. */
  mark?: Child;
  children?: Child;
}

/** Renders the frame that all pages share: the bar with the logo and navigation, one heading, and the content. */
export function Layout({ title, width = 'narrow', nav, side, home, signedIn, mark, children }: Frame) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – Tandem`}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <div>
            <Brand home={home} />
            {nav === undefined ? null : <Nav {...nav} />}
            {signedIn === undefined ? null : <Who {...signedIn} />}
          </div>
        </header>
        <div class={`page ${width}${side === undefined ? '' : ' sided'}`}>
          {side === undefined ? null : <Nav {...side} className="side" />}
          <main id="main" tabindex={-1}>
            {mark}
            <h1>{title}</h1>
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

function Brand({ home }: { home: string | undefined }) {
  const inside = (
    <>
      <svg viewBox="0 0 28 18" aria-hidden="true">
        <rect x="1.5" y="1.5" width="15" height="15" rx="7.5" />
        <rect x="11.5" y="1.5" width="15" height="15" rx="7.5" />
      </svg>
      Tandem
    </>
  );
  return home === undefined ? (
    <span class="brand">{inside}</span>
  ) : (
    <a class="brand" href={home}>
      {inside}
    </a>
  );
}

function Nav({ label, links, current, isWithin = false, className }: NavLinks & { className?: string }) {
  return (
    <nav aria-label={label} class={className}>
      {links.map(({ path, title }) => (
        <a href={path} aria-current={path === current ? (isWithin ? 'true' : 'page') : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function Who({ as, action, csrf }: { as: string; action: string; csrf: string }) {
  return (
    <div class="who">
      <bdi>{as}</bdi>
      <form method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        <button type="submit" class="quiet tiny">
          Sign out
        </button>
      </form>
    </div>
  );
}

let styleHash: string | undefined;

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** Answers a request with a page that is never cached or framed, and that can load nothing except its own style. */
export async function renderPage(
  c: Context,
  page: Child,
  status: ContentfulStatusCode = 200,
  { formAction = "'self'" }: { formAction?: string } = {},
) {
  styleHash ??= await hashOf(STYLE);
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  );
  c.header('Cache-Control', 'no-store');
  c.header('Referrer-Policy', 'same-origin');
  return c.html(html`<!doctype html>${page}`, status);
}
