import type { Ctx } from './context.ts';
import { hmac } from './hmac.ts';
import type { Ids } from './ports.ts';

/**
 * Derives 256 bits from a session and the random text in one form, so a form that is sent twice, or whose first answer
 * is lost, shows the secret that it first created. For an API request, the `Idempotency-Key` takes the place of the
 * random text, and the API key that of the session.
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

/** Its action must run only once. Returns undefined if the text is missing or malformed. */
export function onceIn(form: URLSearchParams): string | undefined {
  const once = form.get('once') ?? '';
  return /^[\w-]{43}$/.test(once) ? once : undefined;
}
