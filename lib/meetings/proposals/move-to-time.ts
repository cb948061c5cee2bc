import type { AcceptedTime } from '../../../schema/meetings/proposals-accept.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { insertReplacement } from '../../../schema/meetings/reserve.ts';
import { calendarFailure } from '../../calendars/calls.ts';
import type { MovingEvent } from '../../calendars/read-busy.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { hasCode, withOutcome } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import { loadInvited } from '../../person/load.ts';
import type { Pair } from '../../person/person.ts';
import { findEvent, moveEvent } from '../protocol/calendar-event.ts';
import { liveSnapshot } from '../protocol/changeable.ts';
import { reserveChange } from '../protocol/claim.ts';
import { commitReplacement } from '../protocol/commit-replacement.ts';
import type { MeetingOperation, RescheduleIntent } from '../protocol/intents.ts';
import { ProposalTaken, runOperation, TimeHeld, UNDONE } from '../protocol/operation.ts';
import { assertRoomOnDay, withoutLimits } from '../verbs/limits.ts';
import { assertOutsideFocus } from '../verbs/protected-time.ts';
import { assertStillFree } from '../verbs/still-free.ts';
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
  proposal: FoundProposal & { movesMeetingId: string },
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
      kind: 'reschedule',
      newId,
      ...span,
      reasoning,
      learnedFrom: '',
      understood: [],
      notUnderstood: [],
      proposal: accepted,
    },
  };
  const held = {
    ...accepted,
    guest,
    platformId: platform.id,
    attendees: [requesterEmail, otherEmail] as [string, string],
  };
  // A time that others reserved since is refused after the same look, as in `refuseAsBusy`.
  const look = async (people: Pair, moving: MovingEvent) => {
    const own = withoutLimits(people, askerOf(proposal));
    assertOutsideFocus(own, span);
    return Promise.all([findEvent(ctx, own[0], moving), assertStillFree(ctx, own, span, { moving })]);
  };
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
  }).catch(async (error: unknown) => {
    if (error instanceof TimeHeld) {
      const [invited, old] = await Promise.all([
        loadInvited(ctx, platform, held.attendees),
        liveSnapshot(ctx, platform, lease.id),
      ]);
      await look(invited, { id: old.providerEventId, start: old.start, end: old.end }).catch((failure) => {
        throw withOutcome(calendarFailure(failure, requesterEmail), UNDONE.reschedule);
      });
    }
    throw hasCode(error, 'meeting_not_found') ? new ProposalTaken() : error;
  });
  const { providerEventId: id, around } = meeting;
  const people = withoutLimits(meeting.people, askerOf(proposal));
  const [requester] = people;
  const { proposal: ended } = await runOperation(
    ctx,
    operation,
    { email: requester.email, isKeyed: false },
    async (trace) => {
      const moving = { id, start: meeting.start, end: meeting.end };
      const [found] = await look(meeting.people, moving);
      assertRoomOnDay(people, span, around);
      const event = await moveEvent(ctx, requester, moving, span, trace, found);
      return commitReplacement(ctx, operation, meeting, event);
    },
  );
  return ended;
}
