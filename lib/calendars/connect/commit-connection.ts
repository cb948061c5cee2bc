import { revokeUserKeys } from '../../../schema/access/api-keys.ts';
import { renewSnapshot } from '../../../schema/access/busy-snapshots.ts';
import { isNotConnected, lockAccount } from '../../../schema/access/calendar-accounts.ts';
import { type Consent, saveGrant } from '../../../schema/access/calendar-accounts-refresh.ts';
import { upsertConnection } from '../../../schema/access/connections.ts';
import { lockInvited } from '../../../schema/access/people.ts';
import { dropRevocation, lockRevocation } from '../../../schema/access/revocations.ts';
import { endSessions } from '../../../schema/access/sessions.ts';
import {
  endUser,
  findPeople,
  hasAddress,
  holdsNothing,
  lockUser,
  saveUser,
  suggestPreferences,
} from '../../../schema/access/users.ts';
import type { WebhookEvents } from '../../../schema/answers/render.ts';
import { Email } from '../../../schema/api/fields.ts';
import type { StoredSuggestion } from '../../../schema/api/preferences.ts';
import { batch, refusalOf } from '../../../schema/db.ts';
import { holdMeetings, keepTheirAccess } from '../../../schema/meetings/holds.ts';
import { wakePendingOperations } from '../../../schema/meetings/pending-operations.ts';
import { lockGuest, mergeGuest } from '../../../schema/upkeep/users-erase.ts';
import { DEFAULT_WORK_HOURS } from '../../engine/rules/defaults.ts';
import { WEEKDAYS } from '../../engine/time/dates.ts';
import { CalendarError, GrantError, type ListedCalendar } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { formerAddress } from '../../kit/ids.ts';
import { KEPT_MS } from '../../kit/kept-for.ts';
import { newPersonSession } from '../../kit/page-session.ts';
import { accessTokenPlace, refreshTokenPlace } from '../../kit/reseal.ts';
import { type WholePreferences, wholePreferences } from '../../person/person.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { follow, mainAlone, openBlocking, sealBlocking } from '../blocking/choice.ts';
import { listCalendars } from '../blocking/free-busy.ts';
import { endingOf } from '../grants/end-connections.ts';
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

interface Kept {
  email: string;
  platformId: string | undefined;
  /** Preferences that the platform suggests to a person new to Tandem. */
  suggested: StoredSuggestion | undefined;
  consent: Consent;
  grant: Extract<Awaited<ReturnType<typeof readConsent>>, { grant: unknown }>['grant'];
  /** Function that reads the calendar of a person who has meetings from before, because it may show them otherwise. */
  follow: (userId: string) => Promise<void>;
}

export type NewSession = ReturnType<typeof newPersonSession>['session'];

/** Concurrent consents for one address or account make one attempt fail, and more than three rarely coincide. */
const TRIES = 3;

/** A second attempt may succeed: another consent was saved first or at once, or the person was deleted meanwhile. */
const MENDED = ['duplicate_key', 'not_connected', 'serialization_failure'];

/**
 * Stores a person's new calendar grant in one batch: the person, the tokens, the connection, and a webhook event to
 * each of the person's platforms. Returns the session of a person who signed in to their own page. A person who connects
 * by a platform's link, perhaps on a shared machine, gets none.
 * - The provider's account decides who the person is (schema/DECISIONS.md, "Who a person is"). If another person had
 *   the email address, that person's access ends, and the new one inherits nothing.
 * - Refuses with `address_held` if that other person still has access and the provider does not confirm that the
 *   address is the new account's.
 * - Refuses with `email_mismatch` an account that is connected under another spelling of its address, `knownAs`: a person
 *   has one address, and the platforms that know the former spelling would lose them.
 * - Meetings and proposals of the person as a guest of the platform now belong to the person's account.
 * - A sign-in sends the event only if the person had to consent again.
 * - Refuses with `calendar_unavailable` if the person's former grant is being revoked, or was revoked since the consent
 *   began, because the new grant is revoked with it.
 */
export async function commitConnection(ctx: Ctx, kept: Kept): Promise<Committed> {
  for (let left = TRIES; ; left--) {
    try {
      return await keepAtOnce(ctx, kept);
    } catch (error) {
      const refusal = refusalOf(error) ?? '';
      if (left > 1 && MENDED.includes(refusal)) continue;
      if (refusal !== 'not_connected') throw error;
      return { refusal: 'calendar_unavailable' };
    }
  }
}

type Committed = { session: NewSession | undefined } | { refusal: ConsentRefusal; knownAs?: string };

