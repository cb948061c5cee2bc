import { findPublishableKey } from '../../schema/api-keys/queries.ts';
import type { Ctx } from '../context.ts';

/** The authorize URL a platform hands to a person, with what to say to them. */
export async function oauthUrl(ctx: Ctx, input: { platformId: string; email: string }) {
  const publishableKey = await findPublishableKey(ctx.db, input.platformId);
  if (publishableKey === undefined) throw new Error(`platform ${input.platformId} has no live publishable key`);
  return {
    url: authorizeUrl(ctx, publishableKey, input.email),
    instructions: `Send ${input.email} to this URL. They sign in with that Google account and allow access to their calendar; then they can be scheduled.`,
  };
}

/** Where a person connects their calendar with the platform of this publishable key. */
export function authorizeUrl(ctx: Pick<Ctx, 'config'>, publishableKey: string, email: string): string {
  const url = new URL('/v1/auth/calendar/authorize', ctx.config.baseUrl);
  url.searchParams.set('platform_key', publishableKey);
  url.searchParams.set('user_email', email);
  return url.href;
}
