import type { Context } from 'hono';
import { hmacSha256, isSameText } from '../../lib/kit/hmac.ts';
import type { AppEnv } from '../http/env.ts';

const signed = async (c: Context<AppEnv>, csrf: string, to: string) =>
  `${to}.${(await hmacSha256(c.var.ctx.config.sessionSecret, `done:${csrf}:${to}`)).slice(0, 32)}`;

/** Leads to a page that says what a form has done. The address is signed, because a stranger's link may claim anything. */
export const redirectDone = async (c: Context<AppEnv>, csrf: string, to: string, place = '') =>
  c.redirect((await signed(c, csrf, to)) + place, 303);

/** Returns the `done` of an address that `redirectDone` made for this session and page. Undefined for any other. */
export async function doneIn(c: Context<AppEnv>, csrf: string): Promise<string | undefined> {
  const given = c.req.query('done');
  if (given === undefined) return undefined;
  const [at, what = ''] = [`${c.req.path}?done=`, given.split('.')[0]];
  return (await isSameText(at + given, await signed(c, csrf, at + what))) ? what : undefined;
}
