import { InternalError } from '../lib/errors.ts';
import type { Log } from '../lib/ports.ts';

const SECRET =
  /(?:sk|pk)_(?:live|user)_[\w-]+|whsec_[\w+/=-]+|Bearer\s+[\w.~+/-]+=*|ya29\.[\w.-]+|postgres(?:ql)?:\/\/\S+|eyJ[\w-]{8,}(?:\.[\w-]+)*/g;

/** Text without keys, tokens and connection strings. */
export const redact = (text: string) => text.replace(SECRET, '[redacted]');

/** One JSON line per call; an error is written as its facts, strings are redacted. */
export function createLog(requestId: string): Log {
  return (level, message, fields = {}) => {
    const shown = Object.entries(fields).map(([name, value]) => [name, name === 'error' ? factsOf(value) : value]);
    const line = redact(JSON.stringify({ level, message, request_id: requestId, ...Object.fromEntries(shown) }));
    if (level === 'error') console.error(line);
    else console.log(line);
  };
}

const DEEPEST = 4;
const FRAMES = 6;

/**
 * What may be told of an error, each cause in turn. Messages may hold anybody's words (a statement's parameters, a
 * provider's text, an address), so they are left out but for those of `InternalError`.
 */
function factsOf(error: unknown): Record<string, unknown>[] {
  const facts: Record<string, unknown>[] = [];
  for (let at = error; at instanceof Error && facts.length < DEEPEST; at = at.cause)
    facts.push({
      name: at.name,
      ...(at instanceof InternalError ? { message: at.message } : {}),
      ...codesOf(at),
      ...(at === error ? { at: framesOf(at) } : {}),
    });
  return facts.length > 0 ? facts : [{ name: `thrown ${typeof error}` }];
}

const CODES = ['code', 'kind', 'constraint', 'table', 'column'];

/** SQLSTATE, constraint and the like: names out of the code or the schema, never values. */
function codesOf(error: Error): Record<string, string> {
  const codes: Record<string, string> = {};
  for (const [field, value] of Object.entries(error)) {
    if (typeof value !== 'string') continue;
    if (field === 'query') codes.query = nameOf(value);
    else if (CODES.includes(field) && /^\w{1,64}$/.test(value)) codes[field] = value;
  }
  return codes;
}

/** A statement by what it does first and to which table, as `insert meetings`. */
function nameOf(sql: string): string {
  const [verb = 'statement'] = /^\s*\w+/.exec(sql) ?? [];
  const [, table = ''] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql) ?? [];
  return `${verb.trim().toLowerCase()} ${table}`.trim();
}

/** Where it was thrown; the stack's first lines repeat the message, which may have any number of lines. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim());
