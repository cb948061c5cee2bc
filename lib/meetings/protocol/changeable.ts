import { isLive, isShown } from '../../../schema/api/states.ts';
import { findSnapshot, type Snapshot } from '../../../schema/meetings/change.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { meetingBusy, meetingEnded, meetingForbidden, meetingNotFound, noLongerConnected } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import type { Guest } from '../../person/guest.ts';
import { waitForWriter } from './reconcile.ts';

/** Throws `meeting_not_found` for one that has ended, and `forbidden` for another platform's. */
export const liveSnapshot = async (ctx: Ctx, platform: PlatformRef, id: string): Promise<Snapshot> =>
  assertLive(await findSnapshot(ctx.db, { platformId: platform.id, id }));

function assertLive(snapshot: Snapshot | undefined): Snapshot {
  if (snapshot === undefined || !isShown(snapshot.status)) throw meetingNotFound();
  if (!snapshot.isOwn) throw meetingForbidden();
  if (!isLive(snapshot.status)) throw meetingEnded();
  return snapshot;
}

/** Throws `meeting_busy` after 3 s of waiting for another's change, and the errors of `liveSnapshot`. */
export const unlockedSnapshot = async (ctx: Ctx, platform: PlatformRef, id: string): Promise<Snapshot> =>
  (await unlocked(ctx, id, async () => ({ snapshot: await findSnapshot(ctx.db, { platformId: platform.id, id }) })))
    .snapshot;

/**
 * `load` may run beside the check of the caller's API key, and everything else waits for the check. Throws its refusals
 * and the errors of `unlockedSnapshot`.
 */
export async function unlocked<L extends { snapshot: Snapshot | undefined }>(
  ctx: Ctx,
  id: string,
  load: () => Promise<L>,
): Promise<L & { snapshot: Snapshot }> {
  if (!isMeetingId(id)) throw meetingNotFound();
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

/** Returns undefined if the second attendee is connected to the platform and so is no guest. */
export const guestOf = ({ isOtherGuest, timeZones: [, zone = ''] }: Snapshot): Guest | undefined =>
  isOtherGuest ? { timeZone: zone === '' ? undefined : zone } : undefined;
