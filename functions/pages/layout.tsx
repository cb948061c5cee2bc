import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ERRORS, type ErrorCode } from '../../schema/api/http-errors.ts';
import type { AppEnv, Env } from '../http/env.ts';
import { takeFailure } from '../http/errors.ts';
import { countsTwelve, TwelveHours } from './clock.tsx';
import { ButtonLink, Mark, PageForms, PostForm } from './components.tsx';
import { hashOf, placeholder, styleOf } from './prerendered.ts';

interface NavLinks {
  label: string;
  links: readonly { path: string; title: string }[];
  current?: string | undefined;
  isWithin?: boolean;
}

interface Frame {
  title: string;
  /** Width of the page: `narrow` (the default) for text and forms, `wide` for tables, `card` for one message. */
  width?: 'narrow' | 'wide' | 'card';
  nav?: NavLinks | Child;
  side?: Child;
  /** Where the name at the top leads. Without it, it is no link. */
  home?: string;
  signedIn?: { as: string; action: string };
  head?: Child;
  style?: string;
  mark?: Child;
  children?: Child;
}

const MOST_IN_BAR = 6;
const STYLE_PLACE = placeholder('STYLE');

export function Layout({ title, width = 'narrow', nav, side, home, signedIn, head, style, mark, children }: Frame) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Stands before all that a page is given, so that its placeholder is the first in the page. */}
        <style>{raw(style === undefined ? STYLE_PLACE : `${STYLE_PLACE} ${style}`)}</style>
        <title>{`${title} – Tandem`}</title>
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <div>
            <a class="brand" href={home}>
              <svg viewBox="0 0 28 18" aria-hidden="true">
                <rect x="1.5" y="1.5" width="15" height="15" rx="7.5" />
                <rect x="11.5" y="1.5" width="15" height="15" rx="7.5" />
              </svg>
              Tandem
            </a>
            {isLinks(nav) ? <Bar {...nav} /> : nav}
            {signedIn && (
              <div class="who">
                <bdi title={signedIn.as}>{signedIn.as}</bdi>
                <PostForm action={signedIn.action} kind="quiet" isTiny>
                  Sign out
                </PostForm>
              </div>
            )}
          </div>
        </header>
        <div class={`page ${width}${side === undefined ? '' : ' sided'}`}>
          {side}
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

const isLinks = (nav: NavLinks | Child): nav is NavLinks => typeof nav === 'object' && nav !== null && 'links' in nav;

/** On a phone, many links fold into a menu, so that the page itself stands on the first screen. */
const Bar = (nav: NavLinks) =>
  nav.links.length <= MOST_IN_BAR ? (
    <Nav {...nav} />
  ) : (
    <details class="menu">
      <summary>Menu</summary>
      <Nav {...nav} />
    </details>
  );

function Nav({ label, links, current, isWithin = false }: NavLinks) {
  const here = isWithin ? 'true' : 'page';
  return (
    <nav aria-label={label}>
      {links.map(({ path, title }) => (
        <a href={path} aria-current={path === current ? here : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

type Loads = Partial<Record<'formAction' | 'script' | 'images' | 'connect', string | undefined>>;

/** Browsers apply `form-action` to the redirect that follows the form too, so Google's origin must be listed. */
export const leadingToGoogle = (c: Context<AppEnv>) => ({
  formAction: `'self' ${new URL(c.var.env.GOOGLE_AUTHORIZE_URL).origin}`,
});

/** A page is never cached or framed, and loads nothing but its own style and what `loads` names. */
export async function renderPage(
  c: Context<AppEnv>,
  page: Child,
  status: ContentfulStatusCode = 200,
  loads: Loads = {},
) {
  const style = await styleOf(c);
  await restrict(c, style.hash, loads);
  const whole = (
    <PageForms.Provider value={{ csrf: c.var.csrf, once: () => c.var.ctx.ids.secret('') }}>
      <TwelveHours.Provider value={countsTwelve(c)}>{page}</TwelveHours.Provider>
    </PageForms.Provider>
  );
  c.header('Cache-Control', 'no-store');
  return c.html(
    String(await html`<!doctype html>${whole}`).replace(STYLE_PLACE, () => style.text),
    status,
  );
}

export async function restrict(
  c: Context,
  styleHash: string,
  { formAction = "'self'", script, images, connect }: Loads = {},
): Promise<void> {
  const scripts = script === undefined ? '' : ` script-src 'sha256-${await hashOf(script)}';`;
  const pictures = images === undefined ? '' : ` img-src ${images};`;
  const data = connect === undefined ? '' : ` connect-src ${connect};`;
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${styleHash}';${scripts}${pictures}${data} form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  );
  c.header('Referrer-Policy', 'same-origin');
}

export const htmlOf = async (page: Child): Promise<string> => String(await html`<!doctype html>${page}`);

/** Isolates the writing direction in page titles, which cannot contain a `<bdi>` element. */
export const isolated = (name: string) => `\u2068${name}\u2069`;

interface Message {
  title: string;
  kind?: 'info' | 'ok' | 'warn' | 'bad';
  message?: Child;
  children?: Child;
  next?: { path: string; title: string } | undefined;
}

export const MessagePage = ({ title, kind, message, children, next }: Message) => (
  <Layout title={title} width="card" mark={kind && <Mark kind={kind} />}>
    {message === undefined ? null : <p>{message}</p>}
    {children}
    {next === undefined ? null : (
      <p>
        <ButtonLink to={next.path}>{next.title}</ButtonLink>
      </p>
    )}
  </Layout>
);

const TITLES: Partial<Record<ErrorCode, string>> = {
  forbidden: 'Nothing was changed',
  rate_limited: 'Too many requests',
  not_found: 'Page not found',
  method_not_allowed: 'Nothing to show here',
};
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is no page at this address. Check the address, or the link that led here.',
  payload_too_large: 'What you sent is too long, so nothing was changed. Go back and shorten the longest text.',
  method_not_allowed: 'This address only receives forms. Go back to the page you came from.',
};

const HOMES = [
  { path: '/dashboard', title: 'Back to the dashboard' },
  { path: '/me', title: 'Back to your page' },
  { path: '/docs', title: 'Back to the docs' },
];

const homeOf = (path: string, code: ErrorCode) =>
  HOMES.find((home) => `${path}/`.startsWith(`${home.path}/`)) ??
  (code === 'not_found' ? { path: '/', title: 'Go to the home page' } : undefined);

export function renderFailure(error: unknown, c: Context<AppEnv>): Response | Promise<Response> {
  const { code, message } = takeFailure(error, c);
  const { status, title } = ERRORS[code];
  if (status !== 500) {
    const next = status === 429 ? undefined : homeOf(c.req.path, code);
    const said = { title: TITLES[code] ?? title, message: MESSAGES[code] ?? message };
    return renderPage(c, <MessagePage {...said} kind="warn" next={next} />, status);
  }
  // Without a valid environment, there is no address to name.
  const { env }: { env: Env | undefined } = c.var;
  const email = env?.SUPPORT_EMAIL;
  const report = email === undefined ? 'report it' : ['write to ', <a href={`mailto:${email}`}>{email}</a>];
  const advice = (
    <>
      The problem is on our side. Go back and try again in a moment. If it happens again, {report} with this ID:
      <br />
      <code>{c.var.requestId}</code>
    </>
  );
  return renderPage(c, <MessagePage title="Something went wrong" kind="bad" message={advice} />, status);
}
