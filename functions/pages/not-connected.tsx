import type { Child } from 'hono/jsx';
import type { Failed } from '../../lib/calendars/connect/finish-consent.ts';
import type { NeededScope } from '../../lib/calendars/connect/read-consent.ts';
import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

interface Words {
  title: string;
  kind: 'info' | 'warn' | 'bad';
  /** Explanation of the failed consent or sign-in, and of its effect for the person. */
  what: Child;
  /** Instructions for what the person can do next. */
  next: Child;
}

const AGAIN = 'Open the link again, or go back to where you started.';

/** Explanations of what Tandem cannot do without each required Google permission, keyed by permission. */
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
  switch (reason) {
    case 'access_denied':
      return {
        title: 'You did not allow access',
        kind: 'info',
        what: 'Nothing in your calendar was read or changed.',
        next: `If you meant to refuse, close this page. If not, ${again.toLowerCase()} and continue on Google’s page.`,
      };
    case 'email_mismatch':
      if (knownAs !== undefined)
        return {
          title: 'You are connected under another spelling',
          kind: 'info',
          what: (
            <>
              This Google account is connected as <strong>{knownAs}</strong>, and the link names{' '}
              <strong>{asked?.email}</strong>. {nothing}
            </>
          ),
          next: `Ask whoever sent you the link for one with ${knownAs}.`,
        };
      return {
        title: 'You used another account',
        kind: 'warn',
        what: (
          <>
            {isLogin ? 'You entered the address' : 'You were asked to connect the calendar of'}{' '}
            <strong>{asked?.email}</strong>, but signed in with another Google account. {nothing}
          </>
        ),
        next: `${again} and choose that account on Google’s page.${isLogin ? '' : ' If the address is not yours, tell whoever sent you the link.'}`,
      };
    case 'address_held':
      return {
        title: 'This address belongs to another account',
        kind: 'warn',
        what: (
          <>
            <strong>{asked?.email}</strong> is connected here with another Google account, and Google does not confirm
            that the address is now yours. {nothing}
          </>
        ),
        next: (
          <>
            If you still have the other account, use it. If it is gone, ask a platform that schedules meetings for{' '}
            {asked?.email} to disconnect that address. Then {again.toLowerCase()}.
          </>
        ),
      };
    case 'missing_scopes':
      return {
        title: 'A permission is missing',
        kind: 'warn',
        what: `${missing.map((scope) => WITHOUT[scope]).join(' ')} ${nothing}`,
        next: `${again} and tick every box on Google’s page.`,
      };
    case 'calendar_refused':
      return {
        title: 'Google did not accept the sign-in',
        kind: 'warn',
        what: `You came back from Google’s page, but Google did not confirm your sign-in. ${nothing}`,
        next: isLogin ? `${again}.` : `${again}. If it happens again, tell whoever sent it to you.`,
      };
    case 'calendar_unavailable':
      return {
        title: 'The last step failed',
        kind: 'bad',
        what: `You did everything right, but the last step between Google and Tandem failed. ${nothing}`,
        next: (
          <>
            {again} in a moment. If it fails again, {isLogin ? 'report it with' : 'send whoever gave you the link'} this
            ID:
            <br />
            <code>{requestId}</code>
          </>
        ),
      };
    case 'link_ended':
      return {
        title: 'This link no longer works',
        kind: 'warn',
        what: `The platform that sent you here cannot connect calendars anymore, or not the way its link says. ${nothing}`,
        next: 'Ask whoever sent you the link for a new one.',
      };
    case 'expired':
      return {
        title: 'This took too long',
        kind: 'info',
        what: `For your safety, you have ten minutes to finish signing in. ${nothing}`,
        next: AGAIN,
      };
    case 'used':
      return {
        title: 'This is taking longer than usual',
        kind: 'info',
        what: 'Google sent you here a second time while the first was not finished yet.',
        next: 'Reload this page in a moment. Your page shows who has access to your calendar now.',
      };
    case 'other_browser':
      return {
        title: 'This sign-in cannot continue here',
        kind: 'warn',
        what: 'This sign-in was started in another browser, or is already finished. For your safety, nothing was changed.',
        next: `${AGAIN} Use one browser until you are done, and allow cookies.`,
      };
  }
}

/** Shows why a consent or sign-in failed, what that means, and what to do next. */
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
  platform_key: 'The link does not name a platform, or the platform’s key is no longer valid.',
  redirect_uri: 'The link would send you to an address that the platform has not registered.',
  user_email: 'The link does not say whose calendar to connect.',
  user_id: 'The link does not say who wants to sign in.',
  state: 'The text that the platform added to the link is too long.',
};

/** Shows why a link with missing or wrong parameters does not work. */
export function BrokenLinkPage({ field = '', detail }: { field?: string | undefined; detail: string }) {
  return (
    <Layout title="This link does not work" width="card" mark={<Mark kind="warn" />}>
      <p>{BROKEN[field] ?? 'Part of the link is missing.'} Nothing was connected. This is not your fault.</p>
      <p>Ask whoever sent you the link for a new one, and send them this line:</p>
      <p>
        <code>{detail}</code>
      </p>
    </Layout>
  );
}

/** Page that says the consent form was submitted too late or without cookies. */
export const StaleConsentPage = () => (
  <Layout title="This page has expired" width="card" mark={<Mark kind="info" />}>
    <p>It was open for more than ten minutes, or your browser blocks cookies. Nothing was changed.</p>
    <p>{AGAIN}</p>
  </Layout>
);
