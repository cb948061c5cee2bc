import { fromThen } from '../../lib/users/page.ts';
import { Layout } from './layout.tsx';

interface Me {
  email: string;
  calendarConnected: boolean;
  maskedKey: string | undefined;
  /** Set while no new key can be made. */
  newKeyAt: number | undefined;
  csrf: string;
}

/** A person's own page: their calendar and their key. */
export function MePage({ email, calendarConnected, maskedKey, newKeyAt, csrf }: Me) {
  return (
    <Layout title="Your page">
      <p>
        Signed in as <strong>{email}</strong>. Your calendar is {calendarConnected ? 'connected' : 'not connected'}.
      </p>
      <h2>API key</h2>
      <p>
        {maskedKey === undefined ? 'You have no key yet.' : <code>{maskedKey}</code>}
        {maskedKey === undefined ? '' : ' stops working as soon as you make a new one.'}
      </p>
      {newKeyAt === undefined ? (
        <form method="post" action="/me/api-key">
          <input type="hidden" name="csrf" value={csrf} />
          <button type="submit">Make a new key</button>
        </form>
      ) : (
        <p>You can make another {fromThen(newKeyAt)}.</p>
      )}
    </Layout>
  );
}

/** The only page that ever shows a user's key. */
export function NewKeyPage({ apiKey }: { apiKey: string }) {
  return (
    <Layout title="Your new API key">
      <p>
        <code id="api-key">{apiKey}</code>
      </p>
      <p>Copy it now: it is not shown again.</p>
    </Layout>
  );
}