async function keepAtOnce(
  ctx: Ctx,
  { email: asked, platformId, suggested, consent, grant, follow: followEvents }: Kept,
): Promise<Committed> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const { accessExpiresAt, scope } = grant;
  const providerId = grant.account.id;
  const people = await findPeople(db, { email: asked, providerId, platformId });
  const person = people.find((one) => one.providerId === providerId);
  const former = people.find((one) => one.providerId !== providerId);
  const email = spellingOf(person, asked);
  if (platformId !== undefined && email !== asked) return { refusal: 'email_mismatch', knownAs: email };
  const { ownsAddress } = grant.account;
  if (former !== undefined && former.status !== 'disconnected' && !ownsAddress) return { refusal: 'address_held' };
  const userId = person?.id ?? ctx.ids.id('usr_');
  const calendarTimeZone = grant.timeZone ?? person?.calendarTimeZone ?? '';
  const [refreshToken, accessToken] = await Promise.all([
    ctx.sealer.seal(grant.refreshToken, refreshTokenPlace(userId)),
    ctx.sealer.seal(grant.accessToken, accessTokenPlace(userId)),
  ]);
  const isNew = person === undefined || (person.isUnset && !person.isKnown);
  const own = { ...person?.preferences, ...(isNew && suggested) };
  const preferences = wholePreferences({ preferences: own, calendarTimeZone });
  const { timeZone } = preferences;
  const blocking = await whichBlock(ctx, { id: userId, calendars: null, ...person }, grant.calendars);
  const event = (guard?: ReturnType<typeof isNotConnected>) =>
    insertEventForConnected(ctx, {
      userId,
      type: 'user.calendar.connected',
      now,
      guard,
      event: ({ connectedAt }) => ({
        email,
        providerId,
        connectedAt,
        timeZone,
        workingHours: workingHours(preferences),
      }),
    });
  const since = now - KEPT_MS.holds;
  const invited = platformId === undefined ? undefined : { platformId, email, userId, now };
  const begun = {
    ...(invited && { invited: lockInvited(db, invited) }),
    ...passOn(ctx, { email, former, ownsAddress, now }),
    lock: lockAccount(db, userId),
    userLocked: lockUser(db, userId),
    ...(invited && { guest: lockGuest(db, invited) }),
    user: saveUser(db, { id: userId, email, calendarTimeZone, now }),
    locked: lockRevocation(db, { providerId }),
    woken: wakePendingOperations(db, { userId, now }),
  };
  const tokens = { refreshToken, accessToken, accessExpiresAt, scope };
  const kept = {
    saved: saveGrant(db, { userId, providerId, ...tokens, blocking, consent, now }),
    dropped: dropRevocation(db, { providerId, now }),
    renewed: renewSnapshot(db, { userId, platformId, now }),
  };
  const publish = ({ disconnected, connected }: Record<'disconnected' | 'connected', { rows: { id: string }[] }>) =>
    publishAll(ctx, { rows: [...disconnected.rows, ...connected.rows] });
  if (invited === undefined) {
    const { session, statements } = newPersonSession(ctx, userId);
    publish(await batch(db, { ...begun, connected: event(isNotConnected(userId)), ...kept, ...statements }));
    return { session };
  }
  const to = { platformId: invited.platformId, userId };
  const { held, ...told } = await batch(db, {
    ...begun,
    ...kept,
    ...(suggested && { suggested: suggestPreferences(db, { ...to, suggested, week: preferences.workHours }) }),
    connection: upsertConnection(db, { ...to, now }),
    connected: event(),
    ...mergeGuest(db, invited),
    theirAccess: keepTheirAccess(db, { ...to, since }),
    held: holdMeetings(db, { ...to, since }),
  });
  publish(told);
  if (held.rowCount) ctx.later(followEvents(userId));
  return { session: undefined };
}

/** Returns the address under which a connected person is known, if the asked one is another spelling of it. */
function spellingOf(person: { email: string; status: string } | undefined, asked: string): string {
  const isKnown = person !== undefined && person.status !== 'disconnected' && isSameMailbox(person.email, asked);
  return isKnown ? person.email : asked;
}

/** Without permission to list them, only the main calendar blocks. */
async function whichBlock(
  ctx: Ctx,
  stored: { id: string; calendars: string | null },
  list: ListedCalendar[] | undefined,
) {
  const former = await openBlocking(ctx, stored);
  const blocking = list === undefined ? mainAlone(former) : follow(former, list);
  return { ...(await sealBlocking(ctx, stored.id, blocking)), former: stored.calendars };
}

interface Passing {
  email: string;
  former: { id: string; providerId: string } | undefined;
  /** True if the provider confirms that the email address belongs to the consenting account. */
  ownsAddress: boolean;
  now: number;
}

/** They change nothing if nobody had the address, which a new account now has. */
function passOn(ctx: Ctx, { email, former, ownsAddress, now }: Passing) {
  const { id: userId, providerId } = former ?? { id: '', providerId: '' };
  const guard = ownsAddress ? hasAddress(userId, email) : holdsNothing(userId, email);
  return {
    ...endingOf(ctx, { userId, email, providerId, reason: 'revoked', when: guard }, now),
    formerKey: revokeUserKeys(ctx.db, { userId, now, guard }),
    formerSessions: endSessions(ctx.db, { owner: { userId }, now, guard }),
    formerUser: endUser(ctx.db, { userId, email, formerAddress: formerAddress(ctx.ids), now, guard }),
  };
}

const hourOf = (time: string) => Number(time.slice(0, 2));
const hourAfter = (time: string) => hourOf(time) + (time.endsWith(':00') ? 0 : 1);

/** Returns the hours of the first working day, widened to whole hours, for `user.calendar.connected`. */
export function workingHours({
  workHours,
}: WholePreferences): WebhookEvents['user.calendar.connected']['workingHours'] {
  const hours = WEEKDAYS.map((day) => workHours[day]).find(({ enabled }) => enabled) ?? DEFAULT_WORK_HOURS.monday;
  return { start: hourOf(hours.start), end: hourAfter(hours.end) };
}
