interface AgentConfig {
  agent: string;
  /** Where the configuration belongs, as text for `Words`. */
  where: string;
  config: (url: string) => object;
}

/** Configurations with which AI agents reach the MCP server by an API key, in the format of each agent. */
export const AGENT_CONFIGS: readonly AgentConfig[] = [
  {
    agent: 'Claude Code',
    where:
      'Put this into `.mcp.json` in your project. Claude Code reads the key from the environment variable `TANDEM_API_KEY`.',
    config: (url) => ({
      mcpServers: { tandem: { type: 'http', url, headers: { Authorization: `Bearer \${TANDEM_API_KEY}` } } },
    }),
  },
  {
    agent: 'Claude Desktop',
    where:
      'Open Settings, Developer, Edit Config, and put this into `claude_desktop_config.json`. Claude Desktop cannot send an `Authorization` header, so the program `mcp-remote` sends the key. It needs Node.js. Restart Claude Desktop.',
    config: (url) => ({
      mcpServers: {
        tandem: {
          command: 'npx',
          args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${TANDEM_AUTHORIZATION}`],
          env: { TANDEM_AUTHORIZATION: 'Bearer sk_user_…' },
        },
      },
    }),
  },
  {
    agent: 'Cursor',
    where:
      'Put this into `.cursor/mcp.json` in your project, or into `~/.cursor/mcp.json` for all projects. Cursor reads the key from the environment variable `TANDEM_API_KEY`.',
    config: (url) => ({
      mcpServers: { tandem: { url, headers: { Authorization: `Bearer \${env:TANDEM_API_KEY}` } } },
    }),
  },
  {
    agent: 'ChatGPT models',
    where:
      "With OpenAI's Responses API, put this into the `tools` of a request. The setting `require_approval` stops the response before each call of a tool, until your code approves or refuses the call.",
    config: (url) => ({
      type: 'mcp',
      server_label: 'tandem',
      server_url: url,
      headers: { Authorization: 'Bearer sk_live_…' },
      require_approval: 'always',
    }),
  },
];
