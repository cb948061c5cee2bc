import { findPeople } from '../../../schema/access/users.ts';
import { parseBusy } from '../../engine/time/provider-time.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import { CalendarError, GrantError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { PRIMARY } from '../blocking/choice.ts';
import { askConsent, callbackUri, idOfState, takeRequest } from '../connect/authorization-request.ts';

/** It is stored while the person consents at the calendar provider. */
interface CalendarCheck {
  /** The secret token is the one in the URL of the proposal's page. */
  tokenHash: string;
  path: string;
  /** IANA time zone in which the page shows times, if the browser or the person named one. */
  zone: string | undefined;
  codeVerifier: string;
}

export const beginCheck = (ctx: Ctx, check: Omit<CalendarCheck, 'codeVerifier'>, loginHint: string) =>
  askConsent(ctx, 'check', check, loginHint);

/** Uses the state up. Returns `used` if it already was, and undefined if it is forged, expired or of another kind. */
export async function takeCheck(ctx: Ctx, state: string): Promise<CalendarCheck | 'used' | undefined> {
  const id = await idOfState(ctx, 'check', state);
  return id === undefined ? undefined : ((await takeRequest<CalendarCheck>(ctx, 'check', id)) ?? 'used');
}

interface Returned {
  codeVerifier: string;
  /** Absent if the person refused. */
  code?: string | undefined;
  error?: string | undefined;
  span: Interval;
}

/** Gives the access back, even if the read failed, and stores nothing. `ended` means that the person had revoked it. */
export async function readBusyOnce(ctx: Ctx, { codeVerifier, code, error, span }: Returned) {
  if (error === 'access_denied') return { refusal: 'access_denied' } as const;
  if (code === undefined) return { refusal: 'calendar_unavailable' } as const;
  try {
    const grant = await ctx.oauth.exchangeOnce({ code, codeVerifier, redirectUri: callbackUri(ctx) });
    try {
      if (!grant.mayReadBusy) return { refusal: 'missing_scopes' } as const;
      return { busy: await busyIn(ctx, grant.accessToken, span) };
    } finally {
      await giveBack(ctx, grant);
    }
  } catch (failure) {
    if (!(failure instanceof GrantError) && !(failure instanceof CalendarError)) throw failure;
    return { refusal: refusalOf(failure) };
  }
}

async function busyIn(ctx: Ctx, accessToken: string, span: Interval): Promise<BusyTimes> {
  const { busy, unknown } = await ctx.calendar.freeBusy(accessToken, [PRIMARY], [span]);
  const failure = unknown.get(PRIMARY);
  if (failure !== undefined) throw failure;
  return parseBusy(busy.get(PRIMARY) ?? []);
}

function refusalOf({ kind }: GrantError | CalendarError) {
  if (kind === 'unauthorized') return 'ended';
  return kind === 'forbidden' ? 'missing_scopes' : 'calendar_unavailable';
}

/** Leaves the access to expire in an hour if the account may be connected: Google would end its other access too. */
async function giveBack(ctx: Ctx, { accessToken, accountId }: { accessToken: string; accountId: string | undefined }) {
  try {
    const isKnown = accountId === undefined || (await isConnected(ctx, accountId));
    if (!isKnown) await ctx.oauth.revoke(accessToken);
  } catch (error) {
    ctx.log('warn', 'the access to a calendar that was read once is not revoked', { error });
  }
}

async function isConnected(ctx: Ctx, providerId: string): Promise<boolean> {
  const people = await findPeople(ctx.db, { email: '', providerId, platformId: undefined });
  return people.some((one) => one.providerId === providerId && one.status !== 'disconnected');
}
