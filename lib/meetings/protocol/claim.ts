import { keepFromErasure } from '../../../schema/access/people.ts';
import { batch, refusalOf, type Statement } from '../../../schema/db.ts';
import { listMeetingPeople, type Snapshot } from '../../../schema/meetings/change.ts';
import { listMeetingsAround } from '../../../schema/meetings/holds.ts';
import { claimKey, type IdempotentRequest } from '../../../schema/meetings/idempotency.ts';
import { leaseMeeting } from '../../../schema/meetings/lease.ts';
import { insertPendingChange, type Needs, usesQuota } from '../../../schema/meetings/pending-operations.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { meetingBusy, meetingNotFound } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import { quotaExceeded, takeQuota } from '../../usage/usage.ts';
import { assertConnected, liveSnapshot } from './changeable.ts';
import {
  type CancelIntent,
  type MeetingOperation,
  pendingOf,
  type RescheduleIntent,
  type UpdateIntent,
} from './intents.ts';
import { withPeopleOf } from './meeting.ts';
import { DayFull, LEASE_MS, MeetingChanged, TimeHeld } from './operation.ts';
import { waitForWriter } from './reconcile.ts';

interface Change extends Needs {
  operation: MeetingOperation<UpdateIntent | CancelIntent | RescheduleIntent>;
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
  if (!isMeetingId(id)) throw meetingNotFound();
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
    ...(pair && { quota: takePair(ctx, platform, lease.id, pair) }),
  });
  if (meeting === undefined) throw new Error('A change was reserved for a meeting that does not exist.');
  return {
    ...withPeopleOf(meeting, people),
    usageMonth: pending.rows[0]?.month ?? undefined,
    around: Array.isArray(around) ? around : [],
  };
}

function takePair(
  ctx: Ctx,
  { id: platformId }: PlatformRef,
  meetingId: string,
  { plan, usageMonth }: NonNullable<Change['pair']>,
) {
  return takeQuota(ctx, { platformId, plan, month: usageMonth, guard: usesQuota({ meetingId, usageMonth }) });
}
