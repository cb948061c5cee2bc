import { type Context, Hono } from 'hono';
import { csrfToken } from '../../../lib/kit/page-session.ts';
import { enterDashboard, readLink } from '../../../lib/platforms/dashboard-session.ts';
import { readText } from '../../http/body.ts';
import type { AppEnv } from '../../http/env.ts';
import { Layout, renderPage } from '../layout.tsx';
import { MessagePage } from '../message.tsx';
import { dropCookie, keepCookie, readCookie } from '../session-cookie.ts';
import { startSession } from './session.ts';

const BROWSER = 'tandem_browser';
const BROWSER_SECONDS = 600;

/** Only the page's button uses the link up, so that mail scanners and previews do not. */
export const enter = new Hono<AppEnv>();

enter.get('/dashboard/enter', async (c) => {
  const link = c.req.query('link') ?? '';
  const found = await readLink(c.var.ctx, link);
  if (found === undefined) return noEntry(c);
  const browser = readCookie(c, BROWSER) ?? c.var.ctx.ids.secret('');
  keepCookie(c, BROWSER, browser, BROWSER_SECONDS);
  const token = await tokenOf(c, browser, link);
  return renderPage(c, <EnterPage platform={found.platformName} readOnly={found.readOnly} link={link} token={token} />);
});

enter.post('/dashboard/enter', async (c) => {
  const form = new URLSearchParams(await readText(c));
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

/** After signing out, the same link does not work here again. */
export const forgetBrowser = (c: Context<AppEnv>) => dropCookie(c, BROWSER);

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

function EnterPage({
  platform,
  readOnly,
  link,
  token,
}: { readOnly: boolean } & Record<'platform' | 'link' | 'token', string>) {
  return (
    <Layout title={`The dashboard of ${platform}`} width="card">
      <p>
        Here you can {readOnly ? 'see' : 'see and change'} how {platform} uses Tandem: its people, meetings, webhooks
        and keys. {readOnly ? 'This link lets you change nothing. ' : null}This browser stays signed in for 12 hours, or
        until you sign out.
      </p>
      <form method="post" action="/dashboard/enter">
        <input type="hidden" name="link" value={link} />
        <input type="hidden" name="token" value={token} />
        <button type="submit">Open the dashboard</button>
      </form>
    </Layout>
  );
}
