import type { MetadataChange } from '../../schema/api/metadata.ts';
import type { Statement } from '../../schema/db.ts';
import { claimKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { claimMeeting } from '../../schema/meetings/lease-queries.ts';
import { listMeetingPeople, type Snapshot } from '../../schema/meetings/read-queries.ts';
import { insertPendingChange } from '../../schema/pending-operations/queries.ts';
import { refusalOf } from '../../schema/refusals.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingBusy, meetingNotFound } from '../errors.ts';
import { isMeetingId } from '../ids.ts';
import { assertConnected, liveSnapshot } from './changeable.ts';
import { type CancelIntent, type Operation, pendingOf, type RescheduleIntent, type UpdateIntent } from './intents.ts';
import { DayFull, LEASE_MS, SlotTaken, twoPeople } from './operation.ts';
import { waitForWriter } from './reconcile.ts';

interface Claim {
  operation: Operation<UpdateIntent | CancelIntent | RescheduleIntent>;
  idempotency?: KeyClaim | undefined;
  /** What the meeting must be for the change: its version, and who its requester is. */
  version?: number | undefined;
  requester?: string | undefined;
  /** What its metadata must have room for. */
  metadata?: MetadataChange | undefined;
  /** Who must be connected with the platform now: both people, of the second only `other` where one is named. */
  connected?: { other: string | undefined };
  /** What else the change reserves; where it cannot, the batch fails. */
  reserve?: (now: number) => Statement[];
  /** Refuses a change that does not fit a meeting which is live and unlocked. */
  refuse?: (snapshot: Snapshot) => Promise<void> | void;
}

/**
 * Reserves a change of a meeting in one batch: the meeting, the key, the pending operation, and what else it needs. A
 * meeting in other hands is waited for up to 3 s, and one whose writer went silent is reconciled. Throws
 * `meeting_not_found`, `forbidden`, `meeting_busy`, `calendar_reconnect_required`, `SlotTaken`, what `refuse` throws,
 * and Postgres' refusal of a key that was claimed before.
 */
export async function claim(ctx: Ctx, platform: Platform, { refuse, ...change }: Claim) {
  const { id } = change.operation.lease;
  if (!isMeetingId(id)) throw meetingNotFound();
  const waitForIt = waitForWriter(ctx, meetingBusy);
  for (;;) {
    try {
      return await claimAtOnce(ctx, platform, change);
    } catch (error) {
      switch (refusalOf(error)) {
        case 'slot_taken':
          throw new SlotTaken();
        case 'day_full':
          throw new DayFull();
        case 'not_in_hand':
        case 'not_connected':
          break;
        case 'duplicate_key':
        case 'quota_exhausted':
        case 'serialization_failure':
        case undefined:
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

async function claimAtOnce(ctx: Ctx, platform: Platform, change: Omit<Claim, 'refuse'>) {
  const { operation, idempotency, version, requester, metadata, connected, reserve } = change;
  const { lease, intent } = operation;
  const now = ctx.clock.now();
  const leaseUntil = now + LEASE_MS;
  const [people, [meeting]] = await ctx.db.batch([
    listMeetingPeople(ctx.db, { meetingId: lease.id }),
    claimMeeting(ctx.db, { ...lease, leaseUntil, platformId: platform.id, version }),
    ...(idempotency ? [claimKey(ctx.db, { ...idempotency, ...lease, leaseUntil, resourceId: lease.id, now })] : []),
    insertPendingChange(ctx.db, {
      lease,
      kind: pendingOf(operation).kind,
      intent,
      requester,
      metadata,
      connected,
      dueAt: leaseUntil,
      now,
    }),
    ...(reserve?.(now) ?? []),
  ]);
  if (meeting === undefined) throw new Error('a claim went in without its meeting');
  return { meeting, people: twoPeople(meeting.id, people) };
}
