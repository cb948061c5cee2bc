import { findSnapshot, type Snapshot } from '../../schema/meetings/change-queries.ts';
import { isLive, isShown } from '../../schema/meetings/status.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { meetingBusy, meetingEnded, meetingForbidden, meetingNotFound, noLongerConnected } from '../kit/errors.ts';
import { isMeetingId } from '../kit/ids.ts';
import { waitForWriter } from './reconcile.ts';

/**
 * Returns a platform's meeting if it can still be changed. Throws `meeting_not_found` for a meeting that was cancelled,
 * replaced or failed, and `forbidden` for another platform's.
 */
export async function liveSnapshot(ctx: Ctx, platform: Platform, id: string): Promise<Snapshot> {
  const snapshot = await findSnapshot(ctx.db, { platformId: platform.id, id });
  if (snapshot === undefined || !isShown(snapshot.status)) throw meetingNotFound();
  if (!snapshot.isOwn) throw meetingForbidden();
  if (!isLive(snapshot.status)) throw meetingEnded();
  return snapshot;
}

/**
 * Waits until no other writer holds the meeting and returns it. Throws like `liveSnapshot`, and `meeting_busy` if the
 * wait is too long.
 */
export async function unlockedSnapshot(ctx: Ctx, platform: Platform, id: string): Promise<Snapshot> {
  if (!isMeetingId(id)) throw meetingNotFound();
  const waitForIt = waitForWriter(ctx, meetingBusy);
  for (;;) {
    const snapshot = await liveSnapshot(ctx, platform, id);
    if (snapshot.leaseUntil === null) return snapshot;
    await waitForIt({ meetingId: id, leaseUntil: snapshot.leaseUntil });
  }
}

/** Throws `calendar_reconnect_required` if an attendee of the meeting is not connected with the platform now. */
export function assertConnected({ disconnected, organizer }: Snapshot, { other }: { other: string | undefined }): void {
  const needed = disconnected.find((email) => other === undefined || email === organizer || email === other);
  if (needed !== undefined) throw noLongerConnected(needed);
}
