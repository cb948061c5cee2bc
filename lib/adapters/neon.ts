import { neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { Db } from '../../schema/db.ts';

const TIMEOUT_MS = 10_000;

type NeonInit = RequestInit & { requestId?: string };

/** Postgres over Neon's HTTP; every statement has a timeout and carries the request's id. */
export function connectNeon({ url, requestId }: { url: string; requestId?: string }): Db {
  // The client has one fetch for the whole isolate and hands `fetchOptions` through to it.
  neonConfig.fetchFunction ??= (target: string, { requestId: id, ...init }: NeonInit) => {
    const headers = new Headers(init.headers);
    if (id !== undefined) headers.set('X-Request-Id', id);
    return fetch(target, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
  return drizzle(neon(url, { fetchOptions: requestId === undefined ? {} : { requestId } }));
}
