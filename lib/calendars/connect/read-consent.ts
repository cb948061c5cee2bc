import type { Ctx } from '../../context.ts';
import { CalendarError, GrantError } from '../../ports.ts';
import { listCalendars } from '../blocking/free-busy.ts';
import { type AuthorizationRequest, callbackUri } from './authorization-request.ts';

export type Refusal =
  | 'access_denied'
  | 'email_mismatch'
  | 'missing_scopes'
  | 'calendar_refused'
  | 'calendar_unavailable';

/** What a person must leave ticked on the provider's page. */
const NEEDED = ['calendar.events', 'calendar.freebusy'] as const;
export type NeededScope = (typeof NEEDED)[number];

/** The grant a code stands for, when it is the right person's and reaches far enough; else why not. */
export async function readConsent(ctx: Ctx, request: AuthorizationRequest, code: string) {
  try {
    const { codeVerifier, email } = request;
    const tokens = await ctx.oauth.exchange({ code, codeVerifier, redirectUri: callbackUri(ctx) });
    const { account, refreshToken } = tokens;
    if (!account.emailVerified || account.email.toLowerCase() !== email) return refuse('email_mismatch');
    const granted = tokens.scope.split(' ');
    const isGranted = (name: string) => granted.includes(`https://www.googleapis.com/auth/${name}`);
    const missing = NEEDED.filter((name) => !isGranted(name));
    if (missing.length > 0) return { ...refuse('missing_scopes'), missing };
    if (refreshToken === undefined) return refuse('calendar_unavailable');
    const [timeZone, calendars] = await Promise.all([
      readTimeZone(ctx, tokens.accessToken),
      isGranted('calendar.calendarlist.readonly') ? listCalendars(ctx, tokens.accessToken) : undefined,
    ]);
    return { grant: { ...tokens, refreshToken, timeZone, calendars } };
  } catch (error) {
    if (!(error instanceof GrantError || error instanceof CalendarError)) throw error;
    ctx.log('warn', 'calendar consent failed', { error });
    return refuse(
      error instanceof GrantError && error.kind !== 'unavailable' ? 'calendar_refused' : 'calendar_unavailable',
    );
  }
}

async function readTimeZone(ctx: Ctx, accessToken: string): Promise<string | undefined> {
  try {
    return await ctx.calendar.timeZone(accessToken);
  } catch (error) {
    // The settings scope is optional, and an account may have no settings yet.
    if (error instanceof CalendarError && ['not_found', 'forbidden'].includes(error.kind)) return undefined;
    throw error;
  }
}

const refuse = (refusal: Refusal) => ({ refusal, missing: [] as NeededScope[] });
