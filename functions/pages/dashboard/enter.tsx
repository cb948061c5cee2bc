import { type Context, Hono } from 'hono';
import { csrfToken } from '../../../lib/page-session.ts';
import { enterDashboard, keyHashOfLink } from '../../../lib/platforms/dashboard-session.ts';
import { findKeyOwner } from '../../../schema/api-keys/queries.ts';
import { readText } from '../../body.ts';
import type { AppEnv } from '../../env.ts';
import { Layout, renderPage } from '../layout.tsx';
import { MessagePage } from '../message.tsx';
import { dropCookie, keepCookie, readCookie } from '../session-cookie.ts';
import { startSession } from './session.ts';

const BROWSER = 'tandem_browser';
const BROWSER_SECONDS = 600;

/** The way into the dashboard. A link is used up by the button on its page, so that what only looks at links uses none. */
export const enter = new Hono<AppEnv>();

enter.get('/dashboard/enter', async (c) => {
  const link = c.req.query('link') ?? '';
  const hash = await keyHashOfLink(c.var.ctx, link);
  const owner = hash === undefined ? undefined : await findKeyOwner(c.var.ctx.db, { hash });
  if (owner?.platform == null) return noEntry(c);
  const browser = readCookie(c, BROWSER) ?? c.var.ctx.ids.secret('');
  keepCookie(c, BROWSER, browser, BROWSER_SECONDS);
  const token = await tokenOf(c, browser, link);
  return renderPage(c, <EnterPage platform={owner.platform.name} link={link} token={token} />);
});

enter.post('/dashboard/enter', async (c) => {
  const form = new URLSearchParams(await readText(c));
  const link = form.get('link') ?? '';
  const browser = readCookie(c, BROWSER);
  // Only a page of ours in this browser leads in: nobody is led into a dashboard that is not theirs.
  if (browser === undefined || form.get('token') !== (await tokenOf(c, browser, link))) return noEntry(c);
  const session = await enterDashboard(c.var.ctx, link, browser);
  if (session === undefined) return noEntry(c);
  startSession(c, session);
  return c.redirect('/dashboard', 303);
});

/** After signing out the link that led in leads nowhere, in this browser too. */
export const forgetBrowser = (c: Context<AppEnv>) => dropCookie(c, BROWSER);

const tokenOf = (c: Context<AppEnv>, browser: string, link: string) => csrfToken(c.var.ctx, `${browser}:${link}`);

const noEntry = (c: Context<AppEnv>) =>
  renderPage(
    c,
    <MessagePage
      title="This link does not open the dashboard"
      message="A link opens the dashboard once, within ten minutes, and not after the secret key it was made with has been replaced. Go back to where you found it and ask for a new one."
    />,
    400,
  );

function EnterPage({ platform, link, token }: { platform: string; link: string; token: string }) {
  return (
    <Layout title={`The dashboard of ${platform}`} width="card">
      <p>
        Here you see and change what {platform} does with Tandem: its people, meetings, webhooks and keys. This browser
        stays signed in for 12 hours, or until you sign out.
      </p>
      <form method="post" action="/dashboard/enter">
        <input type="hidden" name="link" value={link} />
        <input type="hidden" name="token" value={token} />
        <button type="submit">Open the dashboard</button>
      </form>
    </Layout>
  );
}
