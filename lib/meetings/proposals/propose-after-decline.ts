import { HOUR } from '../../engine/time/dates.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { unlockedSnapshot } from '../protocol/changeable.ts';
import { proposeReschedule } from './propose-reschedule.ts';

/** Within this time before a meeting the two people should talk instead. */
const TOO_LATE_MS = 48 * HOUR;
/** Declines of the meetings that this one replaced count too. */
const MOST_OFFERS = 3;

/**
 * Decided in schema/DECISIONS.md, "Declined meetings". Does nothing within 48 hours of the meeting, after three such
 * proposals, or beside an open one. Throws the errors of `proposeReschedule`.
 */
export async function proposeAfterDecline(
  ctx: Ctx,
  platform: Platform,
  { id, declinedBy }: { id: string; declinedBy: string },
): Promise<void> {
  const { start, offersAfterDecline } = await unlockedSnapshot(ctx, platform, id);
  if (start - TOO_LATE_MS < ctx.clock.now() || offersAfterDecline >= MOST_OFFERS) return;
  const asked = { id, requestedBy: declinedBy, reason: 'declined in the calendar', isForDecline: true };
  try {
    await proposeReschedule(ctx, platform, asked);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_many_proposals') throw error;
    ctx.log('info', 'no other times were offered for a declined meeting', { meeting_id: id, code: error.code });
  }
}
