import { neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { Db } from '../../schema/db.ts';
import type { Trace } from '../kit/ports.ts';

const TIMEOUT_MS = 10_000;

type NeonInit = RequestInit & { requestId?: string; trace?: Trace | undefined };

/** Every SQL statement has a timeout and carries the ID of the HTTP request. */
export function connectNeon({ url, requestId, trace }: { url: string; requestId?: string; trace?: Trace }): Db {
  // The Neon client accepts one fetch function for the whole isolate. The request ID differs by call, so it arrives in
  // the `fetchOptions`, which the client passes on.
  neonConfig.fetchFunction ??= (target: string, { requestId: id, trace: within, ...init }: NeonInit) => {
    const headers = new Headers(init.headers);
    if (id !== undefined) headers.set('X-Request-Id', id);
    const send = () => fetch(target, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return within === undefined ? send() : within('neon.query', send);
  };
  const fetchOptions = { ...(requestId === undefined ? {} : { requestId }), trace };
  return drizzle(neon(url, { fetchOptions }));
}
