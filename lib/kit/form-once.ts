import type { Ctx } from './context.ts';
import { hmac } from './hmac.ts';
import type { Ids } from './ports.ts';

/**
 * Derives a secret of 256 bits from a session and from the random text in one form of that session. The same form
 * always gives the same secret. So if a form is sent twice, or its first answer is lost, the second answer shows the
 * secret that the first one created. For an API request, the `Idempotency-Key` takes the place of the random text, and
 * the API key that of the session.
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

/**
 * Returns the random text that identifies a form whose action must run only once. Returns undefined if the text is
 * missing or malformed.
 */
export function onceIn(form: URLSearchParams): string | undefined {
  const once = form.get('once') ?? '';
  return /^[\w-]{43}$/.test(once) ? once : undefined;
}
