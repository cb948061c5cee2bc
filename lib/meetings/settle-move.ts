import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import type { Overdue } from '../../schema/meetings/claim-queries.ts';
import type { Ctx } from '../context.ts';
import { confirmReschedule } from './confirm-reschedule.ts';
import { confirmUpdate } from './confirm-update.ts';
import type { RescheduleIntent, UpdateIntent } from './intent.ts';
import { lookUp } from './look-up.ts';
import { shows } from './move-on-calendar.ts';
import { RECHECK_AFTER_MS } from './recheck.ts';
import { RESCHEDULE_OPERATION } from './reschedule.ts';
import { twoPeople } from './two-people.ts';
import { undoChange } from './undo-change.ts';
import { UPDATE_OPERATION } from './update.ts';

/** The calendar is asked: an event that stands as intended was moved, any other was not. */
export async function settleMove(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const [requester, other] = twoPeople(meeting.id, await listMeetingPeople(ctx.db, { meetingId: meeting.id }));
  const hold = { id: meeting.id, owner };
  const intent = meeting.intent as unknown as UpdateIntent | RescheduleIntent;
  const instead = intent.kind === 'update' && intent.other ? other.email : undefined;
  const event = await lookUp(ctx, requester, meeting.providerEventId);
  if (typeof event === 'object' && shows(event, { ...intent, instead })) {
    const old = { ...meeting, owner, attendees: [requester.email, other.email] as [string, string] };
    if (intent.kind === 'update') await confirmUpdate(ctx, old, intent);
    else await confirmReschedule(ctx, old, intent, event);
    return;
  }
  const operation = intent.kind === 'update' ? UPDATE_OPERATION : RESCHEDULE_OPERATION;
  await undoChange(ctx, { hold, intent, operation }, ctx.clock.now() + RECHECK_AFTER_MS);
}
