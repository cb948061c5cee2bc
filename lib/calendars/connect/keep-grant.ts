import { isNotConnected, lockAccount } from '../../../schema/calendar-accounts/claim-queries.ts';
import { saveGrant } from '../../../schema/calendar-accounts/queries.ts';
import { upsertConnection } from '../../../schema/connections/queries.ts';
import { dropRevocation } from '../../../schema/revocations/queries.ts';
import { upsertUser } from '../../../schema/users/queries.ts';
import type { StoredPreferences } from '../../../schema/users/table.ts';
import type { Ctx } from '../../context.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import type { readConsent } from './read-consent.ts';

interface Kept {
  email: string;
  /** Absent when a person signed in to their own page. */
  platformId: string | undefined;
  grant: Extract<Awaited<ReturnType<typeof readConsent>>, { grant: unknown }>['grant'];
  preferences: StoredPreferences;
}

/**
 * Keeps a fresh grant in one batch: the person, the tokens, the connection, and the event to every platform of the
 * person. A sign-in is told only when it ends the need to consent again. Answers the user's id; throws Postgres' refusal
 * `not_connected` when their former grant is being revoked, and this one with it.
 */
export async function keepGrant(ctx: Ctx, { email, platformId, grant, preferences }: Kept): Promise<string> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const { accessExpiresAt, scope, timeZone: calendarTimeZone } = grant;
  const providerId = grant.account.id;
  const [refreshToken, accessToken] = await Promise.all([
    ctx.sealer.seal(grant.refreshToken),
    ctx.sealer.seal(grant.accessToken),
  ]);
  const user = upsertUser(db, { id: ctx.ids.id('usr_'), email, calendarTimeZone, now });
  const save = saveGrant(db, { email, providerId, refreshToken, accessToken, accessExpiresAt, scope, now });
  const lock = lockAccount(db, email);
  const drop = dropRevocation(db, { email, now });
  const event = (guard?: ReturnType<typeof isNotConnected>) =>
    insertEventForConnected(ctx, {
      email,
      type: 'user.calendar.connected',
      now,
      guard,
      data: () => connectedEvent({ email, providerId, now, calendarTimeZone, preferences }),
    });

  if (platformId === undefined) {
    const [, kept, , deliveries] = await db.batch([lock, user, drop, event(isNotConnected(email)), save]);
    return answer(ctx, kept, deliveries);
  }
  const connect = upsertConnection(db, { platformId, email, now });
  const [, kept, , , , deliveries] = await db.batch([lock, user, drop, save, connect, event()]);
  return answer(ctx, kept, deliveries);
}

function answer(ctx: Ctx, [user]: { id: string }[], deliveries: { rows: { id: string }[] }): string {
  if (user === undefined) throw new Error('the user was not kept');
  publishAll(ctx, deliveries);
  return user.id;
}

const DEFAULT_HOURS = { start: '08:00', end: '18:00' };
const hourOf = (time: string) => Number(time.slice(0, 2));

/** The data of `user.calendar.connected`; the hours are those of the first enabled work day. */
export function connectedEvent(input: {
  email: string;
  providerId: string;
  now: number;
  calendarTimeZone: string;
  preferences: StoredPreferences;
}) {
  const { preferences } = input;
  const timezone = preferences.timezone ?? input.calendarTimeZone;
  const hours = Object.values(preferences.work_hours ?? {}).find(({ enabled }) => enabled) ?? DEFAULT_HOURS;
  return {
    user_email: input.email,
    provider_id: input.providerId,
    connected_at: new Date(input.now).toISOString(),
    timezone,
    preferences: { timezone, working_hours_start: hourOf(hours.start), working_hours_end: hourOf(hours.end) },
    calendar_access: 'read_write' as const,
  };
}
