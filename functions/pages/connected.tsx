import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

/** Page that says a consent succeeded. It is shown when the platform's link had no redirect URI to return to. */
export function ConnectedPage({ email }: { email: string }) {
  return (
    <Layout title="Calendar connected" width="card" mark={<Mark kind="ok" />}>
      <p>
        Meetings can now be scheduled for <strong>{email}</strong>. You are done and can close this page.
      </p>
      <p>
        On your Tandem page you can set your work hours, choose which calendars block your time, and see who has access.
      </p>
      <div class="actions">
        <a class="button" href="/me/preferences">
          Set your week
        </a>
        <a href="/me">Go to your page</a>
      </div>
    </Layout>
  );
}
