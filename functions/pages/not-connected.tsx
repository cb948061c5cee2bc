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

const AGAIN = 'Open the link you came by again, or start again from where you came.';
const NOTHING = 'Nothing was connected.';

/** What a person unticked, and what cannot be done without it. */
const WITHOUT: Record<NeededScope, string> = {
  'calendar.freebusy':
    'You did not allow Tandem to see when you are busy, so it cannot tell which times you have free.',
  'calendar.events':
    'You did not allow Tandem to view and edit events, so it cannot put a meeting on your calendar, move it or call it off.',
};

function tell({ reason, missing = [], asked, requestId }: Failed & { requestId: string }): Told {
  switch (reason) {
    case 'access_denied':
      return {
        title: 'You did not allow access',
        kind: 'info',
        what: `${NOTHING} Nobody sees your calendar, and nothing was kept.`,
        next: 'If that is what you wanted, close this page. If not, open the link again and continue on Google’s page.',
      };
    case 'email_mismatch':
      return {
        title: 'That was another account',
        kind: 'warn',
        what: (
          <>
            You were asked for the calendar of <strong>{asked?.email}</strong>, and signed in to Google with another
            account. {NOTHING}
          </>
        ),
        next: 'Start again and choose that account on Google’s page. If the address is not yours, tell whoever sent you the link.',
      };
    case 'missing_scopes':
      return {
        title: 'A permission is missing',
        kind: 'warn',
        what: `${missing.map((scope) => WITHOUT[scope]).join(' ')} ${NOTHING}`,
        next: 'Start again and leave every permission for your calendar ticked.',
      };
    case 'calendar_refused':
      return {
        title: 'Google did not accept the sign-in',
        kind: 'warn',
        what: `You came back from Google’s page, but Google would not confirm it at the last step. ${NOTHING}`,
        next: `${AGAIN} If it happens again, tell whoever sent you the link.`,
      };
    case 'calendar_unavailable':
      return {
        title: 'It could not be finished',
        kind: 'bad',
        what: `You did everything right, but the last step between Google and Tandem failed. ${NOTHING}`,
        next: `Start again in a moment. If it fails again, name this request: ${requestId}.`,
      };
    case 'expired':
      return {
        title: 'This took too long',
        kind: 'info',
        what: `For your safety a sign-in is open for ten minutes, and this one is over. ${NOTHING}`,
        next: AGAIN,
      };
    case 'used':
      return {
        title: 'This sign-in is over already',
        kind: 'info',
        what: 'Google’s answer came here a second time, as by the Back button. What it did the first time stands; the second did nothing.',
        next: 'Your page shows who has access to your calendar now.',
      };
    case 'other_browser':
      return {
        title: 'This was not begun here',
        kind: 'warn',
        what: 'You come back from a sign-in that this browser did not begin, or has finished already. So that nobody can finish what somebody else began, nothing was done.',
        next: `${AGAIN} Stay in one browser until you are done, and let it keep cookies.`,
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
  platform_key: 'It does not say which platform asks, or that platform has changed its key since.',
  redirect_uri: 'It would lead you to an address that the platform has not registered, so it is not followed.',
  user_email: 'It does not say whose calendar is asked for.',
  user_id: 'It does not say who wants to sign in.',
};

/** Where a link that was put together wrongly ends. */
export function BrokenLinkPage({ field = '', detail }: { field?: string | undefined; detail: string }) {
  return (
    <Layout title="This link does not work" width="card" mark={<Mark kind="warn" />}>
      <p>{BROKEN[field] ?? 'Something is missing in it.'} Nothing was connected, and it is no fault of yours.</p>
      <p>Ask whoever sent it to you for another. They can make use of this:</p>
      <p>
        <code>{detail}</code>
      </p>
    </Layout>
  );
}

/** Where the question before Google's page is answered too late, a second time, or without cookies. */
export const StaleConsentPage = () => (
  <Layout title="This page has run out" width="card" mark={<Mark kind="info" />}>
    <p>
      The page you came from was answered already, or stood open for more than ten minutes, or your browser keeps no
      cookies. This answer did nothing.
    </p>
    <p>Open the link you were sent again.</p>
  </Layout>
);
