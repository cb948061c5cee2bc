import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

/** Where a consent without a redirect URI ends. */
export function ConnectedPage({ email }: { email: string }) {
  return (
    <Layout title="Calendar connected" width="card" mark={<Mark kind="ok" />}>
      <p>
        Meetings can now be arranged for <strong>{email}</strong>. There is nothing more to do; you can close this page.
      </p>
      <p>On your own pages you set your work hours, choose which calendars block your time, and see who has access.</p>
      <div class="actions">
        <a class="button" href="/me/preferences">
          Set your week
        </a>
        <a href="/me">Go to your page</a>
      </div>
    </Layout>
  );
}
