import { whileLive } from '../../../schema/meetings/finish.ts';
import { insertAfterwards } from '../../../schema/meetings/pending-operations.ts';
import type { Ctx } from '../../kit/context.ts';
import { reconcileMeeting } from '../protocol/reconcile.ts';

/**
 * Takes over what people changed in a live meeting's calendar event, of which Tandem may not have read yet. The meeting
 * then has another version, so that a change that somebody decided on by the former one is refused. A calendar that
 * cannot be read now is read later, and refuses the change itself.
 */
export async function followMeeting(ctx: Ctx, meetingId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.batch([
    insertAfterwards(ctx.db, { meetingId, kind: 'verify', dueAt: now, now, guard: whileLive(meetingId) }),
  ]);
  // Other work on the meeting that is due, such as a fetch of its video link, may come first.
  for (let left = 2; left > 0; left -= 1) await reconcileMeeting(ctx, meetingId);
}
