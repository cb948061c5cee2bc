import type { Child } from 'hono/jsx';
import type { NeededScope } from '../../lib/calendars/connect/commit-connection.ts';
import type { Failed } from '../../lib/calendars/connect/finish-consent.ts';
import { PERMISSIONS } from '../../lib/kit/permissions.ts';
import type { StoredSuggestion } from '../../schema/api/preferences.ts';
import { Form, PlatformName } from './components.tsx';
import { isolated, Layout, MessagePage } from './layout.tsx';
import { saySuggestion } from './me/fields.tsx';

interface Consent {
  platform: { name: string; logoUrl: string | null; defaultPreferences: StoredSuggestion | null };
  email: string;
  hasPrivacy: boolean;
  fields: Record<string, string | undefined>;
}

/** On a small phone, everything up to the button fits the first screen. */
export function ConsentPage({ platform: by, email, hasPrivacy, fields }: Consent) {
  const { name: platform, logoUrl, defaultPreferences: suggested } = by;
  return (
    <Layout
      title={`Connect your calendar with ${isolated(platform)}`}
      width="card"
      mark={logoUrl && <PlatformName {...by} />}
    >
      <p>
        It wants to schedule meetings for <strong class="one-line">{email}</strong>
      </p>
      <ul class="ticks">
        <Tick>It sees when you are busy, and your work hours.</Tick>
        <Tick>It never sees titles, places or guests.</Tick>
        <Tick>It adds, moves and cancels only its own meetings.</Tick>
      </ul>
      {suggested === null ? null : (
        <p class="small">
          If you are new to Tandem, what <bdi>{platform}</bdi> suggests applies everywhere until you change it:{' '}
          {saySuggestion(suggested).join('; ')}.
        </p>
      )}
      <Form action="/oauth/authorize" fields={fields}>
        <button type="submit">Continue to Google</button>
      </Form>
      <p class="small">Tick the boxes on Google’s page. Details below say which are optional.</p>
      <details>
        <summary>What else you should know</summary>
        <ul>
          <li>
            <bdi>{platform}</bdi> can read the work hours and preferences that you set in Tandem. It cannot see which
            calendars you have.
          </li>
          <li>
            Only <bdi>{platform}</bdi> gets this access. Other platforms have to ask you separately.
          </li>
          <li>You can end this access at any time on your Tandem page.</li>
          <li>
            On Google’s page, sign in as <strong>{email}</strong>.
          </li>
        </ul>
        <p>With what you allow on Google’s page, Tandem</p>
        <ul>
          {PERMISSIONS.map(({ does, isNeeded }) => (
            <li>
              {does}
              {isNeeded ? '' : ' (optional)'}
            </li>
          ))}
        </ul>
      </details>
      <p class="small muted">
        If you did not expect this page, close it. Nothing has been connected.
        {hasPrivacy ? [' ', <a href="/privacy">Privacy</a>] : null}
      </p>
    </Layout>
  );
}

const Tick = ({ children }: { children: string }) => (
  <li>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 12.5l4.5 4.5L19 7.5" />
    </svg>
    {children}
  </li>
);

/** The link had no redirect URI. Without an address, this browser did not connect, or did more than a day ago. */
export const ConnectedPage = ({ email, platform }: { email: string | undefined; platform: string | undefined }) =>
  email === undefined ? (
    <MessagePage
      title="You can close this page"
      kind="info"
      message="It confirmed a calendar that was connected in this browser. Your Tandem page shows who has access now."
      next={{ path: '/me', title: 'Go to your page' }}
    />
  ) : (
    <MessagePage
      title="Calendar connected"
      kind="ok"
      next={{ path: `/oauth/login?${new URLSearchParams({ user_id: email })}`, title: 'Go to your page' }}
    >
      <p>
        <bdi>{platform || 'The platform'}</bdi> can now schedule meetings for <strong>{email}</strong>. You are done and
        can close this page.
      </p>
      <p>
        On your Tandem page you can set your work hours, choose which calendars block your time, and see who has access.
        You sign in there with Google.
      </p>
    </MessagePage>
  );

type Words = { title: string; kind: 'info' | 'warn' | 'bad'; what: Child; next: Child };

const wordsOf =
  (kind: Words['kind']) =>
  (title: string, what: Child, next: Child): Words => ({ title, kind, what, next });
const [info, warn, bad] = [wordsOf('info'), wordsOf('warn'), wordsOf('bad')];

const AGAIN = 'Open the link again, or go back to where you started.';

const WITHOUT: Record<NeededScope, string> = {
  'calendar.freebusy': 'You did not allow Tandem to see when you are busy, so it cannot find your free times.',
  'calendar.events':
    'You did not allow Tandem to view and edit events, so it cannot put a meeting on your calendar, move it or cancel it.',
};

