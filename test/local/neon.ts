import pg from 'pg';
import type { Backend, RawResult } from './neon/backend.ts';
import { errorResponse, RefusedRequest } from './neon/errors.ts';
import { openPglite, type PgliteOptions } from './neon/pglite.ts';
import { openPostgres } from './neon/postgres.ts';
import { beginStatement, type Query, readSqlRequest } from './neon/request.ts';
import { toText } from './neon/text.ts';
import type { StandIn } from './stand-in.ts';

export { createDatabase, dropDatabase } from './neon/databases.ts';

const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const BATCH_HEADERS = ['neon-batch-isolation-level', 'neon-batch-read-only', 'neon-batch-deferrable'];
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': '*',
};

export interface Neon extends StandIn {
  /** Applies a folder of drizzle migrations. Running it twice is harmless. */
  migrate(folder: string): Promise<void>;
  /** Queries the database directly, without counting and faults. Returns one object per row. */
  query(sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Callback with the body of each request, before its statements run. */
  onRequest: (bodyText: string) => void;
}

export interface NeonOptions extends PgliteOptions {
  postgresUrl?: string;
}

/**
 * Creates the stand-in for Neon's SQL over HTTP. It uses PGlite, in `dataDir` or in memory, or the real Postgres at
 * `postgresUrl`.
 */
export async function createNeon({ postgresUrl, ...options }: NeonOptions): Promise<Neon> {
  const backend = postgresUrl === undefined ? await openPglite(options) : openPostgres(postgresUrl);
  const neon: Neon = {
    fetch: (request) => answer(backend, request, (text) => neon.onRequest(text)).catch(errorResponse),
    onRequest: () => undefined,
    migrate: (folder) => backend.migrate(folder),
    query: async (sql, params = []) => objects(await backend.session((execute) => execute(sql, params.map(toText)))),
    close: () => backend.close(),
  };
  return neon;
}

async function answer(backend: Backend, request: Request, onText: (text: string) => void): Promise<Response> {
  if (new URL(request.url).pathname !== '/sql') throw new RefusedRequest('query is not supported');
  if (request.method === 'OPTIONS') return new Response(null, { headers: CORS });
  if (request.method !== 'POST') throw new RefusedRequest('query is not supported');
  const body = await readSqlRequest(request, onText);
  if (!('queries' in body)) {
    const result = await backend.session((execute) => execute(body.query, body.params.map(toText)));
    return json(wire(result), {});
  }
  const results = await runBatch(backend, body.queries, beginStatement(request.headers));
  const asked = BATCH_HEADERS.flatMap((name) => {
    const value = request.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return json({ results: results.map(wire) }, Object.fromEntries(asked));
}

function runBatch(backend: Backend, queries: Query[], begin: string): Promise<RawResult[]> {
  return backend.session(async (_, executeAll) => {
    const statements = queries.map(({ query, params }) => ({ sql: query, params: params.map(toText) }));
    const results = await executeAll([{ sql: begin }, ...statements, { sql: 'COMMIT' }]);
    return results.slice(1, -1);
  });
}

function wire({ fields, rows, tag }: RawResult) {
  const words = tag.split(' ');
  const count = words.at(-1) ?? '';
  return {
    fields: fields.map((field) => ({
      name: field.name,
      dataTypeID: field.dataTypeID,
      tableID: field.tableID,
      columnID: field.columnID,
      dataTypeSize: field.dataTypeSize,
      dataTypeModifier: field.dataTypeModifier,
      format: 'text',
    })),
    rows,
    command: words[0] ?? '',
    rowCount: /^\d+$/.test(count) ? Number(count) : null,
    rowAsArray: true,
  };
}

function json(body: unknown, headers: Record<string, string>): Response {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) {
    throw new RefusedRequest('response is too large (max is 10485760 bytes)', 507);
  }
  return new Response(text, { headers: { ...headers, 'content-type': 'application/json' } });
}

function objects({ fields, rows }: RawResult): Record<string, unknown>[] {
  const parsers = fields.map((field) => pg.types.getTypeParser(field.dataTypeID, 'text'));
  return rows.map((row) =>
    Object.fromEntries(
      fields.map((field, at) => {
        const cell = row[at] ?? null;
        return [field.name, cell === null ? null : parsers[at]?.(cell)];
      }),
    ),
  );
}
