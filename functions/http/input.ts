import type { Context } from 'hono';
import * as z from 'zod';
import { AppError, invalid } from '../../lib/kit/errors.ts';
import { FIELD_CODES } from '../../schema/api/http-errors.ts';
import type { Operation, PartOf } from '../../schema/api/operation.ts';
import { readJson, readNone } from './body.ts';
import { nearest, ruleOf, shortened, type UnknownField, unknownFields, withoutNulls } from './body-fields.ts';
import type { AppEnv } from './env.ts';
import { assertMeantToChange } from './trial-fields.ts';

export interface Input<O extends Operation> {
  params: PartOf<O, 'params'>;
  query: PartOf<O, 'query'>;
  body: PartOf<O, 'body'>;
  warnings: string[];
}

/**
 * Throws an error that names the first invalid field. An unknown body field becomes a warning, or an error if the
 * operation refuses unknown fields or has no fields, or if the field asks for no change.
 */
export async function readInput<O extends Operation>(c: Context<AppEnv>, operation: O): Promise<Input<O>> {
  const { params, query, body, codes, isBodyOptional = false, largestBody, refusesUnknownFields = false } = operation;
  const { values, sentAs } = readQuery(c, operation);
  const checked = {
    params: params && check(params, c.req.param(), codes),
    query: query && check(query, values, codes, { sentAs }),
  };
  const mayChange = changes(operation);
  const fields = body ?? (mayChange ? z.object({}) : undefined);
  const sent = fields && (body ? await readJson(c, { isBodyOptional, largestBody }) : await readNone(c));
  const given = fields && withoutNulls(fields, sent);
  const takesKey = operation.takesIdempotencyKey === true || operation.retriesByKey === true;
  const unknown = fields === undefined ? [] : unknownFields(fields, given, { takesKey });
  if (fields !== undefined && mayChange) assertMeantToChange(given, fields);
  const [first] = unknown;
  if ((refusesUnknownFields || body === undefined) && first !== undefined) throw invalid(first.path, first.sentence);
  const input = {
    ...checked,
    body: body && check(body, given, codes, { unknown }),
    warnings: unknown.map(({ sentence }) => sentence),
  };
  c.set(
    'sent',
    [checked.params, checked.query, given].flatMap((part) => Object.keys(part ?? {})),
  );
  // `check` parsed each part with the same schema that gives the part its type, so the cast is safe.
  return input as Input<O>;
}

export const changes = ({ method, changesNothing }: Operation) => method !== 'get' && changesNothing !== true;

export async function readBody<S extends z.ZodType>(c: Context<AppEnv>, schema: S): Promise<z.output<S>> {
  return check(schema, await readJson(c));
}

/** `unknown` may mean missing fields. `sentAs` has the names under which query parameters were sent. */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  codes: Operation['codes'] = {},
  { unknown = [], sentAs = {} }: { unknown?: readonly UnknownField[]; sentAs?: Readonly<Record<string, string>> } = {},
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const [issue] = issues;
  const [top] = issue?.path ?? [];
  const field = sentAs[pathOf(issue)] ?? pathOf(issue);
  const given = issue && valueAt(issue.path, value);
  const isMissing = given === undefined;
  const shown = top === 'attendees' ? 'attendees' : field;
  const { wrong: code = 'invalid_request', missing, tooMany } = { ...(codes[String(top)] ?? FIELD_CODES[String(top)]) };
  const tooLong = issue?.code === 'too_big' && issue.path.length === 1 ? tooMany : undefined;
  const told = (isMissing ? missing : tooLong) ?? code;
  const reference = referenceIn(issue?.path ?? [], value);
  const message =
    isMissing || issue === undefined
      ? requiredMessage(missingBeside(issue, issues, value), reference, unknown)
      : `\`${field}\`${reference} ${ruleOf(issue, given)}.`;
  throw new AppError(told, message, { field: shown });
}

type Issue = z.core.$ZodIssue;
const pathOf = (issue: Issue | undefined) => issue?.path.map((name) => shortened(String(name))).join('.') ?? '';

const valueAt = (path: readonly PropertyKey[], value: unknown) =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);

function missingBeside(issue: Issue | undefined, issues: readonly Issue[], value: unknown): string[] {
  const parentOf = ({ path }: Issue) => JSON.stringify(path.slice(0, -1).map(String));
  const beside = issues.filter(
    (one) => issue !== undefined && parentOf(one) === parentOf(issue) && valueAt(one.path, value) === undefined,
  );
  return [...new Set((beside.length === 0 ? [issue] : beside).map(pathOf))];
}

