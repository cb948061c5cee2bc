import type { Child } from 'hono/jsx';
import type { Failed } from '../../lib/calendars/connect/finish.ts';
import type { NeededScope } from '../../lib/calendars/connect/read-consent.ts';
import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

interface Told {
  title: string;
  kind: 'info' | 'warn' | 'bad';
  /** What happened, and what it means. */
  what: Child;
  /** What the person can do now. */
  next: Child;
}

const AGAIN = 'Open the link again, or go back to where you started.';

/** What a person unticked, and what cannot be done without it. */
const WITHOUT: Record<NeededScope, string> = {
  'calendar.freebusy':
    'You did not allow Tandem to see when you are busy, so it cannot tell which times you have free.',
  'calendar.events':
    'You did not allow Tandem to view and edit events, so it cannot put a meeting on your calendar, move it or cancel it.',
};

function tell({ reason, missing = [], asked, requestId }: Failed & { requestId: string }): Told {
  // Who signs in to their own page came by no link, and their platforms keep their access.
  const isLogin = asked?.isLogin === true;
  const again = isLogin ? 'Sign in again' : 'Open the link again';
  const nothing = isLogin ? 'Nothing was changed.' : 'Nothing was connected.';
  switch (reason) {
    case 'access_denied':
      return {
        title: 'You did not allow access',
        kind: 'info',
        what: 'Nothing in your calendar was read or changed.',
        next: `If that is what you wanted, close this page. If not, ${again.toLowerCase()} and continue on Google’s page.`,
      };
    case 'email_mismatch':
      return {
        title: 'That was another account',
        kind: 'warn',
        what: (
          <>
            {isLogin ? 'You gave the address' : 'You were asked to connect the calendar of'}{' '}
            <strong>{asked?.email}</strong>, but signed in with another Google account. {nothing}
          </>
        ),
        next: `${again} and choose that account on Google’s page.${isLogin ? '' : ' If the address is not yours, tell whoever sent you the link.'}`,
      };
    case 'missing_scopes':
      return {
        title: 'A permission is missing',
        kind: 'warn',
        what: `${missing.map((scope) => WITHOUT[scope]).join(' ')} ${nothing}`,
        next: `${again} and make sure every box on Google’s page is ticked.`,
      };
    case 'calendar_refused':
      return {
        title: 'Google did not accept the sign-in',
        kind: 'warn',
        what: `You came back from Google’s page, but Google would not confirm it at the last step. ${nothing}`,
        next: isLogin ? `${again}.` : `${again}. If it happens again, tell whoever sent it to you.`,
      };
    case 'calendar_unavailable':
      return {
        title: 'It could not be finished',
        kind: 'bad',
        what: `You did everything right, but the last step between Google and Tandem failed. ${nothing}`,
        next: (
          <>
            {again} in a moment. If it fails again, give this number to whoever {isLogin ? 'helps you' : 'sent it'}:
            <br />
            <code>{requestId}</code>
          </>
        ),
      };
    case 'expired':
      return {
        title: 'This took too long',
        kind: 'info',
        what: `For your safety, a sign-in must be finished within ten minutes. ${nothing}`,
        next: AGAIN,
      };
    case 'used':
      return {
        title: 'This sign-in is already finished',
        kind: 'info',
        what: 'Google’s answer came here a second time, perhaps by the Back button. The first time counted; the second changed nothing.',
        next: 'Your page shows who has access to your calendar now.',
      };
    case 'other_browser':
      return {
        title: 'This was not started here',
        kind: 'warn',
        what: 'This sign-in was started in another browser, or is already finished. For safety, nothing was done.',
        next: `${AGAIN} Stay in one browser until you are done, and allow cookies.`,
      };
  }
}

/** Where a consent that came to nothing ends: what happened, what it means, what to do next. */
export function NotConnectedPage(failed: Failed & { requestId: string }) {
  const { title, kind, what, next } = tell(failed);
  const isAtHome = failed.reason === 'used' || failed.asked?.isLogin === true;
  return (
    <Layout title={title} width="card" mark={<Mark kind={kind} />}>
      <p>{what}</p>
      <p>{next}</p>
      {isAtHome ? (
        <p>
          <a class="button" href="/me">
            {failed.reason === 'used' ? 'Go to your page' : 'Sign in again'}
          </a>
        </p>
      ) : null}
    </Layout>
  );
}

const BROKEN: Record<string, string> = {
  platform_key: 'It does not say which platform asks, or the platform’s key is no longer valid.',
  redirect_uri: 'It would lead you to an address that the platform has not registered, so it is not followed.',
  user_email: 'It does not say whose calendar is asked for.',
  user_id: 'It does not say who wants to sign in.',
};

/** Where a link that was put together wrongly ends. */
export function BrokenLinkPage({ field = '', detail }: { field?: string | undefined; detail: string }) {
  return (
    <Layout title="This link does not work" width="card" mark={<Mark kind="warn" />}>
      <p>{BROKEN[field] ?? 'Something is missing in it.'} Nothing was connected. This is not your fault.</p>
      <p>Ask whoever sent it to you for a new one. Send them this line:</p>
      <p>
        <code>{detail}</code>
      </p>
    </Layout>
  );
}

/** Where the question before Google's page is answered too late, a second time, or without cookies. */
export const StaleConsentPage = () => (
  <Layout title="This page has expired" width="card" mark={<Mark kind="info" />}>
    <p>
      You already answered the page you came from, or it was open for more than ten minutes, or your browser blocks
      cookies. Nothing was changed.
    </p>
    <p>{AGAIN}</p>
  </Layout>
);
