import { type Context, Hono } from 'hono';
import { AppError } from '../../../lib/kit/errors.ts';
import { leaveDashboard, leaveEverywhere } from '../../../lib/platforms/dashboard-session.ts';
import type { AppEnv } from '../../env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { sameOrigin } from '../../middleware/same-origin.ts';
import { renderFailure } from '../failure.tsx';
import { renderPage } from '../layout.tsx';
import { MessagePage } from '../message.tsx';
import { auditLog } from './audit-log.tsx';
import { delivery } from './delivery.tsx';
import { disconnectPerson } from './disconnect.tsx';
import { endpoint } from './endpoint.tsx';
import { enter, forgetBrowser } from './enter.tsx';
import { keys } from './keys.tsx';
import { meeting } from './meeting.tsx';
import { meetings } from './meetings.tsx';
import { overview } from './overview.tsx';
import { people } from './people.tsx';
import { currentPlatform, endSession, form, page } from './session.ts';
import { settings } from './settings.tsx';
import { webhooks } from './webhooks.tsx';
import { whyPage } from './why/routes.tsx';

/** Routes of all pages of a platform's dashboard. */
export const dashboard = new Hono<AppEnv>();

dashboard.onError((error, c) => {
  if (!(error instanceof AppError && error.code === 'unauthorized')) return renderFailure(error, c);
  endSession(c);
  return renderPage(c, <ClosedPage />, 401);
});

dashboard.use('/dashboard/*', rateLimitByIp(), sameOrigin());
dashboard.route('/', enter);

for (const part of [
  overview,
  people,
  disconnectPerson,
  meetings,
  meeting,
  endpoint,
  webhooks,
  delivery,
  keys,
  auditLog,
  settings,
])
  dashboard.route('/', part);

page(dashboard, '/dashboard/why', whyPage);

form(
  dashboard,
  '/dashboard/sign-out',
  async (c) => {
    await leaveDashboard(c.var.ctx, c.var.session);
    return signedOut(c, 'The dashboard is closed in this browser.');
  },
  { anySession: true },
);

form(dashboard, '/dashboard/sign-out-everywhere', async (c) => {
  await leaveEverywhere(c.var.ctx, currentPlatform(c).id);
  return signedOut(c, 'The dashboard is closed in every browser, and links that nobody has opened no longer work.');
});

function signedOut(c: Context<AppEnv>, what: string) {
  endSession(c);
  forgetBrowser(c);
  const message = `${what} To come back, get a new link from where you got the last one.`;
  return renderPage(c, <MessagePage title="You are signed out" kind="ok" message={message} />);
}

const ClosedPage = () => (
  <MessagePage
    title="You are not signed in"
    message={
      <>
        Open the dashboard with a link that your server creates with <code>POST /v1/platform/dashboard-link</code>. A
        session lasts 12 hours. It ends earlier if you sign out, if somebody signs out everywhere, or if the secret key
        is replaced.
      </>
    }
  />
);
