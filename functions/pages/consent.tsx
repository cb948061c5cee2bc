import { HiddenFields, Notice } from './components.tsx';
import { isolated } from './isolated.ts';
import { Layout } from './layout.tsx';

interface Consent {
  platform: string;
  email: string;
  /** What the form sends back unchanged. */
  fields: Record<string, string | undefined>;
}

/** What a person reads before the provider's own page: who asks, for what, and what it does not give away. */
export function ConsentPage({ platform, email, fields }: Consent) {
  return (
    <Layout title={`Connect your calendar with ${isolated(platform)}`} width="card">
      <p>
        <strong>
          <bdi>{platform}</bdi>
        </strong>{' '}
        asks to arrange meetings for <strong>{email}</strong> through Tandem.
      </p>
      <h2>
        What <bdi>{platform}</bdi> can do
      </h2>
      <ul>
        <li>see when you are busy</li>
        <li>put meetings on your calendar, and move or cancel those meetings</li>
        <li>read your work hours and preferences in Tandem</li>
      </ul>
      <h2>What it cannot see</h2>
      <ul>
        <li>what you are busy with: no titles, no places, no guests</li>
        <li>which calendars you have</li>
      </ul>
      <p>
        This is for <bdi>{platform}</bdi> only; any other platform has to ask you itself. You can end it at any time on
        your own page at Tandem.
      </p>
      <Notice title="On Google’s page, tick every box">
        <p>
          Without your free times and your events, nothing can be connected. Without the list of your calendars, only
          your main one blocks your time.
        </p>
      </Notice>
      <form method="post" action="/oauth/authorize">
        <HiddenFields fields={fields} />
        <button type="submit">Continue to Google</button>
      </form>
      <p class="muted">If you did not expect this, close this page: nothing has been connected.</p>
    </Layout>
  );
}
