import { base64url } from 'jose';
import { findPlatformByPublishableKey } from '../../../schema/access/api-keys.ts';
import { MOST_STATE } from '../../../schema/api/calendars.ts';
import { Email } from '../../../schema/api/fields.ts';
import type { StoredSuggestion } from '../../../schema/api/preferences.ts';
import type { Ctx } from '../../kit/context.ts';
import { invalid } from '../../kit/errors.ts';
import { hmacSha256 } from '../../kit/hmac.ts';
import { sha256 } from '../../kit/ids.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';
import { finishRevocation } from '../grants/revoke.ts';

export interface AuthorizationRequest {
  email: string;
  codeVerifier: string;
  /** Id of the platform that asked for the consent. Absent if a person signs in to their own page. */
  platformId?: string | undefined;
  /** Query of the authorization request of an agent, to which a person returns after signing in. */
  agent?: string | undefined;
  /** Path of the page to which a person returns after signing in. Absent for `/me`. */
  to?: string | undefined;
  /** Preferences that the platform suggests, as the person was shown them. */
  suggested?: StoredSuggestion | undefined;
  redirectUri?: string | undefined;
  state?: string | undefined;
}

export const TTL_SECONDS = 600;

/** A person consents to lasting access, as they connect or sign in (`oauth`), or to one free/busy read (`check`). */
type Kind = 'oauth' | 'check';
const AUDIENCES: Record<Kind, string> = { oauth: 'oauth-state', check: 'calendar-check' };

export const callbackUri = (ctx: Ctx) => `${ctx.config.baseUrl}/oauth/callback`;

/** Returns the provider's consent URL and its state parameter. The state takes the data once, within ten minutes. */
export async function askConsent(ctx: Ctx, kind: Kind, data: object, loginHint: string) {
  const [id, codeVerifier] = [ctx.ids.secret(''), ctx.ids.secret('')];
  await keep(ctx, kind, id, { ...data, codeVerifier });
  const { token: state } = await signToken(ctx, { audience: AUDIENCES[kind], id, seconds: TTL_SECONDS });
  const asked = { redirectUri: callbackUri(ctx), state, loginHint, codeChallenge: await challengeOf(codeVerifier) };
  return { url: kind === 'oauth' ? ctx.oauth.consentUrl(asked) : ctx.oauth.freeBusyUrl(asked), state };
}

export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url.encode(new Uint8Array(digest));
}

/** Reads the id of a consent from its state parameter. Returns undefined if the state is forged or too old. */
export const idOfState = async (ctx: Ctx, kind: Kind, state: string): Promise<string | undefined> =>
  (await readToken(ctx, AUDIENCES[kind], state))?.id;

/** Takes the stored data of a consent, so that nobody else finishes the consent meanwhile. */
export async function takeRequest<Data>(ctx: Ctx, kind: Kind, id: string): Promise<Data | undefined> {
  const kept = await ctx.nonces.take(`${kind}:${id}`);
  return kept === null ? undefined : JSON.parse(kept);
}

/** Keeps the data of a consent, also after one that came to nothing, so that the person can try again. */
export const keep = (ctx: Ctx, kind: Kind, id: string, data: object) =>
  ctx.nonces.put(`${kind}:${id}`, JSON.stringify(data), TTL_SECONDS);

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

/** Only the browser that keeps `nonce` can submit the form, and nobody agrees to other preferences than those shown. */
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
