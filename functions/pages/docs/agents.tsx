import { TOOLS } from '../../../lib/tools/tools.ts';
import { Sample, Table } from '../components.tsx';
import { DocsPage, Words } from './frame.tsx';

/** The tools for AI agents. */
export function AgentsPage({ baseUrl }: { baseUrl: string }) {
  return (
    <DocsPage path="/docs/agents">
      <p>
        <code>{`${baseUrl}/mcp`}</code> is the same API as tools, by the Model Context Protocol. With a platform's
        secret key the tools act for the platform's people, with a person's own key (<code>sk_user_…</code>) for that
        person alone; a key sees only its tools.
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
          <Words>{`${title}. ${description}${hints.readOnly ? ' It changes nothing.' : ''}`}</Words>,
        ])}
      />
      <h2>How it stays safe</h2>
      <ul>
        <li>
          With <code>"preview": true</code> a tool that changes something does nothing yet: it says what would happen
          and gives a <code>confirm_token</code>. The same arguments with it within ten minutes do exactly that, once. A
          client that can ask its user gets the question instead.
        </li>
        <li>
          Every time is told in UTC and on each person's clock, with offset, zone and weekday. A time without an offset
          is refused, with the times that may be meant.
        </li>
        <li>
          Of a calendar nothing is told except when somebody is busy: no titles, no descriptions, no guests. What a
          stranger writes into a calendar never reaches a model through Tandem.
        </li>
        <li>
          Limits, quota, <a href="/docs/idempotency">idempotency</a> and refusals work as in the API.
        </li>
      </ul>
    </DocsPage>
  );
}
