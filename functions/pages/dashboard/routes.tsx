import { type Context, Hono } from 'hono';
import { hasCode } from '../../../lib/kit/errors.ts';
import { csrfToken } from '../../../lib/kit/page-session.ts';
import { enterDashboard, leaveDashboard, leaveEverywhere, readLink } from '../../../lib/platforms/dashboard.ts';
import { readForm } from '../../http/body.ts';
import type { AppEnv } from '../../http/env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { sameOrigin } from '../../middleware/request.ts';
import { Form } from '../components.tsx';
import { Layout, MessagePage, renderPage } from '../layout.tsx';
import { dropCookie, keepCookie, readCookie } from '../session-cookie.ts';
import { auditLog } from './audit-log.tsx';
import { batches } from './batches.tsx';
import { delivery } from './delivery.tsx';
import { endpoint } from './endpoint.tsx';
import { renderError } from './frame.tsx';
import { jobs } from './jobs.tsx';
import { keys } from './keys.tsx';
import { meeting } from './meeting.tsx';
import { meetings } from './meetings.tsx';
import { overview } from './overview.tsx';
import { people } from './people.tsx';
import { disconnectPerson, person } from './person.tsx';
import { proposals } from './proposals.tsx';
import { currentPlatform, endSession, form, pageWith, startSession } from './session.ts';
import { settings } from './settings.tsx';
import { webhooks } from './webhooks.tsx';
import { suggested, whyPage } from './why/routes.tsx';

export const dashboard = new Hono<AppEnv>();

dashboard.onError((error, c) => {
  if (!hasCode(error, 'unauthorized')) return renderError(error, c);
  endSession(c);
  const message = (
    <>
      {c.req.method === 'POST' ? 'Nothing was changed. ' : null}This browser has no session, or it has expired or was
      ended. A session lasts 12 hours. It ends earlier if somebody signs out everywhere or replaces the secret key.
      Whoever runs your company’s server, or anybody with the secret key, can make a new link with{' '}
      <code>POST /v1/platform/dashboard-link</code>. You can also get one where you got the last.
    </>
  );
  return renderPage(c, <MessagePage title="You are not signed in" message={message} />, 401);
});

dashboard.use('/dashboard/*', rateLimitByIp(), sameOrigin());

for (const part of [overview, people, disconnectPerson, person, meetings, meeting, jobs]) dashboard.route('/', part);
for (const part of [proposals, batches, endpoint, webhooks, delivery, keys, auditLog, settings])
  dashboard.route('/', part);

pageWith(dashboard, '/dashboard/why', suggested, whyPage);

form(dashboard, '/dashboard/sign-out', { anySession: true }, async (c) => {
  await leaveDashboard(c.var.ctx, c.var.session);
  return signedOut(c, 'The dashboard is closed in this browser.');
});

form(dashboard, '/dashboard/sign-out-everywhere', {}, async (c) => {
  await leaveEverywhere(c.var.ctx, currentPlatform(c).id);
  return signedOut(c, 'The dashboard is closed in every browser, and links that nobody has opened no longer work.');
});

function signedOut(c: Context<AppEnv>, what: string) {
  endSession(c);
  // After signing out, the same link does not work here again.
  dropCookie(c, BROWSER);
  const message = `${what} To come back, get a new link from where you got the last one.`;
  return renderPage(c, <MessagePage title="You are signed out" kind="ok" message={message} />);
}

const BROWSER = 'tandem_browser';
const BROWSER_SECONDS = 600;

/** Only the page's button uses the link up, so that mail scanners and previews do not. */
dashboard.get('/dashboard/enter', async (c) => {
  const link = c.req.query('link') ?? '';
  const found = await readLink(c.var.ctx, link);
  if (found === undefined) return noEntry(c);
  const browser = readCookie(c, BROWSER) ?? c.var.ctx.ids.secret('');
  keepCookie(c, BROWSER, browser, BROWSER_SECONDS);
  const token = await tokenOf(c, browser, link);
  const { platformName: platform, readOnly } = found;
  return renderPage(
    c,
    <Layout title={`The dashboard of ${platform}`} width="card">
      <p>
        Here you can {readOnly ? 'see' : 'see and change'} how {platform} uses Tandem: its people, meetings, webhooks
        and keys. {readOnly ? 'This link lets you change nothing. ' : null}This browser stays signed in for 12 hours, or
        until you sign out.
      </p>
      <Form action="/dashboard/enter" fields={{ link, token }}>
        <button type="submit">Open the dashboard</button>
      </Form>
    </Layout>,
  );
});

dashboard.post('/dashboard/enter', async (c) => {
  const form = await readForm(c);
  const link = form.get('link') ?? '';
  const browser = readCookie(c, BROWSER);
  // The token ties the form to this browser. Otherwise another site could sign a person in to somebody else's
  // dashboard.
  if (browser === undefined || form.get('token') !== (await tokenOf(c, browser, link))) return noEntry(c);
  const session = await enterDashboard(c.var.ctx, link, browser);
  if (session === undefined) return noEntry(c);
  startSession(c, session);
  return c.redirect('/dashboard', 303);
});

const tokenOf = (c: Context<AppEnv>, browser: string, link: string) => csrfToken(c.var.ctx, `${browser}:${link}`);

const noEntry = (c: Context<AppEnv>) =>
  renderPage(
    c,
    <MessagePage
      title="This link does not open the dashboard"
      message="A link opens the dashboard once, within ten minutes. It stops working when the secret key is replaced, and when somebody signs out everywhere. Go back to where you found the link and ask for a new one."
    />,
    400,
  );
