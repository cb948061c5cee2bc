import { keepFromErasure } from '../../../schema/access/people.ts';
import { isLive, isShown } from '../../../schema/api/states.ts';
import { batch, refusalOf, type Statement } from '../../../schema/db.ts';
import { findSnapshot, listMeetingPeople, type Snapshot } from '../../../schema/meetings/change.ts';
import { listMeetingsAround } from '../../../schema/meetings/holds.ts';
import { claimKey, type IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import { leaseMeeting } from '../../../schema/meetings/lease.ts';
import { insertPendingChange, type Needs, usesQuota } from '../../../schema/meetings/pending-operations.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { errorOf, meetingBusy, meetingEnded, meetingForbidden, noLongerConnected } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import type { Guest } from '../../person/guest.ts';
import { quotaExceeded, takeQuota } from '../../usage/usage.ts';
import { type IntentOf, type MeetingOperation, pendingOf } from './intents.ts';
import { withPeopleOf } from './meeting.ts';
import { DayFull, LEASE_MS, MeetingChanged, TimeHeld } from './operation.ts';
import { waitForWriter } from './reconcile.ts';

/** Throws `meeting_not_found` for one that has ended, and `forbidden` for another platform's. */
export const liveSnapshot = async (ctx: Ctx, platform: PlatformRef, id: string): Promise<Snapshot> =>
  assertLive(await findSnapshot(ctx.db, { platformId: platform.id, id }));

function assertLive(snapshot: Snapshot | undefined): Snapshot {
  if (snapshot === undefined || !isShown(snapshot.status)) throw errorOf('meeting_not_found');
  if (!snapshot.isOwn) throw meetingForbidden();
  if (!isLive(snapshot.status)) throw meetingEnded();
  return snapshot;
}

/** Throws `meeting_busy` after 3 s of waiting for another's change, and the errors of `liveSnapshot`. */
export const unlockedSnapshot = async (ctx: Ctx, platform: PlatformRef, id: string): Promise<Snapshot> =>
  (await unlocked(ctx, id, async () => ({ snapshot: await findSnapshot(ctx.db, { platformId: platform.id, id }) })))
    .snapshot;

/** `load` may run beside the API key's check, and all else waits. Throws what the check and `unlockedSnapshot` do. */
export async function unlocked<L extends { snapshot: Snapshot | undefined }>(
  ctx: Ctx,
  id: string,
  load: () => Promise<L>,
): Promise<L & { snapshot: Snapshot }> {
  if (!isMeetingId(id)) throw errorOf('meeting_not_found');
  const waitForIt = waitForWriter(ctx, meetingBusy);
  for (;;) {
    const loaded = await load();
    await ctx.admitted;
    const snapshot = assertLive(loaded.snapshot);
    if (snapshot.leaseUntil === null) return { ...loaded, snapshot };
    await waitForIt({ meetingId: id, leaseUntil: snapshot.leaseUntil });
  }
}

/** Throws `calendar_reconnect_required` if an attendee of the meeting is not connected with the platform now. */
export function assertConnected({ disconnected, organizer }: Snapshot, { other }: { other: string | undefined }): void {
  const needed = disconnected.find((email) => other === undefined || email === organizer || email === other);
  if (needed !== undefined) throw noLongerConnected(needed);
}

export const guestOf = ({ isOtherGuest, timeZones: [, zone = ''] }: Snapshot): Guest | undefined =>
  isOtherGuest ? { timeZone: zone === '' ? undefined : zone } : undefined;

interface Change extends Needs {
  operation: MeetingOperation<IntentOf<'update' | 'cancel' | 'reschedule'>>;
  idempotency?: IdempotentRequest | undefined;
  version?: number | undefined;
  /** If the second attendee is another person than before, the change uses the plan's quota of `usageMonth`. */
  pair?: { other: string; usageMonth: string; plan: string } | undefined;
  /** If one of these fails, the whole change fails. */
  reserve?: (now: number) => Statement[];
  /** Meeting that takes over the time of a proposal. The other meetings of its people around it come back as `around`. */
  accepting?: { meetingId: string; start: number };
  /** Says why, after the database refused a change of a meeting that is live and that nobody changes. */
  refuse?: (snapshot: Snapshot) => Promise<void> | void;
}

/**
 * One batch takes the lease, the idempotency key, a row of pending work, and what else the change needs. Waits up to 3
 * s for another's change, and first finishes or undoes it if its lease has expired. Throws `meeting_not_found`,
 * `forbidden`, `meeting_busy`, `calendar_reconnect_required`, `quota_exceeded`, `SlotTaken`, `MeetingChanged` if
 * learned weights changed, the errors of `refuse`, and Postgres' refusal of a used key.
 */
export async function reserveChange(ctx: Ctx, platform: PlatformRef, { refuse, ...change }: Change) {
  const { id } = change.operation.lease;
  if (!isMeetingId(id)) throw errorOf('meeting_not_found');
  const waitForIt = waitForWriter(ctx, meetingBusy);
  for (;;) {
    try {
      return await reserveAtOnce(ctx, platform, change);
    } catch (error) {
      switch (refusalOf(error)) {
        case 'slot_taken':
          throw new TimeHeld();
        case 'day_full':
          throw new DayFull();
        case 'not_in_hand':
        case 'not_connected':
          break;
        case 'weights_changed':
          throw new MeetingChanged();
        case 'quota_exhausted':
          throw await quotaExceeded(ctx, platform);
        default:
          throw error;
      }
      const snapshot = await liveSnapshot(ctx, platform, id);
      if (snapshot.leaseUntil === null) {
        await refuse?.(snapshot);
        if (change.connected !== undefined) assertConnected(snapshot, change.connected);
      }
      await waitForIt({ meetingId: id, leaseUntil: snapshot.leaseUntil });
    }
  }
}

async function reserveAtOnce(ctx: Ctx, platform: PlatformRef, change: Omit<Change, 'refuse'>) {
  const { operation, idempotency, version, pair, reserve, accepting } = change;
  const { lease, intent } = operation;
  const now = ctx.clock.now();
  const leaseUntil = now + LEASE_MS;
  const {
    leased: [meeting],
    people,
    pending,
    around,
  } = await batch(ctx.db, {
    kept: keepFromErasure(ctx.db, { meetingId: lease.id }),
    leased: leaseMeeting(ctx.db, { ...lease, leaseUntil, platformId: platform.id, version }),
    people: listMeetingPeople(ctx.db, { meetingId: lease.id }),
    ...(idempotency && { key: claimKey(ctx.db, { ...idempotency, ...lease, leaseUntil, resourceId: lease.id, now }) }),
    pending: insertPendingChange(ctx.db, {
      ...{ ...change, lease, intent, dueAt: leaseUntil, now },
      kind: pendingOf(operation).kind,
    }),
    ...Object.fromEntries((reserve?.(now) ?? []).map((one, at) => [`reserved${at}`, one])),
    ...(accepting && { around: listMeetingsAround(ctx.db, accepting) }),
    ...(pair && {
      quota: takeQuota(ctx, {
        ...{ platformId: platform.id, plan: pair.plan, month: pair.usageMonth },
        guard: usesQuota({ meetingId: lease.id, usageMonth: pair.usageMonth }),
      }),
    }),
  });
  if (meeting === undefined) throw new Error('A change was reserved for a meeting that does not exist.');
  return {
    ...withPeopleOf(meeting, people),
    usageMonth: pending.rows[0]?.month ?? undefined,
    around: Array.isArray(around) ? around : [],
  };
}
