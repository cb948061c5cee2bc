import { ERROR_HELP } from '../../../schema/api/error-help.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { placeOf } from '../prerendered.ts';
import { fenced, withCalls } from './call.ts';
import { tablesOf } from './tables.ts';
import { VALUES } from './values.ts';

/** Resolves all but names in capitals, which stay for the Worker to fill in. Throws for an unknown name. */
export function createResolver(document: OpenapiDocument) {
  const tables = tablesOf(document);
  const blocks: Record<string, (given: string) => string | undefined> = {
    table: (name) => tables[name],
    errors: (given) => errorsOf(given.split(' ')),
    config: (agent) => AGENT_CONFIGS[agent] && fenced([['json', JSON.stringify(AGENT_CONFIGS[agent], null, 2)]]),
  };
  return (name: string, markdown: string): string =>
    withCalls(markdown)
      .replaceAll(/^\{\{(?!figure )([a-z]+) ([^}]+)\}\}$/gm, (whole, kind: string, given: string) => {
        const block = blocks[kind]?.(given);
        if (block === undefined) throw new Error(`${name}: nothing is known of ${whole}`);
        return block;
      })
      .replaceAll(/\{\{([a-z]\w*)\}\}/g, (whole, value: string) => {
        const text = VALUES[value];
        if (text === undefined) throw new Error(`${name}: nothing is known of ${whole}`);
        return text;
      });
}

function errorsOf(names: readonly string[]): string | undefined {
  const codes = names.flatMap((name) =>
    ERROR_CODES.filter((code) => code === name || String(ERRORS[code].status) === name),
  );
  return codes.length < names.length ? undefined : codes.map(errorOf).join('\n\n');
}

const errorOf = (code: ErrorCode) =>
  `### \`${code}\`\n\n**${ERRORS[code].status}** ${ERROR_HELP[code].replace('contact us', '{{contact}}')}`;

const url = `${placeOf('BASE_URL')}/mcp`;

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
