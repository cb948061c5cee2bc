import { Layout } from './layout.tsx';

/** Where a consent without a redirect URI ends. */
export function ConnectedPage({ email }: { email: string }) {
  return (
    <Layout title="Calendar connected">
      <p>
        The calendar of <strong>{email}</strong> is connected. You can close this page, or go to{' '}
        <a href="/me">your page</a>.
      </p>
    </Layout>
  );
}
