import { isNotConnected, lockAccount } from '../../schema/calendar-accounts/hold-queries.ts';
import { saveGrant } from '../../schema/calendar-accounts/queries.ts';
import { upsertConnection } from '../../schema/connections/queries.ts';
import { dropRevocation } from '../../schema/revocations/queries.ts';
import { upsertUser } from '../../schema/users/queries.ts';
import type { StoredPreferences } from '../../schema/users/table.ts';
import type { Ctx } from '../context.ts';
import { emitToConnected, kickAll } from '../webhooks/emit-to-connected.ts';
import { connectedEvent } from './connected-event.ts';
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
 * person. A sign-in is told only when it ends an outage. Answers the user's id.
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
  const drop = dropRevocation(db, email);
  const emit = (onlyIf?: ReturnType<typeof isNotConnected>) =>
    emitToConnected(ctx, {
      ...{ email, type: 'user.calendar.connected', now, onlyIf },
      data: () => connectedEvent({ email, providerId, now, calendarTimeZone, preferences }),
    });

  if (platformId === undefined) {
    const lock = lockAccount(db, email);
    const [kept, , told] = await db.batch([user, lock, emit(isNotConnected(email)), save, drop]);
    return answer(ctx, kept, told);
  }
  const connect = upsertConnection(db, { platformId, email, now });
  const [kept, , , , told] = await db.batch([user, save, drop, connect, emit()]);
  return answer(ctx, kept, told);
}

function answer(ctx: Ctx, [user]: { id: string }[], told: { rows: { id: string }[] }): string {
  if (user === undefined) throw new Error('the user was not kept');
  kickAll(ctx, told);
  return user.id;
}
