import { HiddenFields } from './components.tsx';
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
    <Layout title={`Connect your calendar with ${platform}`} width="card">
      <p>
        <strong>
          <bdi>{platform}</bdi>
        </strong>{' '}
        asks to arrange meetings for <strong>{email}</strong> through Tandem.
      </p>
      <h2>It will be able to</h2>
      <ul>
        <li>see when you are busy</li>
        <li>put meetings on your calendar, move and cancel them</li>
        <li>read the week and the preferences that you set with Tandem</li>
      </ul>
      <h2>It will not see</h2>
      <ul>
        <li>what you are busy with: no titles, no places, no guests</li>
        <li>which calendars you have; on your own page you choose which of them block your time</li>
      </ul>
      <p>
        This is for <bdi>{platform}</bdi> alone: other platforms&#39; access is separate, and each asks you itself. You
        can end it at any time on your own page.
      </p>
      <form method="post" action="/oauth/authorize">
        <HiddenFields fields={fields} />
        <p class="hint">
          Google asks you next. Leave its boxes ticked: without your free times and events nothing can be connected, and
          without the list of your calendars only your main one blocks your time.
        </p>
        <button type="submit">Continue to Google</button>
      </form>
      <p class="muted">If you did not expect this, close this page: nothing has been connected.</p>
    </Layout>
  );
}
