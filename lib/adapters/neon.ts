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

/** SQLSTATE and constraint of what Postgres refused, whichever wrapper carries them; empty for any other failure. */
export function postgresRefusal(error: unknown): { code?: string; constraint?: string; column?: string } {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code)) {
      const { code, constraint, column } = at as Error & { code: string; constraint?: string; column?: string };
      return { code, ...(constraint ? { constraint } : {}), ...(column ? { column } : {}) };
    }
  }
  return {};
}

/** Runs a batch, once more when Postgres rolled it back because two stood in each other's way (deadlock, serialization). */
export async function onceMoreIfTorn<T>(batch: () => Promise<T>): Promise<T> {
  try {
    return await batch();
  } catch (error) {
    if (!['40P01', '40001'].includes(postgresRefusal(error).code ?? '')) throw error;
    return batch();
  }
}
