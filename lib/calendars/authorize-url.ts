import { findLinkKey } from '../../schema/access/api-keys.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { AppError, InternalError } from '../kit/errors.ts';

/** Without `redirectUri`, the person sees a Tandem page after consent. */
interface Link {
  email: string;
  redirectUri?: string | undefined;
  state?: string | undefined;
}

/** Throws `invalid_redirect_uri` for a URI that the platform has not registered: such a link would not work. */
export async function oauthUrl(ctx: Ctx, { id: platformId }: PlatformRef, link: Link) {
  const { email, redirectUri } = link;
  const found = await findLinkKey(ctx.db, { platformId });
  if (found === undefined) throw new InternalError(`Platform ${platformId} has no valid publishable key.`);
  if (redirectUri !== undefined && !found.redirectUris.includes(redirectUri))
    throw new AppError(
      'invalid_redirect_uri',
      '`redirect_uri` is not registered for this platform. Register the URI with PUT /v1/platform/settings.',
      { field: 'redirect_uri' },
    );
  return {
    url: authorizeUrl(ctx, found.key, link),
    instructions: `Send this link to ${email}. They sign in with that Google account and allow access to their calendar. Then you can schedule meetings for them.`,
  };
}

export function authorizeUrl({ config }: Pick<Ctx, 'config'>, publishableKey: string, { email, ...link }: Link) {
  const url = new URL('/v1/auth/calendar/authorize', config.baseUrl);
  url.searchParams.set('platform_key', publishableKey);
  url.searchParams.set('user_email', email);
  if (link.redirectUri !== undefined) url.searchParams.set('redirect_uri', link.redirectUri);
  if (link.state !== undefined) url.searchParams.set('state', link.state);
  return url.href;
}
