import type { Operation } from '../../../schema/api/operation.ts';
import { GROUPS } from '../../http/groups.ts';

/** A call of the API, as a method of Tandem's client with its arguments in order. */
export interface ClientCall {
  /** Name of the method, which is the operation's name in the reference. */
  method: string;
  args: unknown[];
}

/** Operations whose response is a page or a document of its own. The client has no method for them. */
const hasMethod = ({ id, answer }: Operation) => 'schema' in answer && id !== 'getOpenapi';

const OPERATIONS = GROUPS.flatMap(({ operations }): Operation[] => [...operations])
  .filter(hasMethod)
  .map((operation) => ({ operation, pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }));

/** Undefined without a method. It takes the path's parameters, then the body or the query, then the options. */
export function clientCallOf(
  method: string,
  url: string,
  body: object | undefined,
  idempotencyKey: string | undefined,
): ClientCall | undefined {
  const { pathname, searchParams } = new URL(url, 'https://api.invalid');
  const found = OPERATIONS.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(decodeURI(pathname)),
  );
  if (found === undefined) return undefined;
  const { operation, pattern } = found;
  const args: unknown[] = (pattern.exec(decodeURI(pathname)) ?? []).slice(1);
  const options = idempotencyKey === undefined ? [] : [{ idempotencyKey }];
  if (operation.body !== undefined && (body !== undefined || options.length > 0)) args.push(body ?? {});
  const query = [...searchParams].map(([name, value]) => [name, typed(value)] as const);
  // The client takes the address of a person by itself, also where the API takes it in the query.
  if (operation.id === 'getPlatformUserStatus') args.push(searchParams.get('email'));
  else if (query.length > 0) args.push(Object.fromEntries(query));
  return { method: operation.id, args: [...args, ...options] };
}

/** Returns a value of a query as the client's types have it: a number, a boolean or a text. */
const typed = (value: string) => (/^(?:\d+|true|false)$/.test(value) ? (JSON.parse(value) as number | boolean) : value);
