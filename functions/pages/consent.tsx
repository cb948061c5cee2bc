import { PERMISSIONS } from '../../lib/kit/permissions.ts';
import type { StoredSuggestion } from '../../schema/api/preferences.ts';
import { HiddenFields, PlatformName } from './components.tsx';
import { isolated } from './isolated.ts';
import { Layout } from './layout.tsx';
import { saySuggestion } from './suggested.ts';

interface Consent {
  platform: string;
  /** URL of the platform's logo, which only the person's browser fetches. Null for a platform without one. */
  logoUrl: string | null;
  /** Preferences that the platform suggests to people new to Tandem. */
  suggested: StoredSuggestion | null;
  email: string;
  /** True if this service has a page about privacy. */
  hasPrivacy: boolean;
  /** Parameters of the platform's consent link, which the consent form sends back unchanged. */
  fields: Record<string, string | undefined>;
}

/** On a small phone, everything up to the button fits the first screen. */
export function ConsentPage({ platform, logoUrl, suggested, email, hasPrivacy, fields }: Consent) {
  return (
    <Layout
      title={`Connect your calendar with ${isolated(platform)}`}
      width="card"
      mark={logoUrl === null ? undefined : <PlatformName name={platform} logoUrl={logoUrl} />}
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
      <form method="post" action="/oauth/authorize">
        <HiddenFields fields={fields} />
        <button type="submit">Continue to Google</button>
      </form>
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
        {hasPrivacy ? (
          <>
            {' '}
            <a href="/privacy">Privacy</a>
          </>
        ) : null}
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
