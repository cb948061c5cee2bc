import { isLive } from '../../../schema/api/states.ts';
import {
  type AnswerKey,
  endDecline,
  findUntold,
  isTold,
  listDeclines,
  lockMeeting,
  markTold,
  takeDecline,
} from '../../../schema/meetings/event-answers.ts';
import { HOUR, MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, hasCode } from '../../kit/errors.ts';
import type { ListDue } from '../../kit/work-off.ts';
import { publishEvents } from '../../webhooks/outbox.ts';
import { proposeReschedule } from '../proposals/propose-move.ts';
import { unlockedSnapshot } from '../protocol/claim.ts';
import { updatedEvent } from '../protocol/webhook-events.ts';
import { cancelMeeting } from '../verbs/cancel.ts';
import { rescheduleMeeting } from '../verbs/reschedule.ts';

const AGAIN_MS = 5 * MINUTE;
/** Time after which a decline is due again if another change of its meeting, which takes seconds, was in the way. */
const AFTER_CHANGE_MS = MINUTE;
/** Within this time before a meeting the two people should talk instead. */
const TOO_LATE_MS = 48 * HOUR;
/** Declines of the meetings that this one replaced count too. */
const MOST_OFFERS = 3;
const REASON = 'declined in the calendar';

/** Retries failures every five minutes until the meeting begins, or after a minute if another change was in the way. */
export const dueDeclines: ListDue = async (ctx, limit) => {
  const due = await listDeclines(ctx.db, { now: ctx.clock.now(), limit, except: [] });
  return due.map((key) => ({ platformId: key.platformId, run: () => answerDecline(ctx, key) }));
};

/** Returns false if the platform knows, or while a change may give the meeting a new id: the sweep tells it later. */
export async function tellDecline(ctx: Ctx, key: AnswerKey): Promise<boolean> {
  const meeting = await findUntold(ctx.db, key);
  if (meeting === undefined) return false;
  const { guard, declinedBy: attendee } = meeting;
  const declined = { by: 'calendar', reason: 'attendee_declined', attendee };
  const told = updatedEvent(ctx, { ...meeting, old: meeting, ...declined }, guard);
  const [, , marked] = await ctx.db.batch([
    lockMeeting(ctx.db, meeting),
    told.statement,
    markTold(ctx.db, { ...key, guard }),
  ]);
  if (marked.length === 0) return false;
  publishEvents(ctx, told);
  return true;
}

async function answerDecline(ctx: Ctx, key: AnswerKey): Promise<void> {
  const now = ctx.clock.now();
  const again = now + AGAIN_MS;
  const declined = await takeDecline(ctx.db, { ...key, now, again });
  if (declined === undefined) return;
  const { id, declinedBy, untold } = declined;
  const isOpen = isLive(declined.status) && declinedBy !== null;
  const defer = () => endDecline(ctx.db, { ...key, again, dueAt: now + AFTER_CHANGE_MS });
  try {
    // The read of the calendar that found the decline tells the platform too, and may have been faster.
    if (isOpen && untold && !(await tellDecline(ctx, key)) && !(await isTold(ctx.db, key))) {
      await defer();
      return;
    }
    if (isOpen && declined.start > now) await doAsChosen(ctx, declined, declinedBy);
    await endDecline(ctx.db, { ...key, again });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log('warn', 'a declined meeting is not answered yet', { meeting_id: id, code: error.code });
    if (error.code === 'meeting_busy') await defer();
    if (error.code === 'no_availability') await endDecline(ctx.db, { ...key, again });
  }
}

type Declined = NonNullable<Awaited<ReturnType<typeof takeDecline>>>;

async function doAsChosen(ctx: Ctx, { id, platform, onDecline, isReplacement }: Declined, declinedBy: string) {
  if (onDecline === 'cancel') await cancelMeeting(ctx, platform, { id });
  // A meeting that replaced a declined one is not rescheduled again: the moved event keeps the old decline, and after a
  // second one the two people should talk.
  if (onDecline === 'reschedule' && !isReplacement)
    await rescheduleMeeting(ctx, platform, { id, requestedBy: declinedBy, reason: REASON });
  if (onDecline === 'propose') await proposeAfterDecline(ctx, platform, { id, declinedBy });
}

/** Does nothing beside an open proposal (schema/DECISIONS.md, "Declined meetings"). */
async function proposeAfterDecline(
  ctx: Ctx,
  platform: Platform,
  { id, declinedBy }: { id: string; declinedBy: string },
): Promise<void> {
  const { start, offersAfterDecline } = await unlockedSnapshot(ctx, platform, id);
  if (start - TOO_LATE_MS < ctx.clock.now() || offersAfterDecline >= MOST_OFFERS) return;
  const asked = { id, requestedBy: declinedBy, reason: REASON, isForDecline: true };
  try {
    await proposeReschedule(ctx, platform, asked);
  } catch (error) {
    if (!hasCode(error, 'too_many_proposals')) throw error;
    ctx.log('info', 'no other times were offered for a declined meeting', { meeting_id: id, code: error.code });
  }
}
