import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import type { Overdue } from '../../schema/meetings/claim-queries.ts';
import type { Ctx } from '../context.ts';
import { CANCEL_OPERATION } from './cancel.ts';
import { confirmCancel } from './confirm-cancel.ts';
import { lookUp } from './look-up.ts';
import { RECHECK_AFTER_MS } from './recheck.ts';
import { twoPeople } from './two-people.ts';
import { undoChange } from './undo-change.ts';

/** The calendar is asked: an event that is gone was cancelled, one that stands was not. */
export async function settleCancel(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const [requester, other] = twoPeople(meeting.id, await listMeetingPeople(ctx.db, { meetingId: meeting.id }));
  const event = await lookUp(ctx, requester, meeting.providerEventId);
  if (event === 'gone') {
    await confirmCancel(ctx, { ...meeting, owner, attendees: [requester.email, other.email] });
    return;
  }
  const change = {
    hold: { id: meeting.id, owner },
    intent: { kind: 'cancel' } as const,
    operation: CANCEL_OPERATION,
  };
  await undoChange(ctx, change, ctx.clock.now() + RECHECK_AFTER_MS);
}
