import { Hono } from 'hono';
import { AppError } from '../../../lib/errors.ts';
import type { AppEnv } from '../../env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { sameOrigin } from '../../middleware/same-origin.ts';
import { renderFailure } from '../failure.tsx';
import { renderPage } from '../layout.tsx';
import { MessagePage } from '../message.tsx';
import { delivery } from './delivery.tsx';
import { endpoint } from './endpoint.tsx';
import { enter, forgetBrowser } from './enter.tsx';
import { keys } from './keys.tsx';
import { meeting } from './meeting.tsx';
import { meetings } from './meetings.tsx';
import { overview } from './overview.tsx';
import { people } from './people.tsx';
import { endSession, form, page } from './session.ts';
import { settings } from './settings.tsx';
import { webhooks } from './webhooks.tsx';
import { whyPage } from './why/routes.tsx';

/** A platform's own pages. */
export const dashboard = new Hono<AppEnv>();

dashboard.onError((error, c) => {
  if (!(error instanceof AppError && error.code === 'unauthorized')) return renderFailure(error, c);
  endSession(c);
  return renderPage(c, <ClosedPage />, 401);
});

dashboard.use('/dashboard/*', rateLimitByIp(), sameOrigin());
dashboard.route('/', enter);

for (const part of [overview, people, meetings, meeting, endpoint, webhooks, delivery, keys, settings])
  dashboard.route('/', part);

page(dashboard, '/dashboard/why', whyPage);

form(dashboard, '/dashboard/sign-out', (c) => {
  endSession(c);
  forgetBrowser(c);
  const message = 'The dashboard is closed in this browser. To come back, get a new link where you got the last one.';
  return renderPage(c, <MessagePage title="You are signed out" kind="ok" message={message} />);
});

const ClosedPage = () => (
  <MessagePage
    title="The dashboard is not open here"
    message={
      <>
        Open it with a link that your server makes by <code>POST /v1/platform/dashboard-link</code>. A session lasts 12
        hours, and ends when you sign out or the secret key is replaced.
      </>
    }
  />
);
