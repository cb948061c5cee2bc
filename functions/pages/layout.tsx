import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { STYLE } from './style.ts';

/** Links of the same kind, of which one may be the page that is open. */
export interface NavLinks {
  /** What they are, for who does not see them: 'Dashboard', 'Documentation'. */
  label: string;
  links: readonly { path: string; title: string }[];
  current?: string | undefined;
  /** Whether the open page is not the current one itself, but belongs to it. */
  isWithin?: boolean;
}

interface Frame {
  title: string;
  /** `narrow` to read and fill in, `wide` for tables, `card` for one message; narrow when absent. */
  width?: 'narrow' | 'wide' | 'card';
  /** In the bar on top, of pages that belong together. */
  nav?: NavLinks;
  /** Beside the text where there is room, above it where there is none. */
  side?: NavLinks;
  /** Where the name on top leads; nowhere when absent. */
  home?: string;
  /** Who is signed in, and the form that signs them out. */
  signedIn?: { as: string; action: string; csrf: string };
  /** What stands above the heading, as the sign of a message. */
  mark?: Child;
  children?: Child;
}

/** The frame of every page: what is Tandem's, the way around, one heading, and what the page says. */
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

/** Answers a page that no cache keeps and that may load nothing but its own style and be framed by nobody. */
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
