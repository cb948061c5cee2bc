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
        Copy it now: it is not shown again. Keep it as you keep a password; who has it can read and change your
        preferences, and delete you from Tandem.
      </p>
      <p>
        <a href="/me#key">Back to your page</a>
      </p>
    </>
  );
}

/** What a person reads before they are deleted. */
export function DeletePage({ email, csrf }: { email: string; csrf: string }) {
  return (
    <>
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
      <p>
        You may want to <a href="/me/export">download everything first</a>.
      </p>
      <div class="actions">
        <PostForm action="/me/delete" csrf={csrf} kind="danger">
          Delete me
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
      gone. Meetings stay on the calendars they stand on.
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
    <p>Nothing of your pages is open in this browser any more. Who has access to your calendar stays as it was.</p>
    <p>
      <a href="/me">Sign in again</a>
    </p>
  </Layout>
);
