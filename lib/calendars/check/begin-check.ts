import type { Ctx } from '../../kit/context.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';
import { callbackUri } from '../connect/authorization-request.ts';
import { challengeOf } from '../connect/begin-consent.ts';

/** It is stored while the person consents at the calendar provider. */
export interface CalendarCheck {
  /** The secret token is the one in the URL of the proposal's page. */
  tokenHash: string;
  path: string;
  /** IANA time zone in which the page shows times, if the browser or the person named one. */
  zone: string | undefined;
  codeVerifier: string;
}

const TTL_SECONDS = 600;
const AUDIENCE = 'calendar-check';

/** The consent gives access for one free/busy read. The state works once and for ten minutes. */
export async function beginCheck(ctx: Ctx, check: Omit<CalendarCheck, 'codeVerifier'>, loginHint: string) {
  const id = ctx.ids.secret('');
  const codeVerifier = ctx.ids.secret('');
  await ctx.nonces.put(`check:${id}`, JSON.stringify({ ...check, codeVerifier }), TTL_SECONDS);
  const { token: state } = await signToken(ctx, { audience: AUDIENCE, id, seconds: TTL_SECONDS });
  const codeChallenge = await challengeOf(codeVerifier);
  return { url: ctx.oauth.freeBusyUrl({ redirectUri: callbackUri(ctx), state, loginHint, codeChallenge }), state };
}

/**
 * Takes the request by its state, and uses the state up: `used` if that happened before, and undefined if it is forged,
 * expired or belongs to another kind of request.
 */
export async function takeCheck(ctx: Ctx, state: string): Promise<CalendarCheck | 'used' | undefined> {
  const signed = await readToken(ctx, AUDIENCE, state);
  if (signed === undefined) return undefined;
  const kept = await ctx.nonces.take(`check:${signed.id}`);
  return kept === null ? 'used' : JSON.parse(kept);
}
