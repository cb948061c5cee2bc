import { InternalError } from '../../lib/kit/errors.ts';
import type { Log, Trace } from '../../lib/kit/ports.ts';

const SECRET =
  /(?:sk|pk)_(?:live|user)_[\w-]+|whsec_[\w+/=-]+|Bearer\s+[\w.~+/-]+=*|ya29\.[\w.-]+|postgres(?:ql)?:\/\/\S+|eyJ[\w-]{8,}(?:\.[\w-]+)*/g;

export const redact = (text: string) => text.replace(SECRET, '[redacted]');

/** Writes JSON lines. Redacts secrets, and of an error it writes only what `factsOf` allows. */
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

/** Only an `InternalError` has its message, because others may contain personal data. */
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

/** These names come from the code or the schema, so they contain no personal data. */
function codesOf(error: Error): Record<string, string> {
  const codes: Record<string, string> = {};
  for (const [field, value] of Object.entries(error)) {
    if (typeof value !== 'string') continue;
    if (field === 'query') codes.query = nameOf(value);
    else if (CODES.includes(field) && /^\w{1,64}$/.test(value)) codes[field] = value;
  }
  return codes;
}

/** Returns a short name of an SQL statement for the log, made of its first verb and its table: `insert meetings`. */
function nameOf(sql: string): string {
  const [verb = 'statement'] = /^\s*\w+/.exec(sql) ?? [];
  const [, table = ''] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql) ?? [];
  return `${verb.trim().toLowerCase()} ${table}`.trim();
}

/** A stack begins with the message, which has any number of lines and may not be logged. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim());

/** Spans are `<port>.<operation>`, without attributes, because arguments may contain people's addresses. */
export function traced<P extends object>(trace: Trace, port: string, operations: P): P {
  const named = Object.entries(operations).map(([name, operation]: [string, unknown]) => [
    name,
    typeof operation === 'function'
      ? (...given: unknown[]) => trace(`${port}.${name}`, () => Reflect.apply(operation, operations, given))
      : operation,
  ]);
  // The wrapped operations have the parameters and results of the port's own operations, so the cast is safe.
  return Object.fromEntries(named) as P;
}

interface Tracing {
  enterSpan<T>(name: string, run: () => T): T;
}

/** Uses custom spans (developers.cloudflare.com/workers/observability/traces/custom-spans). */
export function traceOf(execution: object): Trace {
  const { tracing } = execution as { tracing?: Tracing };
  return (name, run) => (tracing === undefined ? run() : tracing.enterSpan(name, run));
}
