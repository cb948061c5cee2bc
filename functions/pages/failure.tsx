import type { Context } from 'hono';
import { ERRORS, type ErrorCode } from '../../schema/api/http-errors.ts';
import type { AppEnv, Env } from '../http/env.ts';
import { takeFailure } from '../http/errors.ts';
import { MessagePage, renderPage } from './layout.tsx';

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

/** Says where to report a failure. Without a valid environment, there is no address to name. */
const Report = ({ env }: { env: Env | undefined }) =>
  env?.SUPPORT_EMAIL === undefined ? (
    'report it'
  ) : (
    <>
      write to <a href={`mailto:${env.SUPPORT_EMAIL}`}>{env.SUPPORT_EMAIL}</a>
    </>
  );

export function renderFailure(error: unknown, c: Context<AppEnv>): Response | Promise<Response> {
  const { code, message } = takeFailure(error, c);
  const { status, title } = ERRORS[code];
  if (status !== 500)
    return renderPage(
      c,
      <MessagePage
        title={TITLES[code] ?? title}
        kind="warn"
        message={MESSAGES[code] ?? message}
        next={status === 429 ? undefined : homeOf(c.req.path, code)}
      />,
      status,
    );
  const advice = (
    <>
      The problem is on our side. Go back and try again in a moment. If it happens again, <Report env={c.var.env} />{' '}
      with this ID:
      <br />
      <code>{c.var.requestId}</code>
    </>
  );
  return renderPage(c, <MessagePage title="Something went wrong" kind="bad" message={advice} />, status);
}
