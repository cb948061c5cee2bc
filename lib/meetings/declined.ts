import { claimDeclined, endDecline } from '../../schema/meetings/follow-queries.ts';
import { isLive } from '../../schema/meetings/status.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { workOff } from '../work-off.ts';
import { cancelMeeting } from './cancel.ts';
import { rescheduleMeeting } from './reschedule.ts';

const AGAIN_MS = 5 * 60_000;

type Declined = NonNullable<Awaited<ReturnType<typeof claimDeclined>>>;

/**
 * Does with declined meetings what their platforms chose (`on_decline`): cancels or reschedules them, as the platform would
 * itself. What cannot be done now is tried again every five minutes until the meeting begins.
 */
export const answerDeclines = (ctx: Ctx, until: number): Promise<void> =>
  workOff<Declined>(ctx, {
    until,
    atOnce: 1,
    perOwner: 1,
    ownerOf: ({ platform }) => platform.id,
    async claim() {
      const now = ctx.clock.now();
      const declined = await claimDeclined(ctx.db, { now, again: now + AGAIN_MS });
      return declined === undefined ? [] : [declined];
    },
    run: (declined) => answer(ctx, declined),
  });

async function answer(ctx: Ctx, declined: Declined): Promise<void> {
  const { id, platform, onDecline, declinedBy, isReplacement } = declined;
  const now = ctx.clock.now();
  const isOpen = isLive(declined.status) && declinedBy !== null && declined.start > now;
  try {
    if (isOpen && onDecline === 'cancel') await cancelMeeting(ctx, platform, { id });
    // Once only: an event that is moved keeps its answers, and a second decline is for people to talk about.
    else if (isOpen && onDecline === 'reschedule' && !isReplacement)
      await rescheduleMeeting(ctx, platform, { id, requestedBy: declinedBy, reason: 'declined in the calendar' });
    await endDecline(ctx.db, { id, now });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log('warn', 'a declined meeting is not answered yet', { meeting_id: id, code: error.code });
    if (error.code === 'no_availability') await endDecline(ctx.db, { id, now });
  }
}
