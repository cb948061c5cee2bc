import { Mark, PostForm } from '../components.tsx';
import { Layout } from '../layout.tsx';

/** The only page that ever shows a user's key. */
export function NewKey({ apiKey }: { apiKey: string }) {
  return (
    <>
      <p>
        <code id="api-key">{apiKey}</code>
      </p>
      <p>
        Copy it now: it is not shown again. Keep it safe like a password: whoever has it can read and change your
        preferences, and delete your account.
      </p>
      <p>
        <a href="/me#key">Back to your page</a>
      </p>
    </>
  );
}

/** What a person reads before a platform loses its access. */
export function DisconnectPage({ platformId, platformName, csrf }: Disconnected) {
  return (
    <>
      <ul>
        <li>
          <bdi>{platformName}</bdi> loses access to your calendar at once and is told so. To come back, it has to ask
          you again.
        </li>
        <li>Meetings it made stay on your calendar.</li>
        <li>Other platforms keep the access they have.</li>
      </ul>
      <div class="actions">
        <PostForm action="/me/disconnect" csrf={csrf} fields={{ platform_id: platformId }} kind="danger">
          Disconnect
        </PostForm>
        <a href="/me">Keep it connected</a>
      </div>
    </>
  );
}

interface Disconnected {
  platformId: string;
  platformName: string;
  csrf: string;
}

/** What a person reads before they are deleted. */
export function DeletePage({ email, csrf }: { email: string; csrf: string }) {
  return (
    <>
      <p>
        This deletes <strong>{email}</strong> from Tandem for good:
      </p>
      <ul>
        <li>All platforms lose access to your calendar and are told so.</li>
        <li>Your API key, your preferences and everything Tandem learned about you will be deleted.</li>
        <li>
          Your meetings are not cancelled. They stay on the calendars, and in the records of the platforms that made
          them, where “a former user” takes the place of your name and address.
        </li>
      </ul>
      <p>
        You may want to <a href="/me/export">download everything first</a>.
      </p>
      <div class="actions">
        <PostForm action="/me/delete" csrf={csrf} kind="danger">
          Delete my account
        </PostForm>
        <a href="/me">Keep everything as it is</a>
      </div>
    </>
  );
}

/** Where a person who was deleted is left. */
export const DeletedPage = () => (
  <Layout title="Your data is deleted" width="card" mark={<Mark kind="ok" />}>
    <p>
      No platform has access to your calendar any more. Your key, your preferences and what Tandem learned about you are
      gone. Meetings stay on the calendars.
    </p>
    <p>You can close this page.</p>
  </Layout>
);

/** Where a person without a session says who they are. */
export const SignInPage = () => (
  <Layout title="Sign in first" width="card">
    <p>Your page opens once you have signed in with the Google account of your calendar. A sign-in lasts an hour.</p>
    <form method="get" action="/oauth/login">
      <div class="field">
        <label for="user_id">E-mail address of that account</label>
        <input id="user_id" type="email" name="user_id" required autocomplete="email" />
      </div>
      <button type="submit">Continue to Google</button>
    </form>
  </Layout>
);

/** Where a person who signed out is left. */
export const SignedOutPage = () => (
  <Layout title="You are signed out" width="card" mark={<Mark kind="ok" />}>
    <p>
      Your pages are closed in this browser. Platforms keep the access they had. On a shared computer, sign out of
      Google too.
    </p>
    <p>
      <a class="button" href="/me">
        Sign in again
      </a>
    </p>
  </Layout>
);
