import type { Ctx } from '../../context.ts';
import { CalendarError, GrantError } from '../../ports.ts';
import { type AuthorizationRequest, callbackUri } from './authorization-request.ts';

export type Refusal =
  | 'access_denied'
  | 'email_mismatch'
  | 'missing_scopes'
  | 'calendar_refused'
  | 'calendar_unavailable';

const SCOPES = ['calendar.events', 'calendar.freebusy'].map((name) => `https://www.googleapis.com/auth/${name}`);

/** The grant a code stands for, when it is the right person's and reaches far enough; else why not. */
export async function readConsent(ctx: Ctx, request: AuthorizationRequest, code: string) {
  try {
    const { codeVerifier, email } = request;
    const tokens = await ctx.oauth.exchange({ code, codeVerifier, redirectUri: callbackUri(ctx) });
    const { account, refreshToken } = tokens;
    if (!account.emailVerified || account.email.toLowerCase() !== email) return refuse('email_mismatch');
    const granted = tokens.scope.split(' ');
    if (!SCOPES.every((scope) => granted.includes(scope))) return refuse('missing_scopes');
    if (refreshToken === undefined) return refuse('calendar_unavailable');
    const timeZone = await readTimeZone(ctx, tokens.accessToken);
    return { grant: { ...tokens, refreshToken, timeZone } };
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

const refuse = (refusal: Refusal) => ({ refusal });
