import { readFileSync } from 'node:fs';
import type { MiddlewareHandler } from 'hono';
import { invalidField } from '../errors.ts';
import type { Contract, Method, Parameter, Schema } from './reduce.ts';

const ROOT = '/calendar/v3/';
/** Query parameters that every method of Google's API takes. */
const STANDARD = ['alt', 'fields', 'key', 'oauth_token', 'prettyPrint', 'quotaUser', 'userIp'];

export const CONTRACT: Contract = JSON.parse(readFileSync(new URL('contract.json', import.meta.url), 'utf8'));

const METHODS = Object.entries(CONTRACT.methods).map(([name, method]) => ({
  name,
  method,
  pattern: new RegExp(`^${method.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}));

const isCalendarCall = ({ url }: Pick<Request, 'url'>) => new URL(url).pathname.startsWith(ROOT);

/** Returns the method of the Calendar API that a request calls, or undefined if the contract has none. */
export function methodOf({
  method,
  url,
}: Pick<Request, 'method' | 'url'>): { name: string; method: Method } | undefined {
  const { pathname } = new URL(url);
  const path = pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : '';
  const fitting = METHODS.filter(({ method: { httpMethod }, pattern }) => httpMethod === method && pattern.test(path));
  // Of `events/watch` and `events/{eventId}`, the path without a placeholder wins.
  return fitting.sort((one, other) => placeholders(one.method) - placeholders(other.method))[0];
}

const placeholders = ({ path }: Method) => path.split('{').length;

/** Returns how a request differs from the contract: an unknown method, parameter or field, or a wrong type. */
export function requestFaults(request: Pick<Request, 'method' | 'url'>, body: string): string[] {
  const { pathname, searchParams } = new URL(request.url);
  const { method } = methodOf(request) ?? {};
  if (method === undefined) return [`no method serves ${request.method} ${pathname}`];
  return [
    ...parameterFaults(method, searchParams),
    ...fieldFaults(searchParams.get('fields'), { $ref: method.response ?? '' }, CONTRACT.schemas),
    ...bodyFaults(body, method.request, 'request'),
  ];
}

export function answerFaults(request: Pick<Request, 'method' | 'url'>, status: number, body: string): string[] {
  const { method } = methodOf(request) ?? {};
  if (status >= 400) return errorFaults(status, body);
  return method === undefined ? [] : bodyFaults(body, status === 304 ? undefined : method.response, 'answer');
}

function parameterFaults({ parameters }: Method, given: URLSearchParams): string[] {
  return [...new Set(given.keys())].flatMap((name) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) return STANDARD.includes(name) ? [] : [`the method has no parameter ${name}`];
    const values = given.getAll(name);
    const twice = values.length > 1 && parameter.repeated !== true ? [`${name} is given more than once`] : [];
    return [
      ...twice,
      ...values.filter((value) => !fits(value, parameter)).map((value) => `${name} cannot be ${value}`),
    ];
  });
}

function fits(value: string, { type, enum: values, minimum, maximum }: Parameter): boolean {
  if (type === 'boolean') return value === 'true' || value === 'false';
  if (type === 'integer' && !/^-?\d+$/.test(value)) return false;
  if (minimum !== undefined && Number(value) < Number(minimum)) return false;
  if (maximum !== undefined && Number(value) > Number(maximum)) return false;
  return values === undefined || values.includes(value);
}

function bodyFaults(text: string, type: string | undefined, direction: Direction): string[] {
  if (type === undefined) return text === '' ? [] : ['there is a body, and the method has none'];
  const value = parse(text);
  if (value === undefined) return ['the body is no JSON'];
  return valueFaults(value, { $ref: type }, { schemas: CONTRACT.schemas, direction });
}

/** Google's discovery document does not describe errors, so this is the form that its guide to errors shows. */
function errorFaults(status: number, text: string): string[] {
  const { error } = (parse(text) ?? {}) as { error?: { code?: unknown; message?: unknown; errors?: unknown } };
  const [first] = Array.isArray(error?.errors) ? error.errors : [];
  const isWhole =
    error?.code === status &&
    typeof error.message === 'string' &&
    ['domain', 'reason', 'message'].every((name) => typeof first?.[name] === 'string');
  return isWhole ? [] : ['the error has not the form of an error'];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Direction = 'request' | 'answer';

interface Types {
  schemas: Record<string, Schema>;
  direction: Direction;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
// A client may leave out the offset where it names the zone.
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Returns how a JSON value differs from its type: unknown fields, wrong types and wrong formats, each with its path. In
 * a request, null removes a field, so it fits every type.
 */
function valueFaults(value: unknown, schema: Schema, types: Types, path = ''): string[] {
  if (schema.$ref !== undefined) return valueFaults(value, types.schemas[schema.$ref] ?? {}, types, path);
  if (value === null && types.direction === 'request') return [];
  const at = path === '' ? 'the body' : path;
  if (!hasType(value, schema.type)) return [`${at} is ${nameOf(value)}, not ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => valueFaults(item, schema.items ?? {}, types, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null) return objectFaults(value, schema, types, path);
  return hasFormat(value, schema.format, types.direction) ? [] : [`${at} is no ${schema.format}: ${String(value)}`];
}

function objectFaults(value: object, schema: Schema, types: Types, path: string): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const known = schema.properties ?? {};
    const type = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
    if (field === undefined) return [];
    return type === undefined ? [`${at} is unknown`] : valueFaults(field, type, types, at);
  });
}