function tell({ reason, missing = [], asked, knownAs, requestId }: Failed & { requestId: string }): Words {
  // A person who signs in to their own page has no link to open again, and their platforms keep their access.
  const isLogin = asked?.isLogin === true;
  const again = isLogin ? 'Sign in again' : 'Open the link again';
  const nothing = isLogin ? 'Nothing was changed.' : 'Nothing was connected.';
  const words: Record<Failed['reason'], Words> = {
    access_denied: info(
      'You did not allow access',
      'Nothing in your calendar was read or changed.',
      `If you meant to refuse, close this page. If not, ${again.toLowerCase()} and continue on Google’s page.`,
    ),
    email_mismatch:
      knownAs !== undefined
        ? info(
            'You are connected under another spelling',
            <>
              This Google account is connected as <strong>{knownAs}</strong>, and the link names{' '}
              <strong>{asked?.email}</strong>. {nothing}
            </>,
            `Ask whoever sent you the link for one with ${knownAs}.`,
          )
        : warn(
            'You used another account',
            <>
              {isLogin ? 'You entered the address' : 'You were asked to connect the calendar of'}{' '}
              <strong>{asked?.email}</strong>, but signed in with another Google account. {nothing}
            </>,
            `${again} and choose that account on Google’s page.${isLogin ? '' : ' If the address is not yours, tell whoever sent you the link.'}`,
          ),
    address_held: warn(
      'This address belongs to another account',
      <>
        <strong>{asked?.email}</strong> is connected here with another Google account, and Google does not confirm that
        the address is now yours. {nothing}
      </>,
      `If you still have the other account, use it. If it is gone, ask a platform that schedules meetings for ${asked?.email} to disconnect that address. Then ${again.toLowerCase()}.`,
    ),
    missing_scopes: warn(
      'A permission is missing',
      `${missing.map((scope) => WITHOUT[scope]).join(' ')} ${nothing}`,
      `${again} and tick every box on Google’s page.`,
    ),
    calendar_refused: warn(
      'Google did not accept the sign-in',
      `You came back from Google’s page, but Google did not confirm your sign-in. ${nothing}`,
      isLogin ? `${again}.` : `${again}. If it happens again, tell whoever sent it to you.`,
    ),
    calendar_unavailable: bad(
      'The last step failed',
      `You did everything right, but the last step between Google and Tandem failed. ${nothing}`,
      <>
        {again} in a moment. If it fails again, {isLogin ? 'report it with' : 'send whoever gave you the link'} this ID:
        <br />
        <code>{requestId}</code>
      </>,
    ),
    link_ended: warn(
      'This link no longer works',
      `The platform that sent you here cannot connect calendars anymore, or not the way its link says. ${nothing}`,
      'Ask whoever sent you the link for a new one.',
    ),
    expired: info(
      'This took too long',
      `For your safety, you have ten minutes to finish signing in. ${nothing}`,
      AGAIN,
    ),
    used: info(
      'This is taking longer than usual',
      'Google sent you here a second time while the first was not finished yet.',
      'Reload this page in a moment. Your page shows who has access to your calendar now.',
    ),
    other_browser: warn(
      'This sign-in cannot continue here',
      'This sign-in was started in another browser, or is already finished. For your safety, nothing was changed.',
      `${AGAIN} Use one browser until you are done, and allow cookies.`,
    ),
  };
  return words[reason];
}

export function NotConnectedPage(failed: Failed & { requestId: string }) {
  const { title, kind, what, next } = tell(failed);
  const isAtHome = failed.reason === 'used' || failed.asked?.isLogin === true;
  const home = { path: '/me', title: failed.reason === 'used' ? 'Go to your page' : 'Sign in again' };
  return (
    <MessagePage title={title} kind={kind} message={what} next={isAtHome ? home : undefined}>
      <p>{next}</p>
    </MessagePage>
  );
}

const BROKEN: Record<string, string> = {
  platform_key: 'The link does not name a platform, or the platform’s key is no longer valid.',
  redirect_uri: 'The link would send you to an address that the platform has not registered.',
  user_email: 'The link does not say whose calendar to connect.',
  user_id: 'The link does not say who wants to sign in.',
  state: 'The text that the platform added to the link is too long.',
};

export function BrokenLinkPage({ field = '', detail }: { field?: string | undefined; detail: string }) {
  return (
    <MessagePage title="This link does not work" kind="warn">
      <p>{BROKEN[field] ?? 'Part of the link is missing.'} Nothing was connected. This is not your fault.</p>
      <p>Ask whoever sent you the link for a new one, and send them this line:</p>
      <p>
        <code>{detail}</code>
      </p>
    </MessagePage>
  );
}

export const StaleConsentPage = () => (
  <MessagePage title="This page has expired" kind="info">
    <p>It was open for more than ten minutes, or your browser blocks cookies. Nothing was changed.</p>
    <p>{AGAIN}</p>
  </MessagePage>
);
