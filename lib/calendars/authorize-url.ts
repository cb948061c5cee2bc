import { findPublishableKey } from '../../schema/api-keys/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError, InternalError } from '../errors.ts';

/** What a person's link carries; without `redirectUri` they end on a page of ours. */
interface Link {
  email: string;
  redirectUri?: string | undefined;
  state?: string | undefined;
}

/**
 * The authorize URL a platform hands to a person, with what to say to them. Throws `invalid_redirect_uri` for one that
 * the platform has not registered: the link would lead nowhere.
 */
export async function oauthUrl(ctx: Ctx, { id, redirectUris }: Platform, link: Link) {
  const { email, redirectUri } = link;
  if (redirectUri !== undefined && !redirectUris.includes(redirectUri))
    throw new AppError(
      'invalid_redirect_uri',
      'redirect_uri is not among the redirect URIs of this platform. Register it with PUT /v1/platform/settings.',
      { field: 'redirect_uri' },
    );
  const publishableKey = await findPublishableKey(ctx.db, id);
  if (publishableKey === undefined) throw new InternalError(`platform ${id} has no live publishable key`);
  return {
    url: authorizeUrl(ctx, publishableKey, link),
    instructions: `Send ${email} to this URL. They sign in with that Google account and allow access to their calendar; then they can be scheduled.`,
  };
}

/** Where a person connects their calendar with the platform of this publishable key. */
export function authorizeUrl(
  ctx: Pick<Ctx, 'config'>,
  publishableKey: string,
  { email, redirectUri, state }: Link,
): string {
  const url = new URL('/v1/auth/calendar/authorize', ctx.config.baseUrl);
  url.searchParams.set('platform_key', publishableKey);
  url.searchParams.set('user_email', email);
  if (redirectUri !== undefined) url.searchParams.set('redirect_uri', redirectUri);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
