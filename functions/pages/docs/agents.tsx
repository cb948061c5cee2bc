import { AGENT_DAYS, MOST_AGENTS } from '../../../lib/people/agents/tokens.ts';
import { TOOLS } from '../../../lib/tools/tools.ts';
import { Table } from '../components.tsx';
import { AGENT_CONFIGS } from './agent-configs.ts';
import { Block } from './call.tsx';
import { DocsPage } from './frame.tsx';
import { Prose, Words } from './words.tsx';

const TOOLS_OF_PERSON = TOOLS.flatMap(({ name, for: kind }) => (kind === 'platform' ? [] : [`\`${name}\``])).join(', ');

/** The page about the tools for AI agents. */
export function AgentsPage({ baseUrl }: { baseUrl: string }) {
  return (
    <DocsPage path="/docs/agents">
      <p>
        An AI agent can use Tandem through the Model Context Protocol (MCP), with which agents call tools. The address
        of Tandem's MCP server is <code>{`${baseUrl}/mcp`}</code>. With a platform's secret key (<code>sk_live_…</code>
        ), the tools act for everyone who is connected to the platform. With a person's own key (<code>sk_user_…</code>
        ), which the person creates on <code>/me</code>, the tools act for that person alone. An agent sees only the
        tools that its key can use.
      </p>
      {AGENT_CONFIGS.map(({ agent, where, config }) => (
        <>
          <h2>{agent}</h2>
          <p>
            <Words>{where}</Words>
          </p>
          <Block>{JSON.stringify(config(`${baseUrl}/mcp`), null, 2)}</Block>
        </>
      ))}
      <h2>ChatGPT and Claude, without a key</h2>
      <Prose>{`
        A person can add Tandem to ChatGPT or Claude with an address alone. ChatGPT and Claude call such an addition a
        connector or an app. In ChatGPT, open Settings, Apps, Advanced settings, turn on the developer mode, and choose
        Create app. In Claude, open Settings, Connectors, and choose Add custom connector. Both products rename these
        menus now and then. Paste this address, and choose OAuth if you are asked for the kind of authentication:
      `}</Prose>
      <Block>{`${baseUrl}/mcp`}</Block>
      <Prose>{`
        - The connector opens a page of Tandem's. On this page, the person signs in with Google. The person needs an
        account at Tandem, which a person has once they have connected a calendar to any platform.
        - The page asks “Let … act for you?”, with the host of the connector, such as \`chatgpt.com\`, and the email
        address of the person. The person chooses Allow or Refuse.
        - The connector then has the tools of a person: ${TOOLS_OF_PERSON}. Such a connector cannot book, move or cancel a
        meeting.
        - The access of a connector ends after ${AGENT_DAYS} days, or as soon as the person ends it on \`/me\`. Tandem issues no
        refresh token. When the access has ended, the connector gets 401 and asks the person to sign in again.
        - A person can allow at most ${MOST_AGENTS} agents. When the person allows a further agent, the agent that was allowed first loses
        its access.
      `}</Prose>
      <h2>Build an agent that signs in</h2>
      <Prose>{`
        Tandem's authorization server follows the MCP specification. Your agent finds it through the 401 of \`/mcp\`. The
        \`client_id\` of your agent is the HTTPS URL of a client ID metadata document, which your server publishes. Tandem
        registers no clients and takes no client secret. Use the authorization code grant with PKCE and \`S256\`. The
        access token works on \`/mcp\` alone, for ${AGENT_DAYS} days. Tandem issues no refresh token, so send the person to the
        authorization page again when the token has expired.
      `}</Prose>
      <h2>Tools</h2>
      <Table
        head={['Tool', 'Key', 'What it does']}
        rows={TOOLS.map(({ name, for: kind, title, description, hints }) => [
          <code>{name}</code>,
          <code>{kind === 'platform' ? 'sk_live_…' : 'sk_user_…'}</code>,
          <Words>{`${title}. ${description}${hints.readOnly ? ' Changes nothing.' : ''}`}</Words>,
        ])}
      />
      <h2>How it stays safe</h2>
      <ul>
        <li>
          Every tool that changes something accepts the argument <code>"preview": true</code>. A preview changes
          nothing. The result of a preview describes what the tool would do, and has a <code>confirm_token</code>. To
          make the previewed change, the agent calls the tool again within 10 minutes, with the same arguments and the{' '}
          <code>confirm_token</code>. A <code>confirm_token</code> works once. In MCP, some agents can show their user a
          form (“elicitation”). An agent that can show a form gets no <code>confirm_token</code>: Tandem sends the agent
          a question for its user, and makes the previewed change only if the user agrees.
        </li>
        <li>
          If a tool chooses the times itself, the preview shows the times that the tool chose. The confirmed call uses
          exactly the times that the preview showed, or is refused: <code>schedule_auto</code> books the time that was
          shown, <code>reschedule_meeting</code> moves the meeting to the time that was shown, and{' '}
          <code>propose_times</code> holds all times that were shown, or none.
        </li>
        <li>
          Every result of a tool gives each time in UTC and on each person's clock, with the offset, the name of the
          time zone and the weekday. Tandem's tools refuse a time without an offset. If a tool refuses a time without an
          offset, the error message lists the times that the agent may have meant, one for each person's clock.
        </li>
        <li>
          Of the events that Tandem did not book, agents see only when a person is busy: no titles, descriptions or
          guests. So no text that a stranger writes into a person's calendar reaches a language model through Tandem.
        </li>
        <li>
          The limits of requests per minute and of meetings per month, <a href="/docs/idempotency">idempotency keys</a>{' '}
          and <a href="/docs/errors">error codes</a> are the same for agents as for all other users of the API.
        </li>
      </ul>
    </DocsPage>
  );
}
