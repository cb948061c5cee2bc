import { type GivenByGuest, isBookedWithoutLink, releaseTime } from '../../../schema/meetings/proposals-accept.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, proposalBusy, proposalEnded, timeUnavailable, userNotFound } from '../../kit/errors.ts';
import { loadInvited } from '../../person/load.ts';
import { sayNoMeet } from '../protocol/commit-booking.ts';
import { ProposalTaken, SlotTaken, TimeHeld } from '../protocol/operation.ts';
import { bookMeeting } from '../verbs/schedule.ts';
import { keptChanging, TRIES } from './end.ts';
import { moveToTime } from './move-to-time.ts';
import { answerOf, askerOf, loadProposal, waitForAccepter } from './read.ts';

type Time = FoundProposal['times'][number];

/**
 * Books the meeting at the reserved time, or moves it there. The other person need not be connected, and `guest` has
 * the name and zone that they gave. A repeated call returns the same answer. A busy calendar frees the time and leaves
 * the proposal open. Throws `proposal_not_found`, `proposal_ended`, `proposal_busy` after 3 s of waiting for another
 * acceptance, `time_unavailable`, `meeting_busy`, and the errors of a booking.
 */
export async function acceptProposal(ctx: Ctx, platform: Platform, id: string, timeId: string, guest?: GivenByGuest) {
  const waitForAcceptance = waitForAccepter(ctx);
  for (let tries = 0; tries < TRIES; ) {
    const proposal = await loadProposal(ctx, platform, id);
    const time = timeOf(proposal, timeId);
    if (proposal.status === 'accepted' && time.status === 'accepted')
      return { ...(await answerOf(ctx, proposal)), ...(await sayAgain(ctx, proposal)) };
    if (proposal.status !== 'open') throw proposalEnded(proposal.status);
    if (proposal.meetingId !== null) {
      await waitForAcceptance(proposal);
      continue;
    }
    const now = ctx.clock.now();
    if (proposal.expiresAt <= now || !proposal.isMeetingAsBefore) throw proposalEnded('expired');
    if (time.status !== 'held' || time.start <= now) throw gone(proposal, now);
    tries += 1;
    try {
      const { proposal: booked, warnings } = await bookTime(ctx, platform, proposal, time, { atExpiry: false, guest });
      return { ...(await answerOf(ctx, booked)), ...(warnings && { warnings }) };
    } catch (error) {
      if (error instanceof SlotTaken) throw gone(await loadProposal(ctx, platform, id), now);
      if (!(error instanceof ProposalTaken)) throw error;
    }
  }
  throw keptChanging();
}

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
  proposal: FoundProposal,
  time: Time,
  { atExpiry, guest }: { atExpiry: boolean; guest?: GivenByGuest | undefined },
): Promise<{ proposal: FoundProposal; warnings?: string[] | undefined }> {
  const {
    id: proposalId,
    movesMeetingId,
    requesterEmail,
    otherEmail,
    title,
    description,
    location,
    metadata,
  } = proposal;
  const { id: timeId, start, end } = time;
  const accepted = { proposalId, timeId, atExpiry };
  try {
    if (movesMeetingId !== null) {
      const moved = await moveToTime(ctx, platform, { ...proposal, movesMeetingId }, time, { ...accepted, guest });
      return { proposal: moved ?? (await loadProposal(ctx, platform, proposalId)) };
    }
    const booked = await bookMeeting(ctx, platform, {
      attendees: [requesterEmail, otherEmail],
      start,
      end,
      title,
      description,
      location,
      metadata,
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
      const [[found]] = await ctx.db.batch(releaseTime(ctx.db, { proposalId, timeId, isHeld, now: ctx.clock.now() }));
      if (found?.isPassing) throw proposalBusy();
      // The other meeting or proposal has freed the time since.
      if (found?.isFree) throw new ProposalTaken();
    }
    if (error instanceof ProposalTaken) await assertSamePeople(ctx, platform, proposal);
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

/** Throws `user_not_found` if one of the two addresses has gone to another person since. */
async function assertSamePeople(ctx: Ctx, platform: Platform, { id, requesterId, ...proposal }: FoundProposal) {
  const { requesterEmail, otherEmail } = proposal;
  const [requester] = await loadInvited(ctx, platform, [requesterEmail, otherEmail]);
  if (requester.id !== requesterId) throw userNotFound(requesterEmail);
  const { isOtherGone } = await loadProposal(ctx, platform, id);
  if (isOtherGone) throw userNotFound(otherEmail);
}
