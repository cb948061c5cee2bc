import { type Context, Hono } from 'hono';
import { AppError } from '../../../lib/kit/errors.ts';
import { leaveDashboard, leaveEverywhere } from '../../../lib/platforms/dashboard-session.ts';
import type { AppEnv } from '../../http/env.ts';
import { rateLimitByIp } from '../../middleware/rate-limit.ts';
import { sameOrigin } from '../../middleware/same-origin.ts';
import { renderFailure } from '../failure.tsx';
import { renderPage } from '../layout.tsx';
import { MessagePage } from '../message.tsx';
import { auditLog } from './audit-log.tsx';
import { batch } from './batch.tsx';
import { batches } from './batches.tsx';
import { delivery } from './delivery.tsx';
import { disconnectPerson } from './disconnect.tsx';
import { endpoint } from './endpoint.tsx';
import { enter, forgetBrowser } from './enter.tsx';
import { jobs } from './jobs.tsx';
import { keys } from './keys.tsx';
import { meeting } from './meeting.tsx';
import { meetingActions } from './meeting-actions.tsx';
import { meetings } from './meetings.tsx';
import { overview } from './overview.tsx';
import { people } from './people.tsx';
import { person } from './person.tsx';
import { proposal } from './proposal.tsx';
import { proposals } from './proposals.tsx';
import { currentPlatform, endSession, form, pageWith } from './session.ts';
import { settings } from './settings.tsx';
import { webhooks } from './webhooks.tsx';
import { suggested, whyPage } from './why/routes.tsx';
import { zone } from './zone.tsx';

export const dashboard = new Hono<AppEnv>();

dashboard.onError((error, c) => {
  if (!(error instanceof AppError && error.code === 'unauthorized')) return renderFailure(error, c);
  endSession(c);
  return renderPage(c, <ClosedPage sentForm={c.req.method === 'POST'} />, 401);
});

dashboard.use('/dashboard/*', rateLimitByIp(), sameOrigin());
dashboard.route('/', enter);

for (const part of [
  overview,
  people,
  disconnectPerson,
  person,
  meetings,
  meeting,
  meetingActions,
  jobs,
  proposals,
  proposal,
  batches,
  batch,
  endpoint,
  webhooks,
  delivery,
  keys,
  auditLog,
  settings,
  zone,
])
  dashboard.route('/', part);

pageWith(dashboard, '/dashboard/why', suggested, whyPage);

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

const ClosedPage = ({ sentForm }: { sentForm: boolean }) => (
  <MessagePage
    title="You are not signed in"
    message={
      <>
        {sentForm ? 'Nothing was changed. ' : null}This browser has no session, or it has expired or was ended. A
        session lasts 12 hours. It ends earlier if somebody signs out everywhere or replaces the secret key. Whoever
        runs your company’s server, or anybody with the secret key, can make a new link with{' '}
        <code>POST /v1/platform/dashboard-link</code>. You can also get one where you got the last.
      </>
    }
  />
);
