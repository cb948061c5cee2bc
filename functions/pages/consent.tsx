import { HiddenFields, Notice } from './components.tsx';
import { isolated } from './isolated.ts';
import { Layout } from './layout.tsx';

interface Consent {
  platform: string;
  email: string;
  /** Parameters of the platform's consent link, which the consent form sends back unchanged. */
  fields: Record<string, string | undefined>;
}

/** Tells a person, before they reach Google's own page, which platform asks, what it can do and what it cannot see. */
export function ConsentPage({ platform, email, fields }: Consent) {
  return (
    <Layout title={`Connect your calendar with ${isolated(platform)}`} width="card">
      <p>
        <strong>
          <bdi>{platform}</bdi>
        </strong>{' '}
        wants to schedule meetings for <strong>{email}</strong> through Tandem.
      </p>
      <h2>
        What <bdi>{platform}</bdi> can do
      </h2>
      <ul>
        <li>See when you are busy</li>
        <li>Add meetings to your calendar, and move or cancel those meetings</li>
        <li>Read your work hours and preferences in Tandem</li>
      </ul>
      <h2>
        What <bdi>{platform}</bdi> cannot see
      </h2>
      <ul>
        <li>What you are busy with: no titles, locations or guests</li>
        <li>Which calendars you have</li>
      </ul>
      <p>
        Only <bdi>{platform}</bdi> gets this access. Other platforms have to ask you separately. You can end this access
        at any time on your Tandem page.
      </p>
      <Notice title="On Google’s page, tick every box">
        <p>
          Tandem cannot connect your calendar without access to your free times and your events. Without the list of
          your calendars, only your main calendar blocks your time.
        </p>
      </Notice>
      <form method="post" action="/oauth/authorize">
        <HiddenFields fields={fields} />
        <button type="submit">Continue to Google</button>
      </form>
      <p class="muted">If you did not expect this page, close it. Nothing has been connected.</p>
    </Layout>
  );
}
