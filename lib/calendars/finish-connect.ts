import { findUserByEmail } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { keepGrant } from './keep-grant.ts';
import { type Journey, takeJourney } from './oauth-state.ts';
import { type Refusal, readConsent } from './read-consent.ts';

export type Outcome =
  | { kind: 'redirect'; url: string; userId?: string }
  | { kind: 'page'; email: string; userId: string; isLogin: boolean }
  | { kind: 'failed'; reason: Refusal | 'invalid_state' };

/** Ends a consent: the grant is kept and every platform of the person hears of it, or nothing changes. */
export async function finishConnect(
  ctx: Ctx,
  input: { code?: string | undefined; error?: string | undefined; state: string },
): Promise<Outcome> {
  const journey = await takeJourney(ctx, input.state);
  if (journey === undefined) return { kind: 'failed', reason: 'invalid_state' };
  if (input.error === 'access_denied') return refused(journey, 'access_denied');
  if (input.code === undefined) return refused(journey, 'calendar_unavailable');
  const known = await findUserByEmail(ctx.db, journey.email);
  const consent = await readConsent(ctx, journey, input.code, known?.calendarTimeZone ?? 'UTC');
  if ('refusal' in consent) return refused(journey, consent.refusal);

  const { email, platformId } = journey;
  const userId = await keepGrant(ctx, {
    email,
    platformId,
    grant: consent.grant,
    preferences: known?.preferences ?? {},
  });
  if (journey.redirectUri === undefined) return { kind: 'page', email, userId, isLogin: platformId === undefined };
  return { kind: 'redirect', url: returnUrl(journey.redirectUri, journey, 'success', 'true'), userId };
}

function refused(journey: Journey, reason: Refusal): Outcome {
  if (journey.redirectUri === undefined) return { kind: 'failed', reason };
  return { kind: 'redirect', url: returnUrl(journey.redirectUri, journey, 'error', reason) };
}

function returnUrl(redirectUri: string, { state }: Journey, name: 'success' | 'error', value: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
