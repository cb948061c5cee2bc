import { refusalOf } from '../../../schema/refusals.ts';
import type { Ctx } from '../../kit/context.ts';
import { beginConsent } from '../grants/revoke.ts';
import { type AuthorizationRequest, takeAuthorization } from './authorization-request.ts';
import { AddressHeld, commitConnection, type NewSession } from './commit-connection.ts';
import { type ConsentRefusal, type NeededScope, readConsent } from './read-consent.ts';
import { returnUrl } from './return-url.ts';

export type Outcome =
  | { kind: 'redirect'; url: string; session?: NewSession; reason?: ConsentRefusal }
  | { kind: 'page'; email: string; session: NewSession; isLogin: boolean; agent: string | undefined }
  | Failed;

/**
 * Reason why an OAuth consent failed, for the page that tells the person. `asked` is the person who was asked to
 * consent, if known.
 */
export interface Failed {
  kind: 'failed';
  reason: ConsentRefusal | 'expired' | 'used' | 'other_browser';
  missing?: readonly NeededScope[];
  asked?: { email: string; isLogin: boolean };
}

/**
 * Finishes an OAuth consent after the provider sends the person back. Stores the grant and notifies every platform of
 * the person, or changes nothing.
 */
export async function finishConnect(
  ctx: Ctx,
  input: { code?: string | undefined; error?: string | undefined; state: string },
): Promise<Outcome> {
  const request = await takeAuthorization(ctx, input.state);
  if (typeof request === 'string') return { kind: 'failed', reason: request };
  if (input.error === 'access_denied') return refused(request, 'access_denied');
  if (input.code === undefined) return refused(request, 'calendar_unavailable');
  const begun = await beginConsent(ctx, request.email);
  const consent = await readConsent(ctx, { ...request, code: input.code, begun });
  if ('refusal' in consent) return refused(request, consent.refusal, consent.missing);

  const { email, platformId } = request;
  const kept = { email, platformId, consent: begun, grant: consent.grant };
  const stored = await commitConnection(ctx, kept).then(
    (session) => ({ session }),
    (error: unknown) => ({ refusal: refusalIn(error) }),
  );
  if ('refusal' in stored) return refused(request, stored.refusal);
  const { session } = stored;
  if (request.redirectUri === undefined) {
    const { agent } = request;
    return { kind: 'page', email, session, isLogin: platformId === undefined, agent };
  }
  return { kind: 'redirect', url: returnUrl(request.redirectUri, request, { success: 'true' }), session };
}

/**
 * Converts an error on storing a calendar grant to the reason that the person is shown. Rethrows any error for which
 * there is no such reason.
 */
function refusalIn(error: unknown): ConsentRefusal {
  if (error instanceof AddressHeld) return 'address_held';
  if (refusalOf(error) === 'not_connected') return 'calendar_unavailable';
  throw error;
}

function refused(request: AuthorizationRequest, reason: ConsentRefusal, missing: NeededScope[] = []): Outcome {
  const asked = { email: request.email, isLogin: request.platformId === undefined };
  if (request.redirectUri === undefined) return { kind: 'failed', reason, missing, asked };
  return { kind: 'redirect', url: returnUrl(request.redirectUri, request, { error: reason }), reason };
}
