import pg from 'pg';
import * as z from 'zod';
import { type Backend, openPglite, type PgliteOptions, type RawResult } from './neon/pglite.ts';
import { openPostgres } from './neon/postgres.ts';
import type { StandIn } from './targets.ts';

/** Largest request and largest answer that Neon's proxy takes. */
const MAX_BYTES = 10 * 1024 * 1024;
export interface Neon extends StandIn {
  /** Applies a folder of drizzle migrations. Running it twice is harmless. */
  migrate(folder: string): Promise<void>;
  /** Queries the database directly, without counting and faults. Returns one object per row. */
  query(sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  onRequest: (bodyText: string) => void;
}

export interface NeonOptions extends PgliteOptions {
  postgresUrl?: string | undefined;
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
    migrate: backend.migrate,
    query: async (query, params = []) => objects(await runOne(backend, { query, params })),
    close: backend.close,
  };
  return neon;
}

async function answer(backend: Backend, request: Request, onText: (text: string) => void): Promise<Response> {
  const body = await readSqlRequest(request, onText);
  if (!('queries' in body)) return json(wire(await runOne(backend, body)));
  return json({ results: (await runBatch(backend, body.queries)).map(wire) });
}

const statementOf = ({ query, params }: Query) => ({ sql: query, params: params.map(toText) });

async function runOne(backend: Backend, query: Query): Promise<RawResult> {
  const [result] = await backend.session((execute) => execute([statementOf(query)]));
  if (result === undefined) throw new Error('The database answered a statement without a result.');
  return result;
}

async function runBatch(backend: Backend, queries: Query[]): Promise<RawResult[]> {
  const statements = [{ sql: 'BEGIN' }, ...queries.map(statementOf), { sql: 'COMMIT' }];
  return (await backend.session((execute) => execute(statements))).slice(1, -1);
}

function wire({ fields, rows, tag }: RawResult) {
  const words = tag.split(' ');
  const count = words.at(-1) ?? '';
  return {
    fields: fields.map((field) => ({ ...field, format: 'text' })),
    rows,
    command: words[0] ?? '',
    rowCount: /^\d+$/.test(count) ? Number(count) : null,
    rowAsArray: true,
  };
}

function json(body: unknown): Response {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new RefusedRequest('response is too large (max is 10485760 bytes)', 507);
  }
  return new Response(text, { headers: { 'content-type': 'application/json' } });
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

export async function createDatabase(adminUrl: string, name: string): Promise<string> {
  await asAdmin(adminUrl, `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

async function asAdmin(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const Query = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) });
const SqlRequest = z.union([z.object({ queries: z.array(Query) }), Query]);
export type Query = z.infer<typeof Query>;
export const Statements = SqlRequest.transform((sent) => ('queries' in sent ? sent.queries : [sent]));

/** Reads a `POST /sql` body: one query or a batch. */
async function readSqlRequest(request: Request, onText: (text: string) => void): Promise<z.infer<typeof SqlRequest>> {
  checkConnectionString(request.headers.get('neon-connection-string'));
  const text = await request.text();
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new RefusedRequest('request is too large (max is 10485760 bytes)', 413);
  }
  const parsed = SqlRequest.safeParse(parseJson(text));
  if (!parsed.success) throw new RefusedRequest('could not parse the HTTP request body');
  onText(text);
  return parsed.data;
}

function checkConnectionString(value: string | null) {
  if (value === null || !URL.canParse(value)) throw new RefusedRequest('invalid connection string');
  const { protocol, username, hostname, pathname } = new URL(value);
  const wellFormed = /^postgres(ql)?:$/.test(protocol) && username !== '' && hostname !== '' && pathname.length > 1;
  if (!wellFormed) throw new RefusedRequest('invalid connection string');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedRequest('could not parse the HTTP request body');
  }
}

const FIELDS = [
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'severity',
  'where',
  'table',
  'column',
  'schema',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const;

/** Request that the proxy itself refuses before it asks the database. */
class RefusedRequest extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** Returns Postgres' error as HTTP 400 with all its fields, and a lost or unreachable database as 500. */
function errorResponse(error: unknown): Response {
  if (error instanceof RefusedRequest) return refusal(error.message, error.status);
  if (!(error instanceof Error)) return refusal(String(error), 500);
  if (!('severity' in error) || typeof error.severity !== 'string') return refusal(error.message, 500);
  const said: Record<string, unknown> = { ...error };
  const fields = FIELDS.map((field) => [field, said[field] ?? null]);
  return Response.json({ message: error.message, ...Object.fromEntries(fields) }, { status: 400 });
}

function refusal(message: string, status: number): Response {
  return Response.json({ message, code: null }, { status });
}

/** Converts a JSON parameter to the text that Postgres reads, as Neon's proxy does. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function arrayLiteral(values: unknown[]): string {
  return `{${values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : element(value))).join(',')}}`;
}

function element(value: unknown): string {
  const text = toText(value);
  if (text === null) return 'NULL';
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
