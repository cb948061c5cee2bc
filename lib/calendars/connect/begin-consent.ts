import { findPlatformByPublishableKey } from '../../../schema/access/api-keys.ts';
import { MOST_STATE } from '../../../schema/api/calendars.ts';
import { Email } from '../../../schema/api/fields.ts';
import type { StoredSuggestion } from '../../../schema/api/preferences.ts';
import type { Ctx } from '../../kit/context.ts';
import { invalid } from '../../kit/errors.ts';
import { hmacSha256 } from '../../kit/hmac.ts';
import { sha256 } from '../../kit/keys.ts';
import { finishRevocation } from '../grants/revoke.ts';
import { type AuthorizationRequest, askConsent } from './authorization-request.ts';

/** Longest request of an agent in characters, because it is stored with the consent that somebody starts. */
const LONGEST_AGENT = 8_192;

export interface ConnectLink {
  platformKey: string;
  userEmail: string;
  redirectUri?: string | undefined;
  state?: string | undefined;
}

/** Throws `invalid_request` for an invalid link. */
export async function readConnectLink(ctx: Ctx, link: ConnectLink) {
  const { platformKey, redirectUri, state } = link;
  const isGenuine = await ctx.keys.isGenuine(platformKey);
  const platform = isGenuine ? await findPlatformByPublishableKey(ctx.db, await sha256(platformKey)) : undefined;
  if (platform === undefined)
    throw invalid(
      'platform_key',
      '`platform_key` must be a valid publishable key (pk_live_), as in the link from GET /v1/platform/oauth-url.',
    );
  if (platform.suspendedAt !== null)
    throw invalid(
      'platform_key',
      'The platform of this link is suspended, so it cannot connect calendars until the operator resumes it. Ask the platform that sent you the link.',
    );
  if (redirectUri !== undefined && !platform.redirectUris.includes(redirectUri))
    throw invalid(
      'redirect_uri',
      '`redirect_uri` is not registered for this platform. Register the URI with PUT /v1/platform/settings.',
    );
  if ((state?.length ?? 0) > MOST_STATE)
    throw invalid('state', `\`state\` must have at most ${MOST_STATE.toLocaleString('en-US')} characters.`);
  return { platform, email: parseEmail('user_email', link.userEmail) };
}

/**
 * `nonce` is stored in the browser that was shown the form, so that only that browser can submit it. `suggested` has the
 * preferences that the form showed, so that nobody agrees to others.
 */
export const consentToken = (
  ctx: Ctx,
  nonce: string,
  { platformKey, userEmail, redirectUri, state }: ConnectLink,
  suggested: StoredSuggestion | null,
) =>
  hmacSha256(
    ctx.config.sessionSecret,
    `consent:${JSON.stringify([nonce, platformKey, userEmail, redirectUri ?? null, state ?? null, suggested])}`,
  );

/** Returns the provider's consent URL and its state parameter. */
export const beginConnect = (
  ctx: Ctx,
  { redirectUri, state }: ConnectLink,
  { platform, email }: Awaited<ReturnType<typeof readConnectLink>>,
) =>
  begin(ctx, {
    email,
    platformId: platform.id,
    suggested: platform.defaultPreferences ?? undefined,
    redirectUri,
    state,
  });

/** Leads back to the page about an agent's request (`agent`), or to the page of theirs that they asked for (`to`). */
export async function beginLogin(ctx: Ctx, userId: string, { agent, to }: { agent?: string; to?: string }) {
  const email = parseEmail('user_id', userId);
  if ((agent?.length ?? 0) > LONGEST_AGENT)
    throw invalid('agent', `\`agent\` must have at most ${LONGEST_AGENT} characters.`);
  const page = /^\/me\/[\w/-]{1,100}$/.exec(to ?? '')?.[0];
  return begin(ctx, { email, agent, to: page });
}

async function begin(ctx: Ctx, request: Omit<AuthorizationRequest, 'codeVerifier'>) {
  await finishRevocation(ctx, request.email);
  return askConsent(ctx, 'oauth', request, request.email);
}

/** Mail programs take punctuation for a part of the link, and a plus sign that was not encoded arrives as a blank. */
function parseEmail(field: string, text: string): string {
  const [address] = /^.*[^.,;:!?)\]}>'"]/s.exec(text.trim().replaceAll(' ', '+')) ?? [''];
  const parsed = Email.safeParse(address);
  if (!parsed.success) throw invalid(field, `\`${field}\` must be an email address, such as ada@example.com.`);
  return parsed.data;
}
