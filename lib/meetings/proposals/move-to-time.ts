import type { Snapshot } from '../../../schema/meetings/change.ts';
import type { AcceptedTime } from '../../../schema/meetings/proposals-accept.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { insertReplacement } from '../../../schema/meetings/reserve.ts';
import { calendarFailure } from '../../calendars/calls.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { hasCode, withOutcome } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { findEvent, moveEvent } from '../protocol/calendar-event.ts';
import { reserveChange } from '../protocol/claim.ts';
import { commitReplacement } from '../protocol/commit-replacement.ts';
import type { MeetingOperation, RescheduleIntent } from '../protocol/intents.ts';
import { ProposalTaken, runOperation, UNDONE } from '../protocol/operation.ts';
import { refusalOfDay, withoutLimits } from '../verbs/limits.ts';
import { assertStillFree, type Known, lookFirst } from '../verbs/still-free.ts';
import { askerOf } from './read.ts';

const BOTH_PEOPLE = { other: undefined };
const NOTHING_READ = { understood: [], notUnderstood: [] };

type Time = FoundProposal['times'][number];

/**
 * As in a reschedule, the calendar event stays and the meeting gets a new id. The batch that stores this ends the
 * proposal. Throws `ProposalTaken` if the proposal or the meeting changed since it was read, `SlotTaken` if a calendar
 * has become busy, `meeting_busy`, `meeting_not_found` if the event was deleted, and `calendar_*`.
 */
export async function moveToTime(
  ctx: Ctx,
  platform: Platform,
  { proposal, known, moved }: { proposal: FoundProposal & { movesMeetingId: string }; known: Known; moved: Snapshot },
  { reason: reasoning, start, end }: Time,
  { guest, ...accepted }: AcceptedTime,
): Promise<FoundProposal | undefined> {
  const { requesterEmail, otherEmail, reading } = proposal;
  const lease = { id: proposal.movesMeetingId, owner: ctx.ids.id('own_') };
  const newId = ctx.ids.id(ID_PREFIX.meeting);
  const span = { start, end };
  const operation: MeetingOperation<RescheduleIntent> = {
    lease,
    intent: {
      ...{ kind: 'reschedule', newId, ...span, reasoning, proposal: accepted },
      ...{ learnedFrom: '', understood: [], notUnderstood: [] },
    },
  };
  const attendees: [string, string] = [requesterEmail, otherEmail];
  const held = { ...accepted, guest, platformId: platform.id, attendees };
  const moving = { id: moved.providerEventId, start: moved.start, end: moved.end };
  const [found, readAt] = await Promise.all([
    findEvent(ctx, known.people[0], moving),
    lookFirst(ctx, known, span, { moving, accepts: moving.id }),
  ]).catch((failure) => {
    throw withOutcome(calendarFailure(failure, requesterEmail), UNDONE.reschedule);
  });
  const meeting = await reserveChange(ctx, platform, {
    operation,
    connected: BOTH_PEOPLE,
    accepting: { meetingId: newId, start },
    reserve: (now) =>
      insertReplacement(ctx.db, {
        ...{ id: newId, from: lease, ...span, now },
        reading: reading ?? NOTHING_READ,
        time: { proposal: held },
      }),
    refuse: () => {
      throw new ProposalTaken();
    },
  }).catch((error: unknown) => {
    throw hasCode(error, 'meeting_not_found') ? new ProposalTaken() : error;
  });
  const people = withoutLimits(meeting.people, askerOf(proposal));
  const moveIt = runOperation(ctx, operation, { people }, async (trace) => {
    await assertStillFree(ctx, people, span, { moving, readAt });
    const refusal = refusalOfDay(people, span, meeting.around, moving.start);
    if (refusal !== undefined) throw refusal;
    const event = await moveEvent(ctx, people[0], moving, span, trace, found);
    return commitReplacement(ctx, operation, meeting, event);
  });
  return (await moveIt).proposal;
}