function requiredMessage(missing: readonly string[], reference: string, unknown: readonly UnknownField[]): string {
  const names = missing.map((name) => `\`${name}\``);
  const last = names.pop() ?? '';
  const required = names.length === 0 ? 'is required' : 'are required';
  const all = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  const hints = unknown.flatMap(({ meant, sentence }) => (missing.includes(meant ?? '') ? [sentence] : []));
  const rest = hints.length > 0 ? hints.join(' ') : `Send ${names.length === 0 ? 'it' : 'them'} with the request.`;
  return `${all}${reference} ${required}. ${rest}`;
}

/** Uses the item's `reference`. Empty if the field is in no list item, or if the item has none. */
function referenceIn(path: readonly PropertyKey[], value: unknown): string {
  let at = value;
  for (const name of path) {
    at = (at as Record<PropertyKey, unknown> | undefined)?.[name];
    const reference =
      typeof name === 'number' ? (at as { reference?: unknown } | null | undefined)?.reference : undefined;
    if (typeof reference === 'string') return ` (reference ${JSON.stringify(shortened(reference))})`;
  }
  return '';
}

/** Names by which operations take a person's address. A query may use any of them for an operation that takes one. */
const PERSON = ['email', 'user_email', 'attendee'];

type Query = { values: Record<string, string>; sentAs: Record<string, string> };

/** Throws `invalid_request` for a parameter that is unknown, nameless or repeated, and for a text that is not UTF-8. */
function readQuery(c: Context<AppEnv>, { path, query, body }: Pick<Operation, 'path' | 'query' | 'body'>): Query {
  assertReadable(c.req.url, path);
  const names = namesOf(query);
  const person = names.find((name) => PERSON.includes(name));
  const found: Query = { values: {}, sentAs: {} };
  for (const [name, [value = '', ...others]] of Object.entries(c.req.queries())) {
    const meant = person !== undefined && PERSON.includes(name) ? person : name;
    if (!names.includes(meant)) throw unknown(name, person === undefined ? names : [...names, ...PERSON], body);
    const former = found.sentAs[meant];
    if (others.length > 0 || former !== undefined)
      throw refusal(
        name,
        former === undefined
          ? `\`${name}\` was sent ${others.length + 1} times. Send it once.`
          : `\`${former}\` and \`${name}\` mean the same here. Send one of them.`,
      );
    found.values[meant] = withPlus(query, meant, value);
    found.sentAs[meant] = name;
  }
  return found;
}

/** A plus sign is read as a blank, and many callers do not encode that of an address or an offset. */
function withPlus(query: z.ZodType | undefined, name: string, value: string): string {
  const schema = query instanceof z.ZodObject ? query.shape[name] : undefined;
  if (schema === undefined || !value.includes(' ') || z.safeParse(schema, value).success) return value;
  const meant = value.replaceAll(' ', '+');
  return z.safeParse(schema, meant).success ? meant : value;
}

function assertReadable(url: string, path: string): void {
  const { pathname, search } = new URL(url);
  if (/[?&]=/.test(search))
    throw new AppError('invalid_request', 'The query has a value without a name. Write `name=value`.');
  const names = path.split('/');
  const wrong = pathname.split('/').findIndex((segment) => !isReadable(segment));
  const pairs = search.slice(1).split('&');
  const field = wrong < 0 ? pairs.find((pair) => !isReadable(pair))?.split('=')[0] : names[wrong];
  if (field === undefined) return;
  throw refusal(
    field.replaceAll(/[{}]/g, ''),
    'The URL has a percent sign that does not begin a character in UTF-8. Encode each text as UTF-8, such as %C3%A9 for é, and a percent sign as %25.',
  );
}

function isReadable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

const namesOf = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

function unknown(name: string, names: readonly string[], body: z.ZodType | undefined): AppError {
  const said = `\`${shortened(name)}\` is not a query parameter of this request`;
  const meant = nearest(name, names);
  if (meant !== undefined) return refusal(name, `${said}; did you mean \`${meant}\`?`);
  if (namesOf(body).includes(name)) return refusal(name, `${said}. Send it in the JSON body.`);
  const known = [...new Set(names)].map((one) => `\`${one}\``).join(', ');
  return refusal(name, `${said}. ${known === '' ? 'It takes none' : `It takes ${known}`}.`);
}

const refusal = (name: string, message: string) => invalid(shortened(name), message);
