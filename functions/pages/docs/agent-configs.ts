import { placeOf } from '../placeholders.ts';

const url = `${placeOf('BASE_URL')}/mcp`;

/** Configurations with which AI agents reach the MCP server by an API key, in the format of each agent. */
export const AGENT_CONFIGS: Readonly<Record<string, object>> = {
  'Claude Code': {
    mcpServers: { tandem: { type: 'http', url, headers: { Authorization: `Bearer \${TANDEM_API_KEY}` } } },
  },
  'Claude Desktop': {
    mcpServers: {
      tandem: {
        command: 'npx',
        args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${TANDEM_AUTHORIZATION}`],
        env: { TANDEM_AUTHORIZATION: 'Bearer sk_user_…' },
      },
    },
  },
  Cursor: {
    mcpServers: { tandem: { url, headers: { Authorization: `Bearer \${env:TANDEM_API_KEY}` } } },
  },
  'ChatGPT models': {
    type: 'mcp',
    server_label: 'tandem',
    server_url: url,
    headers: { Authorization: 'Bearer sk_live_…' },
    require_approval: 'always',
  },
};
