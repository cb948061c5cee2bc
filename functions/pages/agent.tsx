import type { Agent } from '../../lib/people/agents/client-document.ts';
import { AGENT_DAYS } from '../../lib/people/agents/tokens.ts';
import { quotedWords } from '../../lib/words/people.ts';
import { HiddenFields, Mark, Notice } from './components.tsx';
import { Layout } from './layout.tsx';

interface AgentConsent {
  agent: Pick<Agent, 'host' | 'path' | 'name'>;
  email: string;
  redirectUri: string;
  fields: Record<string, string>;
}

/** Asks a person whether an agent may act for them. It names the agent by its host, which nobody can make up. */
export function AgentConsentPage({ agent: { host, path, name }, email, redirectUri, fields }: AgentConsent) {
  const to = new URL(redirectUri);
  return (
    <Layout title={`Let ${host} act for you?`} width="card">
      <p>
        <strong>{host}</strong> <bdi>{path}</bdi>,{' '}
        {name === '' ? (
          'which gives itself no name,'
        ) : (
          <>
            which calls itself <bdi>{quotedWords(name)}</bdi>,
          </>
        )}{' '}
        asks for access to your Tandem account <strong>{email}</strong>.
        {name === '' ? null : ' Tandem has not checked that name.'}
      </p>
      <h2>What it can do</h2>
      <ul>
        <li>See when you are free</li>
        <li>See your meetings on all platforms, with their titles and guests</li>
        <li>Change your work hours and your other preferences</li>
      </ul>
      <h2>What it cannot do</h2>
      <ul>
        <li>See what else is on your calendar</li>
        <li>Book, move or cancel meetings</li>
        <li>Create API keys, disconnect calendars or delete your account</li>
      </ul>
      <p>
        The access ends after {AGENT_DAYS} days. You can end it at any time on <a href="/me#agents">your Tandem page</a>
        .
      </p>
      {to.protocol === 'http:' && (
        <Notice kind="warn" title="A program on this computer gets the access">
          <p>Allow it only if you have just started that program yourself.</p>
        </Notice>
      )}
      {to.protocol !== 'http:' && to.hostname !== host && (
        <Notice kind="warn" title={`The access goes to ${to.hostname}`}>
          <p>
            That is another site than <strong>{host}</strong>. Allow it only if you know both.
          </p>
        </Notice>
      )}
      <p>
        When you decide, you go back to <strong>{to.host}</strong>.
      </p>
      <form method="post" action="/oauth/agent">
        <HiddenFields fields={fields} />
        <div class="actions">
          <button type="submit" name="decision" value="allow">
            Allow
          </button>
          <button type="submit" name="decision" value="refuse" class="quiet">
            Refuse
          </button>
        </div>
      </form>
    </Layout>
  );
}

/** Says what is wrong with an agent's request. The person can only go back, because the fault is the agent's. */
export const AgentRefusedPage = ({
  host,
  wrong,
  backTo,
}: {
  host?: string | undefined;
  wrong: string;
  backTo?: string | undefined;
}) => (
  <Layout title="This request does not work" width="card" mark={<Mark kind="warn" />}>
    <p>
      {host === undefined ? 'An agent' : <strong>{host}</strong>} asked for access to your Tandem account, but its
      request is not correct. It got no access. This is not your fault.
    </p>
    <p>Whoever made the agent can use this line:</p>
    <p>
      <code>{wrong}</code>
    </p>
    {backTo === undefined ? null : (
      <p>
        <a class="button" href={backTo} rel="noreferrer">
          Go back to {new URL(backTo).host}
        </a>
      </p>
    )}
  </Layout>
);

/** Says that the form with which an agent is let in was sent too late, twice, or without a session. */
export const StaleAgentPage = () => (
  <Layout title="This page has expired" width="card" mark={<Mark kind="info" />}>
    <p>You already decided, or the page was open for more than ten minutes, or you signed out since.</p>
    <p>Go back to the agent and connect it again.</p>
  </Layout>
);
