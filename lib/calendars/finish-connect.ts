import { saveGrant } from '../../schema/calendar-accounts/queries.ts';
import { listConnectedPlatformIds, upsertConnection } from '../../schema/connections/queries.ts';
import { findUserByEmail, upsertUser } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { emitEvent, kickDelivery } from '../webhooks/emit.ts';
import { connectedEvent } from './connected-event.ts';
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
  const { grant } = consent;
  const now = ctx.clock.now();
  const [refreshToken, accessToken, connected] = await Promise.all([
    ctx.sealer.seal(grant.refreshToken),
    ctx.sealer.seal(grant.accessToken),
    listConnectedPlatformIds(ctx.db, email),
  ]);
  const { accessExpiresAt, scope, timeZone: calendarTimeZone } = grant;
  const providerId = grant.account.id;
  const data = connectedEvent({ email, providerId, now, calendarTimeZone, preferences: known?.preferences ?? {} });
  const platformIds = [...new Set(platformId === undefined ? connected : [...connected, platformId])];
  const events = platformIds.map((id) => emitEvent(ctx, { platformId: id, type: 'user.calendar.connected', data }));

  const [[user]] = await ctx.db.batch([
    upsertUser(ctx.db, { id: ctx.ids.id('usr_'), email, calendarTimeZone, now }),
    saveGrant(ctx.db, { email, providerId, refreshToken, accessToken, accessExpiresAt, scope, now }),
    ...(platformId === undefined ? [] : [upsertConnection(ctx.db, { platformId, email, now })]),
    ...events.map(({ statement }) => statement),
  ]);
  if (user === undefined) throw new Error('the user was not kept');
  for (const { deliveryId } of events) ctx.later(kickDelivery(ctx, deliveryId));
  if (journey.redirectUri === undefined)
    return { kind: 'page', email, userId: user.id, isLogin: platformId === undefined };
  return { kind: 'redirect', url: returnUrl(journey.redirectUri, journey, 'success', 'true'), userId: user.id };
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
