import { STAYS } from '../../../lib/kit/kept-for.ts';
import { HiddenFields, InputField, LinkLine, PostForm } from '../components.tsx';
import { Layout, MessagePage } from '../layout.tsx';

export function NewKey({ apiKey }: { apiKey: string }) {
  return (
    <>
      <p>
        <code id="api-key">{apiKey}</code>
      </p>
      <p>
        Copy it now. It is not shown again. Keep it as safe as a password: anyone who has it can read and change your
        preferences, and delete your account.
      </p>
      <LinkLine to="/me#key">Back to your page</LinkLine>
    </>
  );
}

type Access = { platformId: string; platformName: string; connectedAt: number };

export function DisconnectPage({ platformId, platformName, connectedAt }: Access) {
  return (
    <>
      <ul>
        <li>
          <bdi>{platformName}</bdi> loses access to your calendar at once and is notified. To get access again, the
          platform has to ask you.
        </li>
        <li>Meetings that this platform made stay on your calendar.</li>
        <li>Other platforms keep the access they have.</li>
      </ul>
      <div class="actions">
        <PostForm
          action="/me/disconnect"
          fields={{ platform_id: platformId, connected_at: String(connectedAt) }}
          kind="danger"
        >
          Disconnect
        </PostForm>
        <a href="/me">Keep it connected</a>
      </div>
    </>
  );
}

export function DeletePage({ email }: { email: string }) {
  return (
    <>
      <p>
        This deletes <strong>{email}</strong> from Tandem for good:
      </p>
      <ul>
        <li>All platforms lose access to your calendar and are notified.</li>
        <li>Your API key, your preferences and everything Tandem learned about you are deleted.</li>
        <li>Your meetings are not cancelled.</li>
      </ul>
      <Stays />
      <p>
        You may want to <a href="/me/export">download everything first</a>.
      </p>
      <div class="actions">
        <PostForm action="/me/delete" kind="danger">
          Delete my account
        </PostForm>
        <a href="/me">Keep everything as it is</a>
      </div>
    </>
  );
}

const Stays = () => (
  <>
    <h2>What stays</h2>
    <ul>
      {STAYS.map(({ what, kept }) => (
        <li>
          {what}: {kept}
        </li>
      ))}
    </ul>
  </>
);

export const DeletedPage = () => (
  <MessagePage title="Your account is deleted" kind="ok">
    <p>
      No platform has access to your calendar anymore. Your key, your preferences and what Tandem learned about you are
      gone. You can close this page.
    </p>
    <Stays />
  </MessagePage>
);

/** `agent` is the query of an agent's request, on which the person then decides, `to` the page that they asked for. */
export const SignInPage = ({ agent, to }: { agent?: string; to?: string | undefined }) => (
  <Layout title="Sign in" width="card">
    <p>
      {agent === undefined ? 'To open your page,' : 'An agent asks to act for you. To see what it asks for,'} sign in
      with the Google account of your calendar. You stay signed in for an hour.
    </p>
    <form method="get" action="/oauth/login">
      <HiddenFields fields={{ agent, to }} />
      <InputField id="user_id" label="Email address of that account" type="email" required autocomplete="email" />
      <button type="submit">Continue to Google</button>
    </form>
  </Layout>
);

export const SignedOutPage = ({ everywhere }: { everywhere: boolean }) => (
  <MessagePage title="You are signed out" kind="ok" next={{ path: '/me', title: 'Sign in again' }}>
    <p>
      Your pages are closed in {everywhere ? 'every' : 'this'} browser. On a shared computer, sign out of Google too.
    </p>
    <p>
      Platforms, agents and your API key keep their access.
      {everywhere ? (
        <>
          {' '}
          If somebody else was signed in, look for <a href="/me#agents">agents</a> that you did not let in and for{' '}
          <a href="/me#key">a key</a> that you did not create, and revoke them.
        </>
      ) : null}
    </p>
  </MessagePage>
);
