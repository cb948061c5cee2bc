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
    <Layout title={`Connect your calendar with ${platform}`}>
      <p>
        <strong>{platform}</strong> asks to schedule meetings for <strong>{email}</strong> through Tandem. It will be
        able to see when you are busy, and to add, move and cancel meetings on your calendar.
      </p>
      <p>
        This is for {platform} alone: other platforms&#39; access is separate, and each asks you itself. You can end it
        at any time.
      </p>
      <form method="post" action="/oauth/authorize">
        {Object.entries(fields).map(([name, value]) =>
          value === undefined ? null : <input type="hidden" name={name} value={value} />,
        )}
        <button type="submit">Continue to Google</button>
      </form>
      <p>If you did not expect this, close this page: nothing has been connected.</p>
    </Layout>
  );
}
