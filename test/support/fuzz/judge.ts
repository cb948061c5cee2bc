import { compile, compileClosed, type Json } from '../checks/openapi.ts';
import { world } from '../worlds/world.ts';
import type { Fuzzed } from './requests.ts';
import type { WireAnswer } from './send.ts';
import type { Target } from './stock.ts';

type Schema = ReturnType<typeof compile>;
const checks = new Map<string, Schema>();

function checkOf(name: string, make: () => Schema): Schema {
  const check = checks.get(name) ?? make();
  checks.set(name, check);
  return check;
}

const ID = /^[\w-]{1,64}$/;
const NESTED = /^\/v1\/(?:availability|schedule|meetings|jobs|batches|proposals)(?:\/|$)/;
/** Statuses the document need not mention, by the kind of change made to the request. */
const BY_RULE: Record<string, number[]> = { method: [405], slash: [404], path: [404, 405] };
/** Fields that are checked together, so a refusal may name either. */
const TOGETHER = [
  ['start_time', 'end_time'],
  ['start_date', 'end_date'],
  ['from', 'to'],
];

/** Describes everything wrong with an answer; yields nothing if the answer keeps the contract. */
export function* faultsOf(target: Target, request: Fuzzed, answer: WireAnswer): Generator<string> {
  const { status, headers, text, body } = answer;
  const type = headers.get('content-type') ?? '';
  if (status >= 500) return yield `status ${status}: ${text}`;
  if (request.expects !== undefined && status !== request.expects) yield `status ${status}, not ${request.expects}`;
  if (headers.get('cache-control') !== 'no-store') yield `Cache-Control: ${headers.get('cache-control')}`;
  const id = headers.get('x-request-id') ?? '';
  const given = String(request.headers['X-Request-Id']);
  if (ID.test(given) ? id !== given : !ID.test(id)) yield `X-Request-Id ${id}`;
  const leak = leakIn(text);
  if (leak !== undefined && !(status < 300 && mayShow(target))) yield `it shows ${leak}`;

  if (isElsewhere(request)) return;
  const described = target.operation.responses[status];
  const isByRule = BY_RULE[request.kind]?.includes(status) ?? false;
  if (described === undefined && !isByRule) return yield `the document does not know status ${status}: ${text}`;
  yield* headerFaults(status, headers, Object.keys(described?.headers ?? {}));
  const content = described?.content ?? {};
  if ('text/html' in content && type.startsWith('text/html')) return;
  if (status === 302) return;
  if (!type.startsWith('application/json')) return yield `content type ${type}`;

  const schema = content['application/json']?.schema;
  const fits = schema && checkOf(`${target.name} ${status}`, () => compileClosed(schema)).safeParse(body);
  const rule = formatOf(request, status, body);
  const isRuled = isByRule && checkOf(rule, () => compileClosed({ $ref: rule })).safeParse(body).success;
  if (!fits?.success && !isRuled) yield `the body does not fit: ${text.slice(0, 500)} ${fits?.error?.message ?? ''}`;
  const listed = content['application/json']?.examples ?? {};
  if (status >= 400 && !isRuled && !(codeOf(body) in listed)) yield `the document does not list ${codeOf(body)}`;
  if (status === 400) yield* fieldFaults(target, request, body);
  if (status < 400) yield* leniency(target, request);
}

/** Checks that the document describes the headers of an answer for which it has the status. */
function* headerFaults(status: number, headers: Headers, described: string[]): Generator<string> {
  const counted = status < 400 && headers.has('x-ratelimit-limit') ? ['X-RateLimit-Limit'] : [];
  const needed = ['X-Request-Id', ...counted, ...(headers.has('retry-after') ? ['Retry-After'] : [])];
  const missing = needed.filter((name) => !described.includes(name));
  if (described.length > 0 && missing.length > 0) yield `the document does not describe ${missing.join(', ')}`;
}

function codeOf(body: unknown): string {
  const { error, code } = body as { error: string | { code: string }; code?: string };
  return typeof error === 'string' ? String(code) : error.code;
}

/** Returns the error format of a path as a reference into the document. Unknown paths have no format of their own. */
function formatOf({ target }: Fuzzed, status: number, body: unknown): string {
  const { pathname } = new URL(target, world.baseUrl);
  const isUnknown = (body as { code?: unknown } | undefined)?.code === 'not_found';
  const isNested = NESTED.test(pathname) && ![401, 403, 429].includes(status) && !isUnknown;
  return `#/components/schemas/${isNested ? 'NestedError' : 'FlatError'}`;
}

