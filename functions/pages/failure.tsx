import type { Context } from 'hono';
import { ERRORS, type ErrorCode } from '../../schema/api/http-errors.ts';
import type { AppEnv } from '../env.ts';
import { takeFailure } from '../errors.ts';
import { renderPage } from './layout.tsx';
import { MessagePage } from './message.tsx';

/** What the title of an error is to a person, where it is not that of the API. */
const TITLES: Partial<Record<ErrorCode, string>> = {
  forbidden: 'Not done',
  rate_limited: 'Too much at once',
  not_found: 'Page not found',
  method_not_allowed: 'Nothing to show here',
};
const ONLY_A_FORM = 'Forms are sent to this address; by itself it shows nothing. Go back to the page you came from.';

/** Where somebody who is lost goes on, by where they are. */
const HOMES = [
  { path: '/dashboard', title: 'Back to the dashboard' },
  { path: '/me', title: 'Back to your page' },
  { path: '/docs', title: 'Back to the docs' },
];

/** Any failure as a page, for a person in a browser. */
export function renderFailure(error: unknown, c: Context<AppEnv>): Response | Promise<Response> {
  const { code, message } = takeFailure(error, c);
  const { status, title } = ERRORS[code];
  if (status !== 500)
    return renderPage(
      c,
      <MessagePage
        title={TITLES[code] ?? title}
        kind="warn"
        message={code === 'method_not_allowed' ? ONLY_A_FORM : message}
        next={status === 429 ? undefined : HOMES.find(({ path }) => `${c.req.path}/`.startsWith(`${path}/`))}
      />,
      status,
    );
  const advice = (
    <>
      The fault is on our side. Go back and try again in a moment. If it happens again, report it with this ID:
      <br />
      <code>{c.var.requestId}</code>
    </>
  );
  return renderPage(c, <MessagePage title="Something went wrong" kind="bad" message={advice} />, status);
}
