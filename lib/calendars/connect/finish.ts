import { refusalOf } from '../../../schema/refusals.ts';
import type { Ctx } from '../../context.ts';
import { holdOffRevocation } from '../grants/revoke.ts';
import { type AuthorizationRequest, takeAuthorization } from './authorization-request.ts';
import { keepGrant } from './keep-grant.ts';
import { type NeededScope, type Refusal, readConsent } from './read-consent.ts';

export type Outcome =
  | { kind: 'redirect'; url: string; userId?: string }
  | { kind: 'page'; email: string; userId: string; isLogin: boolean }
  | Failed;

/** A consent that came to nothing, told to the person themselves; `asked` is who was asked, where that is known. */
export interface Failed {
  kind: 'failed';
  reason: Refusal | 'expired' | 'used' | 'other_browser';
  missing?: readonly NeededScope[];
  asked?: { email: string; isLogin: boolean };
}

/** Ends a consent: the grant is kept and every platform of the person hears of it, or nothing changes. */
export async function finishConnect(
  ctx: Ctx,
  input: { code?: string | undefined; error?: string | undefined; state: string },
): Promise<Outcome> {
  const request = await takeAuthorization(ctx, input.state);
  if (typeof request === 'string') return { kind: 'failed', reason: request };
  if (input.error === 'access_denied') return refused(request, 'access_denied');
  if (input.code === undefined) return refused(request, 'calendar_unavailable');
  const held = await holdOffRevocation(ctx, request.email);
  const consent = await readConsent(ctx, request, input.code);
  if ('refusal' in consent) return refused(request, consent.refusal, consent.missing);

  const { email, platformId } = request;
  const kept = { email, platformId, consent: held, grant: consent.grant };
  const userId = await keepGrant(ctx, kept).catch((error: unknown) => {
    if (refusalOf(error) !== 'not_connected') throw error;
    return undefined;
  });
  if (userId === undefined) return refused(request, 'calendar_unavailable');
  if (request.redirectUri === undefined) return { kind: 'page', email, userId, isLogin: platformId === undefined };
  return { kind: 'redirect', url: returnUrl(request.redirectUri, request, 'success', 'true'), userId };
}

function refused(request: AuthorizationRequest, reason: Refusal, missing: NeededScope[] = []): Outcome {
  const asked = { email: request.email, isLogin: request.platformId === undefined };
  if (request.redirectUri === undefined) return { kind: 'failed', reason, missing, asked };
  return { kind: 'redirect', url: returnUrl(request.redirectUri, request, 'error', reason) };
}

function returnUrl(
  redirectUri: string,
  { state }: AuthorizationRequest,
  name: 'success' | 'error',
  value: string,
): string {
  const url = new URL(redirectUri);
  url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
