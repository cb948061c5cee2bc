import { fromThen } from '../../lib/regeneration.ts';
import { Layout } from './layout.tsx';

interface Access {
  platformId: string;
  platformName: string;
  connectedAt: number;
  lastUsedAt: number;
}

interface Me {
  email: string;
  status: 'connected' | 'needs_reauthorization' | 'disconnected';
  platforms: Access[];
  maskedKey: string | undefined;
  /** Set while no new key can be made. */
  newKeyAt: number | undefined;
  csrf: string;
}

const dateOf = (instant: number) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(instant);

/** A person's own page: who has access to their calendar, their key, and what is held about them. */
export function MePage({ email, status, platforms, maskedKey, newKeyAt, csrf }: Me) {
  return (
    <Layout title="Your page">
      <p>
        You are signed in as <strong>{email}</strong>.
      </p>
      <h2>Who has access to your calendar</h2>
      {platforms.length === 0 ? (
        <p>No platform has access to your calendar.</p>
      ) : (
        <ul>
          {platforms.map(({ platformId, platformName, connectedAt, lastUsedAt }) => (
            <li>
              <strong>{platformName}</strong>, since {dateOf(connectedAt)}, last used on {dateOf(lastUsedAt)}
              <PostForm action="/me/disconnect" csrf={csrf} platform_id={platformId}>
                Disconnect {platformName}
              </PostForm>
            </li>
          ))}
        </ul>
      )}
      {status === 'needs_reauthorization' ? (
        <p>
          Google does not let Tandem read your calendar at the moment. Signing in here again renews the access of the
          platforms above; after seven days without it they lose it.
        </p>
      ) : null}
      {platforms.length === 0 ? null : (
        <p>Disconnecting one platform leaves the others as they are. Meetings stay on your calendar.</p>
      )}
      <h2>API key</h2>
      <p>
        {maskedKey === undefined ? 'You have no key yet.' : <code>{maskedKey}</code>}
        {maskedKey === undefined ? '' : ' stops working as soon as you make a new one.'}
      </p>
      {newKeyAt === undefined ? (
        <PostForm action="/me/api-key" csrf={csrf}>
          Make a new key
        </PostForm>
      ) : (
        <p>You can make another {fromThen(newKeyAt)}.</p>
      )}
      <h2>Your data</h2>
      <p>
        <a href="/me/export">Download everything Tandem holds about you</a>, or{' '}
        <a href="/me/delete">delete yourself from Tandem</a>.
      </p>
    </Layout>
  );
}

/** A button that changes something, and whatever it must say. */
function PostForm({
  action,
  children,
  ...fields
}: {
  action: string;
  children: unknown;
  csrf: string;
  platform_id?: string;
}) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit">{children}</button>
    </form>
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

/** What a person reads before they are deleted. */
export function DeletePage({ email, csrf }: { email: string; csrf: string }) {
  return (
    <Layout title="Delete yourself from Tandem?">
      <p>
        For <strong>{email}</strong>, this cannot be undone:
      </p>
      <ul>
        <li>No platform has access to your calendar any more, and each is told so.</li>
        <li>Your API key, your preferences and everything Tandem learned about you are deleted.</li>
        <li>
          Meetings are not cancelled. They stay on the calendars, and in the records of the platforms that made them,
          where “a former user” takes the place of your name and address.
        </li>
      </ul>
      <PostForm action="/me/delete" csrf={csrf}>
        Delete me
      </PostForm>
      <p>
        <a href="/me">Go back</a>, or <a href="/me/export">download everything first</a>.
      </p>
    </Layout>
  );
}

/** Where a person who was deleted is left. */
export function DeletedPage() {
  return (
    <Layout title="Your data is deleted">
      <p>
        No platform has access to your calendar any more. Your key, your preferences and what Tandem learned about you
        are gone. Meetings stay on the calendars they stand on.
      </p>
      <p>You can close this page.</p>
    </Layout>
  );
}

/** Where a person without a session says who they are. */
export function SignInPage() {
  return (
    <Layout title="Sign in first">
      <p>Your page opens once you have signed in with the Google account of your calendar.</p>
      <form method="get" action="/oauth/login">
        <label>
          E-mail address <input type="email" name="user_id" required autocomplete="email" />
        </label>
        <button type="submit">Continue to Google</button>
      </form>
    </Layout>
  );
}
