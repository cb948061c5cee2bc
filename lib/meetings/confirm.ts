import { finishKey } from '../../schema/idempotency/queries.ts';
import { confirmMeeting } from '../../schema/meetings/book-queries.ts';
import { isFinishedBy } from '../../schema/meetings/claim-queries.ts';
import { deleteSettlement, insertSettlement } from '../../schema/settlements/queries.ts';
import { settleQuota } from '../../schema/usage/queries.ts';
import type { Ctx } from '../context.ts';
import { type JobIntent, jobCompleted } from '../jobs/job-completed.ts';
import type { CalendarEvent } from '../ports.ts';
import { usageNotices } from '../usage/notices.ts';
import { publishDelivery } from '../webhooks/outbox.ts';
import { BOOK_OPERATION } from './book.ts';
import { bookedAnswer } from './booked-answer.ts';
import { scheduledEvent } from './scheduled-event.ts';
import { LINK_RETRY_MS } from './settle-link.ts';

export interface Promised {
  id: string;
  platformId: string;
  plan: string;
  owner: string;
  title: string;
  attendees: [string, string];
  location: string;
  start: number;
  end: number;
  providerEventId: string;
  usageMonth: string | null;
  job?: JobIntent | undefined;
}

/**
 * Step C of a booking, one batch: the meeting is `scheduled`, its events are written, its answer and its job's result
 * are kept, its settlement is gone. Answers the body, or undefined when somebody else holds the meeting by now.
 */
export async function confirmBooking(ctx: Ctx, meeting: Promised, event: CalendarEvent) {
  const now = ctx.clock.now();
  const { id, owner, platformId, plan, usageMonth: month } = meeting;
  const { meetLink } = event;
  const onlyIf = isFinishedBy({ id, owner });
  const answer = bookedAnswer({ ...meeting, meetLink });
  const scheduled = scheduledEvent(ctx, { ...meeting, meetLink }, onlyIf);
  const completed = meeting.job && jobCompleted(ctx, { ...meeting, meetLink }, meeting.job, onlyIf);
  const notices = month === null ? [] : usageNotices(ctx, { platformId, plan, month });
  const [confirmed, [usage]] = await ctx.db.batch([
    confirmMeeting(ctx.db, { id, owner, meetLink, now }),
    settleQuota(ctx.db, { platformId, month, onlyIf }),
    scheduled.statement,
    ...(completed?.statements ?? []),
    ...notices.flatMap(({ statements }) => statements),
    finishKey(ctx.db, {
      ...{ operation: BOOK_OPERATION, resourceId: id, onlyIf },
      ...{ status: 200, body: JSON.stringify(answer) },
    }),
    ...(event.linkPending && meetLink === null
      ? [insertSettlement(ctx.db, { meetingId: id, kind: 'link', dueAt: now + LINK_RETRY_MS, now, onlyIf })]
      : []),
    deleteSettlement(ctx.db, { meetingId: id, kind: 'book', onlyIf }),
  ]);
  if (confirmed.length === 0) return undefined;
  const crossed = notices.filter(({ threshold }) => threshold === usage?.settled);
  for (const { deliveryId } of [scheduled, ...(completed ? [completed] : []), ...crossed])
    ctx.later(publishDelivery(ctx, deliveryId));
  return answer;
}
