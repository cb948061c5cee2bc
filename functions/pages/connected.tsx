import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

/** The link had no redirect URI. Without an address, this browser did not connect, or did more than a day ago. */
export const ConnectedPage = ({ email, platform }: { email: string | undefined; platform: string | undefined }) =>
  email === undefined ? (
    <Layout title="You can close this page" width="card" mark={<Mark kind="info" />}>
      <p>It confirmed a calendar that was connected in this browser. Your Tandem page shows who has access now.</p>
      <p>
        <a class="button" href="/me">
          Go to your page
        </a>
      </p>
    </Layout>
  ) : (
    <Layout title="Calendar connected" width="card" mark={<Mark kind="ok" />}>
      <p>
        <bdi>{platform || 'The platform'}</bdi> can now schedule meetings for <strong>{email}</strong>. You are done and
        can close this page.
      </p>
      <p>
        On your Tandem page you can set your work hours, choose which calendars block your time, and see who has access.
        You sign in there with Google.
      </p>
      <p>
        <a class="button" href={`/oauth/login?${new URLSearchParams({ user_id: email })}`}>
          Go to your page
        </a>
      </p>
    </Layout>
  );
