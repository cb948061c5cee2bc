import { base64url } from 'jose';
import type { StoredSuggestion } from '../../../schema/api/preferences.ts';
import type { Ctx } from '../../kit/context.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';

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
