import { toProposalAnswer } from '../../../schema/api/proposal-answers.ts';
import { releaseTime } from '../../../schema/proposals/accept-queries.ts';
import type { FoundProposal } from '../../../schema/proposals/list-queries.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, proposalBusy, proposalEnded, timeUnavailable, userNotFound } from '../../kit/errors.ts';
import { loadBothConnected } from '../../person/load.ts';
import { ProposalTaken, SlotTaken } from '../operation.ts';
import { waitForWriter } from '../reconcile.ts';
import { bookMeeting } from '../schedule.ts';
import { keptChanging, TRIES } from './end.ts';
import { loadProposal } from './read.ts';

type Time = FoundProposal['times'][number];

/**
 * Accepts a time of an open proposal: books its meeting with the time that the proposal holds. A repeated call returns
 * the same answer. If a calendar has become busy then, frees the time and leaves the proposal open. Throws
 * `proposal_not_found`, `proposal_ended`, `proposal_busy` after 3 s of waiting for another acceptance,
 * `time_unavailable`, and the errors of a booking.
 */
export async function acceptProposal(ctx: Ctx, platform: Platform, id: string, timeId: string) {
  const waitForAcceptance = waitForWriter(ctx, proposalBusy);
  for (let tries = 0; tries < TRIES; ) {
    const proposal = await loadProposal(ctx, platform, id);
    const time = timeOf(proposal, timeId);
    if (proposal.status === 'accepted' && time.status === 'accepted') return toProposalAnswer(proposal);
    if (proposal.status !== 'open') throw proposalEnded(proposal.status);
    if (proposal.meetingId !== null) {
      await waitForAcceptance(proposal);
      continue;
    }
    const now = ctx.clock.now();
    if (proposal.expiresAt <= now) throw proposalEnded('expired');
    if (time.status !== 'held' || time.start <= now) throw gone(proposal, now);
    tries += 1;
    try {
      await bookTime(ctx, platform, proposal, time, { atExpiry: false });
    } catch (error) {
      if (error instanceof SlotTaken) throw gone(await loadProposal(ctx, platform, id), now);
      if (!(error instanceof ProposalTaken)) throw error;
      continue;
    }
    return toProposalAnswer(await loadProposal(ctx, platform, id));
  }
  throw keptChanging();
}

/**
 * Books the meeting of a time that a proposal holds. The commit of the booking ends the proposal. Throws `SlotTaken` if
 * a calendar has become busy or somebody booked over the time; the time is then free. Throws `ProposalTaken` if the
 * proposal changed since it was read, and the errors of a booking.
 */
export async function bookTime(
  ctx: Ctx,
  platform: Platform,
  proposal: FoundProposal,
  { id: timeId, start, end }: Time,
  { atExpiry }: { atExpiry: boolean },
): Promise<void> {
  const { id: proposalId, requesterEmail, otherEmail, title, description, location, metadata } = proposal;
  try {
    await bookMeeting(ctx, platform, {
      attendees: [requesterEmail, otherEmail],
      start,
      end,
      title,
      description,
      location,
      metadata,
      limits: undefined,
      proposal: { proposalId, timeId, atExpiry },
    });
  } catch (error) {
    if (error instanceof SlotTaken) await ctx.db.batch(releaseTime(ctx.db, { proposalId, timeId }));
    if (error instanceof ProposalTaken) await assertSamePeople(ctx, platform, proposal);
    throw error;
  }
}

function timeOf({ times }: FoundProposal, timeId: string): Time {
  const time = times.find(({ id }) => id === timeId);
  if (time !== undefined) return time;
  throw new AppError('invalid_request', '`time_id` must be the ID of a time of this proposal.', { field: 'time_id' });
}

const gone = ({ times }: FoundProposal, now: number) =>
  timeUnavailable(times.filter(({ status, start }) => status === 'held' && start > now).length);

/** Throws `user_not_found` for a person whose address belongs to somebody else since the proposal was made. */
async function assertSamePeople(ctx: Ctx, platform: Platform, proposal: FoundProposal): Promise<void> {
  const { requesterEmail, otherEmail, requesterId, otherId } = proposal;
  const [requester, other] = await loadBothConnected(ctx, platform, [requesterEmail, otherEmail]);
  if (requester.id !== requesterId) throw userNotFound(requesterEmail);
  if (other.id !== otherId) throw userNotFound(otherEmail);
}
