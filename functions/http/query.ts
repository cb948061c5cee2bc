import type { Context } from 'hono';
import * as z from 'zod';
import { AppError } from '../../lib/kit/errors.ts';
import type { Operation } from '../../schema/api/operation.ts';
import { nearest, shortened } from './body-fields.ts';
import type { AppEnv } from './env.ts';

/** Names by which operations take a person's address. A query may use any of them for an operation that takes one. */
const PERSON = ['email', 'user_email', 'attendee'];

export interface Query {
  values: Record<string, string>;
  sentAs: Record<string, string>;
}

/** Throws `invalid_request` for a parameter that is unknown, nameless or repeated, and for a text that is not UTF-8. */
export function readQuery(
  c: Context<AppEnv>,
  { path, query, body }: Pick<Operation, 'path' | 'query' | 'body'>,
): Query {
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
  const field =
    wrong < 0
      ? search
          .slice(1)
          .split('&')
          .find((pair) => !isReadable(pair))
          ?.split('=')[0]
      : names[wrong];
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

const refusal = (name: string, message: string) => new AppError('invalid_request', message, { field: shortened(name) });
