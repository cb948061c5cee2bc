import { revokeUserKey } from '../../../schema/api-keys/queries.ts';
import { renewSnapshot } from '../../../schema/busy-snapshots/queries.ts';
import { isNotConnected, lockAccount } from '../../../schema/calendar-accounts/claim-queries.ts';
import { saveGrant } from '../../../schema/calendar-accounts/queries.ts';
import { upsertConnection } from '../../../schema/connections/queries.ts';
import { batch } from '../../../schema/db.ts';
import { wakePendingOperations } from '../../../schema/pending-operations/queries.ts';
import { refusalOf } from '../../../schema/refusals.ts';
import { dropRevocation } from '../../../schema/revocations/queries.ts';
import { endUser, findPeople, hasAddress, saveUser } from '../../../schema/users/queries.ts';
import type { StoredPreferences } from '../../../schema/users/table.ts';
import type { Ctx } from '../../context.ts';
import { formerAddress } from '../../former-address.ts';
import { WEEKDAYS } from '../../scheduling/dates.ts';
import { DEFAULT_WORK_HOURS } from '../../scheduling/defaults.ts';
import { accessTokenOf, refreshTokenOf } from '../../sealed-places.ts';
import { workHoursOf } from '../../users/person.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { endingOf } from '../grants/end.ts';
import type { readConsent } from './read-consent.ts';

interface Kept {
  email: string;
  /** Absent when a person signed in to their own page. */
  platformId: string | undefined;
  grant: Extract<Awaited<ReturnType<typeof readConsent>>, { grant: unknown }>['grant'];
}

/** Two consents that name one address or one account at a time take turns; more than these do not meet. */
const TRIES = 3;

/** What a second look at who it is may mend: another consent went in, or the person was deleted meanwhile. */
const MENDED = ['duplicate_key', 'not_connected'];

/**
 * Keeps a fresh grant in one batch: the person, the tokens, the connection, and the event to every platform of the
 * person. Who it is the provider's account says (decisions, Calendar connection): another person who had the address
 * ends in the same batch, and what was theirs is not passed on. A sign-in is told only when it ends the need to consent
 * again. Answers the user's id; throws Postgres' refusal `not_connected` when their former grant is being revoked, and
 * this one with it.
 */
export async function keepGrant(ctx: Ctx, kept: Kept): Promise<string> {
  for (let left = TRIES; ; left--) {
    try {
      return await keepAtOnce(ctx, kept);
    } catch (error) {
      if (!MENDED.includes(refusalOf(error) ?? '') || left === 1) throw error;
    }
  }
}

async function keepAtOnce(ctx: Ctx, { email, platformId, grant }: Kept): Promise<string> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const { accessExpiresAt, scope } = grant;
  const providerId = grant.account.id;
  const people = await findPeople(db, { email, providerId });
  const person = people.find((one) => one.providerId === providerId);
  const former = people.find((one) => one.providerId !== providerId);
  const userId = person?.id ?? ctx.ids.id('usr_');
  const calendarTimeZone = grant.timeZone ?? person?.calendarTimeZone ?? 'UTC';
  const [refreshToken, accessToken] = await Promise.all([
    ctx.sealer.seal(grant.refreshToken, refreshTokenOf(userId)),
    ctx.sealer.seal(grant.accessToken, accessTokenOf(userId)),
  ]);
  const event = (guard?: ReturnType<typeof isNotConnected>) =>
    insertEventForConnected(ctx, {
      userId,
      type: 'user.calendar.connected',
      now,
      guard,
      data: () => connectedEvent({ email, providerId, now, calendarTimeZone, preferences: person?.preferences ?? {} }),
    });
  const begun = {
    ...passOn(ctx, { email, former, now }),
    lock: lockAccount(db, userId),
    user: saveUser(db, { id: userId, email, calendarTimeZone, now }),
    unrevoked: dropRevocation(db, { providerId, now }),
    woken: wakePendingOperations(db, { userId, now }),
  };
  const saved = saveGrant(db, { userId, providerId, refreshToken, accessToken, accessExpiresAt, scope, now });
  const renewed = renewSnapshot(db, { userId, now });
  const { disconnected, connected } =
    platformId === undefined
      ? await batch(db, { ...begun, connected: event(isNotConnected(userId)), saved, renewed })
      : await batch(db, {
          ...begun,
          saved,
          renewed,
          connection: upsertConnection(db, { platformId, userId, now }),
          connected: event(),
        });
  publishAll(ctx, { rows: [...disconnected.rows, ...connected.rows] });
  return userId;
}

interface Former {
  id: string;
  providerId: string;
}

/** What ends for the person who had this address before another has; nothing when nobody had. */
function passOn(ctx: Ctx, { email, former, now }: { email: string; former: Former | undefined; now: number }) {
  const { id: userId, providerId } = former ?? { id: '', providerId: '' };
  const guard = hasAddress(userId, email);
  return {
    ...endingOf(ctx, { userId, email, providerId, reason: 'revoked', when: guard }, now),
    formerKey: revokeUserKey(ctx.db, { userId, now, guard }),
    formerUser: endUser(ctx.db, { userId, email, formerAddress: formerAddress(ctx.ids), now }),
  };
}

const hourOf = (time: string) => Number(time.slice(0, 2));
const hourAfter = (time: string) => hourOf(time) + (time.endsWith(':00') ? 0 : 1);

/** The data of `user.calendar.connected`; the hours are those of the first day of work, widened to whole ones. */
export function connectedEvent(input: {
  email: string;
  providerId: string;
  now: number;
  calendarTimeZone: string;
  preferences: StoredPreferences;
}) {
  const { preferences } = input;
  const timezone = preferences.timezone ?? input.calendarTimeZone;
  const week = workHoursOf(preferences);
  const hours = WEEKDAYS.map((day) => week[day]).find(({ enabled }) => enabled) ?? DEFAULT_WORK_HOURS.monday;
  return {
    user_email: input.email,
    provider_id: input.providerId,
    connected_at: new Date(input.now).toISOString(),
    timezone,
    preferences: { timezone, working_hours_start: hourOf(hours.start), working_hours_end: hourAfter(hours.end) },
    calendar_access: 'read_write' as const,
  };
}
