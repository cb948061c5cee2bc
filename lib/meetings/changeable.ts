import { findSnapshot, type Snapshot } from '../../schema/meetings/read-queries.ts';
import { isLive, isShown } from '../../schema/meetings/status.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingBusy, meetingForbidden, meetingNotFound, noLongerConnected } from '../errors.ts';
import { isMeetingId } from '../ids.ts';
import { waitForWriter } from './reconcile.ts';

/** A live meeting of this platform's own as it is now; throws `meeting_not_found` of one that ended, and `forbidden`. */
export async function liveSnapshot(ctx: Ctx, platform: Platform, id: string): Promise<Snapshot> {
  const snapshot = await findSnapshot(ctx.db, { platformId: platform.id, id });
  if (snapshot === undefined || !isShown(snapshot.status)) throw meetingNotFound();
  if (!snapshot.isOwn) throw meetingForbidden();
  if (!isLive(snapshot.status)) throw meetingNotFound();
  return snapshot;
}

/** The meeting as it is once it is unlocked; throws like `liveSnapshot`, and `meeting_busy`. */
export async function unlockedSnapshot(ctx: Ctx, platform: Platform, id: string): Promise<Snapshot> {
  if (!isMeetingId(id)) throw meetingNotFound();
  const waitForIt = waitForWriter(ctx, meetingBusy);
  for (;;) {
    const snapshot = await liveSnapshot(ctx, platform, id);
    if (snapshot.leaseUntil === null) return snapshot;
    await waitForIt({ meetingId: id, leaseUntil: snapshot.leaseUntil });
  }
}

/** Throws `calendar_reconnect_required` for one of the two who is not connected with the platform now. */
export function assertConnected({ disconnected, organizer }: Snapshot, { other }: { other: string | undefined }): void {
  const needed = disconnected.find((email) => other === undefined || email === organizer || email === other);
  if (needed !== undefined) throw noLongerConnected(needed);
}
