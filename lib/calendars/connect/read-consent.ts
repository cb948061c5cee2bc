import { Email } from '../../../schema/api/fields.ts';
import { CalendarError, GrantError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { listCalendars } from '../blocking/free-busy.ts';
import { type beginConsent, holdOffRevocation } from '../grants/revoke.ts';
import { readTimeZone } from '../time-zone.ts';
import { type AuthorizationRequest, callbackUri } from './authorization-request.ts';

export type ConsentRefusal =
  | 'access_denied'
  | 'email_mismatch'
  | 'address_held'
  | 'missing_scopes'
  | 'calendar_refused'
  | 'calendar_unavailable';

/** OAuth permissions that a person must leave ticked on the provider's consent page. */
const NEEDED = ['calendar.events', 'calendar.freebusy'] as const;
export type NeededScope = (typeof NEEDED)[number];

interface Returned extends AuthorizationRequest {
  /** OAuth authorization code with which the provider sent the person back. */
  code: string;
  begun: Awaited<ReturnType<typeof beginConsent>>;
}

/**
 * Delays the revocation of the account's former grant, because that would end the new one too. Refuses a grant of
 * another person, one that lacks a permission, and one that may have been revoked already.
 */
export async function readConsent(ctx: Ctx, { codeVerifier, email, code, begun }: Returned) {
  try {
    const tokens = await ctx.oauth.exchange({ code, codeVerifier, redirectUri: callbackUri(ctx) });
    const { account, refreshToken } = tokens;
    if (!account.emailVerified || !isSameMailbox(account.email, email)) return refuse('email_mismatch');
    if (!(await holdOffRevocation(ctx, begun, account.id))) return refuse('calendar_unavailable');
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

const refuse = (refusal: ConsentRefusal) => ({ refusal, missing: [] as NeededScope[] });

/** At gmail.com, also googlemail.com, dots and everything from a plus sign on make no difference. */
export const isSameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other);

function mailboxOf(address: string): string {
  const email = Email.safeParse(address).data ?? address.toLowerCase();
  const [, local, isGoogle] = /^(.*)@(?:(gmail|googlemail)\.com|.*)$/.exec(email) ?? [];
  if (local === undefined || isGoogle === undefined) return email;
  return `${local.replace(/\+.*/, '').replaceAll('.', '')}@gmail.com`;
}