function hasType(value: unknown, type: string | undefined): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === undefined || type === 'any' || typeof value === type;
}

function hasFormat(value: unknown, format: string | undefined, direction: Direction): boolean {
  const text = String(value);
  if (format === 'date') return DATE.test(text);
  if (format === 'date-time') return (direction === 'answer' ? INSTANT : LOCAL).test(text);
  if (format === 'int64') return /^-?\d{1,19}$/.test(text);
  if (format === 'int32') return Math.abs(Number(value)) < 2 ** 31;
  return true;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Fields that a partial answer has, by name. A field without fields of its own is answered whole. */
interface Mask {
  [name: string]: Mask;
}

/**
 * Parses the `fields` parameter, such as `items(id,start),nextPageToken` or `items/attendees/email`. Throws if it is
 * malformed.
 */
export function parseMask(text: string): Mask {
  const tokens = text.match(/[\w*]+|[(),/]|\S/g) ?? [];
  let at = 0;

  function list(): Mask {
    const mask: Mask = {};
    do merge(mask, path());
    while (tokens[at] === ',' && ++at);
    return mask;
  }

  function path(): Mask {
    const name = tokens[at++] ?? '';
    if (!/^[\w*]+$/.test(name)) throw new Error(`Invalid field selection ${text}`);
    if (tokens[at] === '/' && ++at) return { [name]: path() };
    if (tokens[at] !== '(') return { [name]: {} };
    at += 1;
    const inner = list();
    if (tokens[at++] !== ')') throw new Error(`Invalid field selection ${text}`);
    return { [name]: inner };
  }

  const mask = list();
  if (at < tokens.length) throw new Error(`Invalid field selection ${text}`);
  return mask;
}

function merge(into: Mask, from: Mask): void {
  for (const [name, mask] of Object.entries(from)) {
    const known = into[name];
    if (known === undefined) into[name] = mask;
    else merge(known, mask);
  }
}

export function partOf(value: unknown, mask: Mask): unknown {
  if (Object.keys(mask).length === 0 || Object.hasOwn(mask, '*')) return value;
  if (Array.isArray(value)) return value.map((item) => partOf(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => Object.hasOwn(mask, name));
  return Object.fromEntries(kept.map(([name, field]) => [name, partOf(field, mask[name] ?? {})]));
}

/** Returns the fields that a `fields` parameter names and the answer's type does not have. */
export function fieldFaults(fields: string | null, schema: Schema, schemas: Record<string, Schema>): string[] {
  if (fields === null) return [];
  try {
    return unknownIn(parseMask(fields), schema, schemas);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function unknownIn(mask: Mask, schema: Schema, schemas: Record<string, Schema>): string[] {
  if (schema.$ref !== undefined) return unknownIn(mask, schemas[schema.$ref] ?? {}, schemas);
  if (schema.items !== undefined) return unknownIn(mask, schema.items, schemas);
  return Object.entries(mask).flatMap(([name, inner]) => {
    const field = schema.properties?.[name] ?? schema.additionalProperties;
    if (name === '*') return [];
    return field === undefined ? [`Invalid field selection ${name}`] : unknownIn(inner, field, schemas);
  });
}

interface KeepOptions {
  serve: (request: Request) => Response | Promise<Response>;
  report: (line: string) => void;
}

/**
 * Serves a call of the Calendar API and holds it to Google's contract: every answer must fit, and every request that is
 * not refused. A call that differs is reported, and gets 599 with the differences.
 */
export async function keepContract(request: Request, { serve, report }: KeepOptions): Promise<Response> {
  if (!isCalendarCall(request)) return serve(request);
  const body = await request.clone().text();
  const response = await serve(request);
  const answer = await response.clone().text();
  const faults = [
    ...(response.status < 400 ? requestFaults(request, body) : []),
    ...answerFaults(request, response.status, answer).map((fault) => `answer ${response.status}: ${fault}`),
  ];
  if (faults.length === 0) return response;
  const { pathname, search } = new URL(request.url);
  const lines = faults.map((fault) => `google: ${request.method} ${pathname}${search}: ${fault}`);
  lines.forEach(report);
  return new Response(lines.join('\n'), { status: 599 });
}

/** Answers with the fields that the `fields` parameter names, and with nothing else. */
export const partialAnswers: MiddlewareHandler = async (c, next) => {
  const fields = c.req.query('fields');
  if (fields === undefined) return next();
  const { method } = methodOf(c.req.raw) ?? {};
  const [fault] = fieldFaults(fields, { $ref: method?.response ?? '' }, CONTRACT.schemas);
  if (fault !== undefined) throw invalidField(fault);
  await next();
  if (c.res.status !== 200) return;
  const part = partOf(await c.res.json(), parseMask(fields));
  c.res = Response.json(part, { headers: c.res.headers });
};
