import type { RescheduledMeeting } from '../../schema/api/meetings.ts';
import { deleteHolds } from '../../schema/holds/queries.ts';
import { finishKey } from '../../schema/idempotency/queries.ts';
import { isFinishedBy } from '../../schema/meetings/claim-queries.ts';
import { confirmSuccessor, passOnSettlements, replaceMeetingRow } from '../../schema/meetings/successor-queries.ts';
import { deleteSettlement } from '../../schema/settlements/queries.ts';
import type { Ctx } from '../context.ts';
import type { CalendarEvent } from '../ports.ts';
import { publishDelivery } from '../webhooks/outbox.ts';
import type { RescheduleIntent } from './intent.ts';
import { RESCHEDULE_OPERATION } from './reschedule.ts';
import { scheduledEvent } from './scheduled-event.ts';
import { isoUtc } from './times.ts';

/** The old meeting. */
interface Replaced {
  id: string;
  owner: string;
  platformId: string;
  attendees: [string, string];
  location: string;
  meetLink: string | null;
}

/**
 * Step C of a reschedule, one batch: the old meeting is `rescheduled` and its time free, the new one is `scheduled`, its
 * event and answer are kept. Answers the body, or undefined when somebody else holds the meeting by now.
 */
export async function confirmReschedule(ctx: Ctx, old: Replaced, intent: RescheduleIntent, event: CalendarEvent) {
  const { id: from, owner } = old;
  const { newId: id, start, end } = intent;
  const now = ctx.clock.now();
  const onlyIf = isFinishedBy({ id: from, owner });
  const meetLink = event.meetLink ?? old.meetLink;
  const answer: RescheduledMeeting = {
    success: true,
    new_meeting_id: id,
    new_meeting_time: isoUtc(start),
    reasoning: intent.reasoning,
    learned_from: intent.learnedFrom,
  };
  const scheduled = scheduledEvent(ctx, { ...old, id, start, end, meetLink, rescheduledFrom: from }, onlyIf);
  const [replaced] = await ctx.db.batch([
    replaceMeetingRow(ctx.db, { id: from, owner, now }),
    deleteHolds(ctx.db, { meetingId: from, onlyIf }),
    confirmSuccessor(ctx.db, { id, from, meetLink, now, onlyIf }),
    scheduled.statement,
    finishKey(ctx.db, {
      ...{ operation: RESCHEDULE_OPERATION, resourceId: from, onlyIf },
      ...{ status: 200, body: JSON.stringify(answer) },
    }),
    deleteSettlement(ctx.db, { meetingId: from, kind: 'move', onlyIf }),
    passOnSettlements(ctx.db, { id, from, onlyIf }),
  ]);
  if (replaced.length === 0) return undefined;
  ctx.later(publishDelivery(ctx, scheduled.deliveryId));
  return answer;
}
