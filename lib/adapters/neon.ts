import { NeonDbError, type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { Db } from '../../schema/db.ts';

const TIMEOUT_MS = 10_000;

type NeonInit = RequestInit & { requestId?: string };

/** What the first statements of a request are sent behind, in one round trip with them. */
export interface Opening {
  /** Divides by zero where it does not hold. */
  assertion: { sql: string; params: unknown[] };
  /** What is settled beside it: no answer of Postgres is handed out before. */
  admission?: Promise<void>;
  /** What came of the assertion; `asked` for as long as no answer to it is known. */
  state: 'unasked' | 'asked' | 'holds' | 'fails';
}

interface Options {
  url: string;
  requestId?: string | undefined;
  opening?: Opening | undefined;
}

/**
 * Postgres over Neon's HTTP; every statement has a timeout and carries the request's id. With an opening, a statement or
 * batch is a transaction that begins with the assertion, and fails with it, until it has held once.
 */
export function connectNeon({ url, requestId, opening }: Options): Db {
  // The client has one fetch for the whole isolate and hands `fetchOptions` through to it.
  neonConfig.fetchFunction ??= (target: string, { requestId: id, ...init }: NeonInit) => {
    const headers = new Headers(init.headers);
    if (id !== undefined) headers.set('X-Request-Id', id);
    return fetch(target, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
  const client = neon<boolean, boolean>(url, { fetchOptions: requestId === undefined ? {} : { requestId } });
  return drizzle(opening === undefined ? client : behind(opening, client));
}

type Client = NeonQueryFunction<boolean, boolean>;
type Query = ReturnType<Client['query']>;
type Result = Awaited<Query>;

const DIVISION_BY_ZERO = '22012';
const INTEGRITY_CONSTRAINT_VIOLATION = /^23/;

/** The client as drizzle uses it: a query is sent once it is awaited, or with others in a transaction. */
function behind(opening: Opening, client: Client): Client {
  async function transaction(queries: Query[], options?: Parameters<Client['transaction']>[1]): Promise<Result[]> {
    if (opening.state === 'holds') return client.transaction(queries, options);
    const assertion = client.query(opening.assertion.sql, opening.assertion.params);
    if (opening.state === 'unasked') opening.state = 'asked';
    try {
      const [, ...results] = await client.transaction([assertion, ...queries], options);
      opening.state = 'holds';
      await opening.admission;
      return results;
    } catch (error) {
      const state = error instanceof NeonDbError ? (error.code ?? '') : '';
      if (state === DIVISION_BY_ZERO) opening.state = 'fails';
      // A constraint refuses only what comes after the assertion.
      if (INTEGRITY_CONSTRAINT_VIOLATION.test(state)) opening.state = 'holds';
      throw error;
    }
  }
  function query(...asked: Parameters<Client['query']>): Query {
    const one = client.query(...asked);
    const { execute } = one;
    one.execute = async (...sent) => {
      if (opening.state === 'holds') return execute(...sent);
      const [result = []] = await transaction([one]);
      return result;
    };
    return one;
  }
  return new Proxy(client, {
    get: (target, name) =>
      name === 'query' ? query : name === 'transaction' ? transaction : Reflect.get(target, name),
  });
}
