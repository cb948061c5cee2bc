import { TOOLS } from '../../../lib/tools/tools.ts';
import { Sample, Table } from '../components.tsx';
import { DocsPage, Words } from './frame.tsx';

/** The page about the tools for AI agents. */
export function AgentsPage({ baseUrl }: { baseUrl: string }) {
  return (
    <DocsPage path="/docs/agents">
      <p>
        An AI agent can use Tandem through the Model Context Protocol (MCP), with which agents call tools. The address
        is <code>{`${baseUrl}/mcp`}</code>. With a platform's secret key (<code>sk_live_…</code>), the tools act for
        everyone who is connected to the platform. With a person's own key (<code>sk_user_…</code>), which the person
        creates on <code>/me</code>, the tools act for that person alone. An agent sees only the tools that its key can
        use. Most agents take a configuration like this:
      </p>
      <Sample>
        {JSON.stringify(
          {
            mcpServers: {
              tandem: { type: 'http', url: `${baseUrl}/mcp`, headers: { Authorization: 'Bearer sk_live_…' } },
            },
          },
          null,
          2,
        )}
      </Sample>
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
          nothing. Its result describes what the tool would do, and has a <code>confirm_token</code>. To carry the
          preview out, the agent calls the tool again within 10 minutes, with the same arguments and the token. The
          token works once. In MCP, some agents can show their user a form (“elicitation”). Such an agent gets no token:
          Tandem sends it the question whether to go ahead, and carries the preview out only if the user agrees.
        </li>
        <li>
          Every result gives each time in UTC and on each person's clock, with the offset, the name of the time zone and
          the weekday. Tandem refuses a time without an offset. The error message then lists the times that the agent
          may have meant, one for each person's clock.
        </li>
        <li>
          Of other events in a calendar, agents see only that a person is busy: no titles, descriptions or guests. So no
          text that a stranger writes into a person's calendar reaches a language model through Tandem.
        </li>
        <li>
          The limits of requests per minute and of meetings per month, <a href="/docs/idempotency">idempotency keys</a>{' '}
          and <a href="/docs/errors">error codes</a> are those of the API.
        </li>
      </ul>
    </DocsPage>
  );
}
