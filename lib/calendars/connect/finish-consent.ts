import { findActivePlatform } from '../../../schema/access/platforms.ts';
import type { Ctx } from '../../kit/context.ts';
import { beginConsent } from '../grants/revoke.ts';
import { type AuthorizationRequest, idOfState, keep, TTL_SECONDS, takeRequest } from './authorization-request.ts';
import {
  type ConsentRefusal,
  commitConnection,
  type NeededScope,
  type NewSession,
  readConsent,
} from './commit-connection.ts';

export type Outcome =
  | { kind: 'redirect'; url: string; reason?: ConsentRefusal }
  | { kind: 'connected'; email: string }
  | { kind: 'signed_in'; session: NewSession; agent: string | undefined; to: string | undefined }
  | Failed;

/** `asked` is the person who was asked to consent, if known. */
export interface Failed {
  kind: 'failed';
  reason: ConsentRefusal | 'link_ended' | 'expired' | 'used' | 'other_browser';
  missing?: readonly NeededScope[];
  asked?: { email: string; isLogin: boolean };
  /** The spelling of the asked address under which the account is connected already. */
  knownAs?: string | undefined;
}

interface Returned {
  code?: string | undefined;
  error?: string | undefined;
  state: string;
}

type Follow = Parameters<typeof commitConnection>[1]['follow'];

const LOOKS = 20;
const LOOK_EVERY_MS = 500;

/**
 * Finishes an OAuth consent after the provider sends the person back. Stores the grant and notifies every platform of
 * the person, or changes nothing. A person who comes back once more, because they clicked twice or reloaded, gets the
 * outcome of the first time. After a consent that came to nothing, another answer of the provider is tried anew.
 * `follow` takes over what the calendar of a person who connects again shows of their meetings.
 */
export async function finishConnect(ctx: Ctx, { state, ...answer }: Returned, follow: Follow): Promise<Outcome> {
  const id = await idOfState(ctx, 'oauth', state);
  if (id === undefined) return { kind: 'failed', reason: 'expired' };
  const said = JSON.stringify([answer.code ?? null, answer.error ?? null]);
  const former = await formerOutcome(ctx, id, said);
  if (former !== undefined) return former;
  const request = await takeRequest<AuthorizationRequest>(ctx, 'oauth', id);
  if (request === undefined) return waitForOutcome(ctx, id);
  try {
    const outcome = await finish(ctx, request, answer, follow);
    await ctx.nonces.put(doneKey(id), JSON.stringify({ said, outcome }), TTL_SECONDS);
    if (isRefusal(outcome)) await keep(ctx, 'oauth', id, request);
    return outcome;
  } catch (error) {
    await keep(ctx, 'oauth', id, request);
    throw error;
  }
}

const doneKey = (id: string) => `oauth-done:${id}`;
const isRefusal = (outcome: Outcome) => 'reason' in outcome;

/** Returns the outcome of a consent that succeeded, or that came to nothing with this very answer of the provider. */
async function formerOutcome(ctx: Ctx, id: string, said?: string): Promise<Outcome | undefined> {
  const kept = await ctx.nonces.find(doneKey(id));
  if (kept === null) return undefined;
  const former: { said: string; outcome: Outcome } = JSON.parse(kept);
  return said === undefined || former.said === said || !isRefusal(former.outcome) ? former.outcome : undefined;
}

/** Waits for the outcome of a consent that another request of the same browser is just finishing. */
async function waitForOutcome(ctx: Ctx, id: string): Promise<Outcome> {
  for (let look = 0; look < LOOKS; look += 1) {
    const outcome = await formerOutcome(ctx, id);
    if (outcome !== undefined) return outcome;
    await ctx.sleep(LOOK_EVERY_MS);
  }
  return { kind: 'failed', reason: 'used' };
}

async function finish(
  ctx: Ctx,
  request: AuthorizationRequest,
  { code, error }: Omit<Returned, 'state'>,
  follow: Follow,
): Promise<Outcome> {
  if (!(await isStillAsked(ctx, request))) return { kind: 'failed', reason: 'link_ended' };
  if (error === 'access_denied') return refused(request, 'access_denied');
  if (code === undefined) return refused(request, 'calendar_unavailable');
  const begun = await beginConsent(ctx, request.email);
  const consent = await readConsent(ctx, { ...request, code, begun });
  if ('refusal' in consent) return refused(request, consent.refusal, consent);

  const { email, platformId, suggested, redirectUri, agent, to } = request;
  const kept = { email, platformId, suggested, consent: begun, grant: consent.grant, follow };
  const stored = await commitConnection(ctx, kept);
  if ('refusal' in stored) return refused(request, stored.refusal, stored);
  if (stored.session !== undefined) return { kind: 'signed_in', session: stored.session, agent, to };
  if (redirectUri === undefined) return { kind: 'connected', email };
  return { kind: 'redirect', url: returnUrl(redirectUri, request, { success: 'true' }) };
}

/** While the person was away, the platform may have been suspended, or may have taken back the redirect URI. */
async function isStillAsked(ctx: Ctx, { platformId, redirectUri }: AuthorizationRequest): Promise<boolean> {
  if (platformId === undefined) return true;
  const platform = await findActivePlatform(ctx.db, { platformId });
  return platform !== undefined && (redirectUri === undefined || platform.redirectUris.includes(redirectUri));
}

function refused(
  request: AuthorizationRequest,
  reason: ConsentRefusal,
  { missing = [], knownAs }: Pick<Failed, 'missing' | 'knownAs'> = {},
): Outcome {
  const asked = { email: request.email, isLogin: request.platformId === undefined };
  if (request.redirectUri === undefined) return { kind: 'failed', reason, missing, asked, knownAs };
  return { kind: 'redirect', url: returnUrl(request.redirectUri, request, { error: reason }), reason };
}

function returnUrl(
  redirectUri: string,
  { state }: Pick<AuthorizationRequest, 'state'>,
  result: { success: 'true' } | { error: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
