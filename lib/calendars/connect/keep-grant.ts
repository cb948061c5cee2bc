import { revokeUserKey } from '../../../schema/api-keys/queries.ts';
import { renewSnapshot } from '../../../schema/busy-snapshots/queries.ts';
import { isNotConnected, lockAccount } from '../../../schema/calendar-accounts/claim-queries.ts';
import { type Consent, saveGrant } from '../../../schema/calendar-accounts/queries.ts';
import { upsertConnection } from '../../../schema/connections/queries.ts';
import { batch } from '../../../schema/db.ts';
import { wakePendingOperations } from '../../../schema/pending-operations/queries.ts';
import { refusalOf } from '../../../schema/refusals.ts';
import { dropRevocation, lockRevocation } from '../../../schema/revocations/queries.ts';
import { endUser, findPeople, hasAddress, saveUser } from '../../../schema/users/queries.ts';
import type { Ctx } from '../../context.ts';
import { formerAddress } from '../../former-address.ts';
import type { ListedCalendar } from '../../ports.ts';
import { accessTokenOf, refreshTokenOf } from '../../sealed-places.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { follow, mainAlone } from '../blocking/choice.ts';
import { openBlocking, sealBlocking } from '../blocking/stored.ts';
import { endingOf } from '../grants/end.ts';
import { connectedEvent } from '../webhook-events.ts';
import type { readConsent } from './read-consent.ts';

interface Kept {
  email: string;
  /** Absent when a person signed in to their own page. */
  platformId: string | undefined;
  consent: Consent;
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
 * again. Answers the user's id; throws Postgres' refusal `not_connected` when their former grant is being revoked, or was
 * since the consent began, and this one with it.
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

async function keepAtOnce(ctx: Ctx, { email, platformId, consent, grant }: Kept): Promise<string> {
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
  const blocking = await whichBlock(ctx, { id: userId, calendars: person?.calendars ?? null }, grant.calendars);
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
    locked: lockRevocation(db, { providerId }),
    woken: wakePendingOperations(db, { userId, now }),
  };
  const tokens = { refreshToken, accessToken, accessExpiresAt, scope };
  const kept = {
    saved: saveGrant(db, { userId, providerId, ...tokens, blocking, consent, now }),
    dropped: dropRevocation(db, { providerId, now }),
    renewed: renewSnapshot(db, { userId, platformId, now }),
  };
  const { disconnected, connected } =
    platformId === undefined
      ? await batch(db, { ...begun, connected: event(isNotConnected(userId)), ...kept })
      : await batch(db, {
          ...begun,
          ...kept,
          connection: upsertConnection(db, { platformId, userId, now }),
          connected: event(),
        });
  publishAll(ctx, { rows: [...disconnected.rows, ...connected.rows] });
  return userId;
}

/** What blocks by the calendars that were found; without the list of them, the main one alone. */
async function whichBlock(
  ctx: Ctx,
  stored: { id: string; calendars: string | null },
  list: ListedCalendar[] | undefined,
) {
  const former = await openBlocking(ctx, stored);
  const blocking = list === undefined ? mainAlone(former) : follow(former, list);
  return { ...(await sealBlocking(ctx, stored.id, blocking)), former: stored.calendars };
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
