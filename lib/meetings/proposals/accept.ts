import { findActivePlatform } from '../../../schema/access/platforms.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import type { Proposal } from '../../../schema/api/proposals.ts';
import type { Snapshot } from '../../../schema/meetings/change.ts';
import {
  type AcceptedTime,
  type GivenByGuest,
  isBookedWithoutLink,
  postponeProposal,
  releaseTime,
} from '../../../schema/meetings/proposals-accept.ts';
import { listExpired } from '../../../schema/meetings/proposals-end.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { insertReplacement } from '../../../schema/meetings/reserve.ts';
import { calendarFailure } from '../../calendars/calls.ts';
import { HOUR, MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, hasCode, proposalBusy, timeUnavailable, userNotFound, withOutcome } from '../../kit/errors.ts';
import { ID_PREFIX } from '../../kit/ids.ts';
import type { ListDue } from '../../kit/work-off.ts';
import { requireRequester, UNKNOWN_GUEST } from '../../person/guest.ts';
import { toPerson } from '../../person/person.ts';
import { assertQuotaLeft } from '../../usage/usage.ts';
import { findEvent, moveEvent } from '../protocol/calendar-event.ts';
import { reserveChange } from '../protocol/claim.ts';
import { commitReplacement, sayNoMeet } from '../protocol/commit.ts';
import type { IntentOf, MeetingOperation } from '../protocol/intents.ts';
import { aboutOf } from '../protocol/meeting.ts';
import { ProposalTaken, runOperation, SlotTaken, TimeHeld, UNDONE } from '../protocol/operation.ts';
import { bookMeeting } from '../verbs/schedule.ts';
import { assertStillFree, type Known, lookFirst, refusalOfDay, withoutLimits } from '../verbs/still-free.ts';
import { assertNotExpired, endAs, tryWhileOpen } from './end.ts';
import { answerOf, askerOf, loadProposal, loadToAccept, type ToAccept } from './read.ts';

type Time = FoundProposal['times'][number];

/**
 * The other person need not be connected, and `guest` has the name and zone that they gave. A repeated call returns the
 * same answer. Throws `proposal_not_found`, `proposal_ended`, `proposal_busy` after 3 s of waiting for another
 * acceptance, `time_unavailable`, `meeting_busy`, and the errors of a booking.
 */
export const acceptProposal = (ctx: Ctx, platform: Platform, id: string, timeId: string, guest?: GivenByGuest) =>
  tryWhileOpen<ToAccept, Proposal & { warnings?: string[] }>(ctx, {
    load: () => loadToAccept(ctx, platform, id),
    async earlier({ proposal }) {
      const time = timeOf(proposal, timeId);
      if (proposal.status !== 'accepted' || time.status !== 'accepted') return undefined;
      return { ...(await answerOf(ctx, proposal)), ...(await sayAgain(ctx, proposal)) };
    },
    async attempt(loaded) {
      const { proposal } = loaded;
      const time = timeOf(proposal, timeId);
      const now = ctx.clock.now();
      assertNotExpired(proposal, now);
      if (time.status !== 'held' || time.start <= now) throw gone(proposal, now);
      try {
        const { proposal: booked, warnings } = await bookTime(ctx, platform, loaded, time, { atExpiry: false, guest });
        return { ...(await answerOf(ctx, booked)), ...(warnings && { warnings }) };
      } catch (error) {
        if (error instanceof SlotTaken) throw gone(await loadProposal(ctx, platform, id), now);
        if (!(error instanceof ProposalTaken)) throw error;
        return undefined;
      }
    },
  });

/** Returns the warning that the first answer to an acceptance had, as far as it still holds. */
async function sayAgain(ctx: Ctx, { meetingId, requesterEmail }: FoundProposal): Promise<{ warnings?: string[] }> {
  const lacksLink = meetingId !== null && (await isBookedWithoutLink(ctx.db, { meetingId }));
  return lacksLink ? { warnings: [sayNoMeet(requesterEmail)] } : {};
}

/**
 * The batch that stores the booked or moved meeting ends the proposal. Throws `SlotTaken` if a calendar has become busy
 * or somebody booked over the time, which is then freed, `proposal_busy` if this platform did and has not finished,
 * `ProposalTaken` if the proposal changed since it was read, and the errors of a booking.
 */
