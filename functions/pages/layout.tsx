import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:34rem;padding:0 1rem;color:#1c1c28}code{background:#f1f1f6;padding:.2em .4em;border-radius:4px;overflow-wrap:anywhere}h2{margin-top:2.5rem;font-size:1.25rem}ul{padding-left:1.25rem}li{margin:.75rem 0}input{font:inherit;padding:.5rem;margin:.5rem .5rem .5rem 0}form{margin:.5rem 0}button{font:inherit;padding:.5rem 1rem;border:0;border-radius:6px;background:#3a3ad6;color:#fff;cursor:pointer}.wide{max-width:72rem}table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-top:1px solid #d9d9e3}:target{background:#fff6d6}';

/** The frame of every page; a wide one has room for a table. */
export function Layout({ title, isWide = false, children }: { title: string; isWide?: boolean; children?: Child }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – Tandem`}</title>
        <style>{STYLE}</style>
      </head>
      <body class={isWide ? 'wide' : undefined}>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
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
  c.header('Referrer-Policy', 'no-referrer');
  return c.html(html`<!doctype html>${page}`, status);
}
