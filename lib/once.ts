import type { Ctx } from './context.ts';
import { hmac } from './hmac.ts';
import type { Ids } from './ports.ts';

/**
 * The secret of 256 bits that a form sent in a session always makes, by a text of the form that nobody else was shown: of
 * a form that is sent twice, or whose answer is lost, the last answer shows what the first made.
 */
export async function secretOfForm(
  ctx: Pick<Ctx, 'config'>,
  { session, once }: { session: string; once: string },
): Promise<Pick<Ids, 'secret'>> {
  const bytes = await hmac(ctx.config.sessionSecret, `once:${session}:${once}`);
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return { secret: (prefix) => prefix + text };
}

/** By what a form is known that is to do once what it does; undefined for one that is not ours. */
export function onceIn(form: URLSearchParams): string | undefined {
  const once = form.get('once') ?? '';
  return /^[\w-]{43}$/.test(once) ? once : undefined;
}
