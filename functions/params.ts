import type { Context } from 'hono';
import type { AppEnv } from './env.ts';

/** An id from the path; one that no id of ours can be is empty and so names nothing. */
export function idParam(c: Context<AppEnv>, name: string): string {
  const id = c.req.param(name) ?? '';
  return /^[\w-]{1,100}$/.test(id) ? id : '';
}