/** Returns true if dots in the path turned it into another path. */
const isElsewhere = ({ kind, target }: Fuzzed) => kind === 'path' && /(?:^|\/)(?:\.|%2e){1,2}(?:[/?]|$)/i.test(target);

const mayShow = ({ operation }: Target) =>
  /configureWebhook|updateSettings|rotateWebhookSecret|regenerate|authorize|OauthUrl|DashboardLink/i.test(
    operation.operationId,
  );

/** Checks that a 400 names a field of the request. If only one field is wrong, it must name that one. */
function* fieldFaults(target: Target, request: Fuzzed, body: unknown): Generator<string> {
  if (request.kind === 'garbage' && request.sent === undefined) return;
  const inner = (body as { error?: unknown }).error;
  const { field } = (typeof inner === 'object' ? inner : body) as { field?: unknown };
  if (typeof field !== 'string') return yield `no field in ${JSON.stringify(body)}`;
  const [top = ''] = field.split('.');
  const properties = Object.keys((target.body?.properties as object | undefined) ?? {});
  const names = [...properties, ...target.queryNames, ...target.segments, 'Idempotency-Key'];
  if (isUnknownOne(target, request, top)) return;
  if (!names.includes(top)) yield `field ${field} is none of the request`;
  const { field: wrong } = request;
  if (wrong === undefined || !names.includes(wrong)) return;
  const together = TOGETHER.find((group) => group.includes(wrong)) ?? [wrong];
  if (!together.includes(top)) yield `field ${field} was named, ${wrong} is wrong`;
}

/** Returns true if an operation that takes no unknown fields refused this unknown field of the request. */
const isUnknownOne = ({ body }: Target, { sent }: Fuzzed, field: string) =>
  body?.additionalProperties === false && typeof sent === 'object' && sent !== null && Object.hasOwn(sent, field);

function* leniency({ name, query, body }: Target, request: Fuzzed): Generator<string> {
  if (body !== undefined && request.sent !== undefined) {
    const fits = checkOf(`${name} body`, () => compile(body)).safeParse(request.sent);
    if (!fits.success) yield `it took what does not fit: ${fits.error.message}`;
  }
  const given = Object.fromEntries(request.query.toReversed().map(([key, value]) => [key, read(value, query, key)]));
  const fits = checkOf(`${name} query`, () => compile(query)).safeParse(given);
  if (!fits.success) yield `it took a query that does not fit: ${JSON.stringify(given)} ${fits.error.message}`;
}

function read(escaped: string, query: Json, key: string): unknown {
  const { type } = (query.properties as Record<string, { type?: string }>)[key] ?? {};
  const text = decoded(escaped.replaceAll('+', ' '));
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Leaks = Record<string, RegExp>;

/** Secrets that must appear neither in an answer nor in the log. */
const ANYWHERE: Leaks = {
  'an API key': /sk_(?:live|user)_[\w-]{20,}/,
  'a signing secret': /whsec_[\w+/-]{8,}/,
  'a token': /ya29\.|\beyJ[\w-]+\.[\w-]+\.[\w-]+|1\/\/[\w-]{20,}/,
  'a connection string': /postgres(?:ql)?:\/\//,
  SQL: /\b(?:select\b.{1,400}\bfrom|insert into|update "?\w+"? set|delete from|Failed query|syntax error at|violates \w+ constraint|invalid byte sequence|out of range for type)\b/i,
};

/** Details of errors that only the log may show. */
const IN_ANSWERS: Leaks = {
  'a stack':
    /\n?\s+at \S+ \(|\.ts:\d+:\d+|\b(?:NeonDbError|DrizzleQueryError|TypeError|RangeError|ZodError|SyntaxError)\b/,
};

export const leakIn = (answer: string): string | undefined => find({ ...ANYWHERE, ...IN_ANSWERS }, answer);

export const leakInLog = (line: string): string | undefined => find(ANYWHERE, line);

function find(leaks: Leaks, text: string): string | undefined {
  for (const [what, pattern] of Object.entries(leaks)) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return `${what}: ${found}`;
  }
  return undefined;
}