export async function bookTime(
  ctx: Ctx,
  platform: Platform,
  { proposal, moved, rows, live, usage }: ToAccept,
  time: Time,
  { atExpiry, guest }: { atExpiry: boolean; guest?: GivenByGuest | undefined },
): Promise<{ proposal: FoundProposal; warnings?: string[] | undefined }> {
  const { id: proposalId, movesMeetingId, requesterEmail, otherEmail } = proposal;
  const { id: timeId, start, end } = time;
  const accepted = { proposalId, timeId, atExpiry };
  try {
    const people = requireRequester([requesterEmail, otherEmail], rows.map(toPerson), UNKNOWN_GUEST);
    // One of the two addresses has gone to another person since.
    if (people[0].id !== proposal.requesterId) throw userNotFound(requesterEmail);
    if (proposal.isOtherGone) throw userNotFound(otherEmail);
    const known = { people: withoutLimits(people, askerOf(proposal)), live };
    if (movesMeetingId !== null) {
      if (moved === undefined) throw new ProposalTaken();
      const moves = { proposal: { ...proposal, movesMeetingId }, known, moved };
      const answer = await moveToTime(ctx, platform, moves, time, { ...accepted, guest });
      return { proposal: answer ?? (await loadProposal(ctx, platform, proposalId)) };
    }
    await assertQuotaLeft(ctx, platform, usage[0]);
    const booked = await bookMeeting(ctx, platform, {
      known,
      ...aboutOf(proposal),
      attendees: [requesterEmail, otherEmail],
      start,
      end,
      limits: undefined,
      proposal: accepted,
      aside: askerOf(proposal),
      guest,
    });
    return {
      proposal: booked.proposal ?? (await loadProposal(ctx, platform, proposalId)),
      warnings: booked.answer.warnings,
    };
  } catch (error) {
    if (error instanceof SlotTaken) {
      const isHeld = error instanceof TimeHeld;
      const [[found]] = await ctx.db.batch(releaseTime(ctx.db, { proposalId, timeId, isHeld }));
      if (found?.isPassing) throw proposalBusy();
      // The proposal has changed, or the other meeting or proposal has freed the time since.
      if (!found?.isOpen || found.isFree) throw new ProposalTaken();
    }
    throw error;
  }
}

function timeOf({ times }: FoundProposal, timeId: string): Time {
  const time = times.find(({ id }) => id === timeId);
  if (time !== undefined) return time;
  throw new AppError(
    'invalid_request',
    '`time_id` must be the ID of a time of this proposal. GET /v1/proposals/{proposal_id} lists the times.',
    { field: 'time_id' },
  );
}

const gone = ({ times }: FoundProposal, now: number) =>
  timeUnavailable(times.filter(({ status, start }) => status === 'held' && start > now).length);

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
  const operation: MeetingOperation<IntentOf<'reschedule'>> = {
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
    connected: { other: undefined },
    accepting: { meetingId: newId, start },
    reserve: (now) =>
      insertReplacement(ctx.db, {
        ...{ id: newId, from: lease, ...span, now },
        reading: reading ?? { understood: [], notUnderstood: [] },
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

const TRIED_FOR_MS = HOUR;

/** Serves `on_expiry` `book_first`. If no time can be booked, the proposal ends as expired. Platforms take turns. */
export const dueFirstTimes: ListDue = async (ctx, limit) => {
  const due = await listExpired(ctx.db, { now: ctx.clock.now(), onExpiry: 'book_first', limit, except: [] });
  return due.map(({ id, platformId }) => ({ platformId, run: () => bookOrEnd(ctx, { id: platformId }, id) }));
};

async function bookOrEnd(ctx: Ctx, platformRef: Pick<Platform, 'id'>, id: string): Promise<void> {
  const [platform, loaded] = await Promise.all([
    findActivePlatform(ctx.db, { platformId: platformRef.id }),
    loadToAccept(ctx, platformRef, id),
  ]);
  const { proposal } = loaded;
  const outcome = platform === undefined ? 'none_left' : await bookFirst(ctx, platform, loaded);
  const now = ctx.clock.now();
  if (outcome === 'done') return;
  if (outcome === 'may_pass' && now < proposal.expiresAt + TRIED_FOR_MS)
    await postponeProposal(ctx.db, { id, until: now + MINUTE });
  else await endAs(ctx, platformRef, proposal, { status: 'expired' });
}

/** `done` means that a time was booked or another request deals with the proposal, `may_pass` a temporary failure. */
async function bookFirst(ctx: Ctx, platform: Platform, loaded: ToAccept): Promise<'done' | 'may_pass' | 'none_left'> {
  const { proposal } = loaded;
  // A person who ended the access without an answer is not booked. A guest never connected, and gets an invitation.
  if (proposal.hasOtherLeft) return 'none_left';
  const hasBegun = () => proposal.movedStart !== null && proposal.movedStart <= ctx.clock.now();
  for (const time of proposal.times) {
    if (!proposal.isMeetingAsBefore || hasBegun()) break;
    if (time.status !== 'held' || time.start <= ctx.clock.now()) continue;
    try {
      await bookTime(ctx, platform, loaded, time, { atExpiry: true });
      return 'done';
    } catch (error) {
      if (error instanceof SlotTaken) continue;
      return afterFailure(ctx, proposal, error);
    }
  }
  return 'none_left';
}

function afterFailure(ctx: Ctx, { id }: FoundProposal, error: unknown) {
  if (error instanceof ProposalTaken || hasCode(error, 'meeting_busy', 'proposal_busy')) return 'may_pass';
  if (error instanceof AppError && ERRORS[error.code].status !== 500) return 'none_left';
  ctx.log('warn', 'the first time of an expired proposal is not booked yet', { proposal_id: id, error });
  return 'may_pass';
}
