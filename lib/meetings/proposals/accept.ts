import type { Proposal } from '../../../schema/api/proposals.ts';
import { type GivenByGuest, isBookedWithoutLink, releaseTime } from '../../../schema/meetings/proposals-accept.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, proposalBusy, timeUnavailable, userNotFound } from '../../kit/errors.ts';
import { requireRequester, UNKNOWN_GUEST } from '../../person/guest.ts';
import { toPerson } from '../../person/person.ts';
import { assertQuotaLeft } from '../../usage/usage.ts';
import { sayNoMeet } from '../protocol/commit-booking.ts';
import { aboutOf } from '../protocol/meeting.ts';
import { ProposalTaken, SlotTaken, TimeHeld } from '../protocol/operation.ts';
import { withoutLimits } from '../verbs/limits.ts';
import { bookMeeting } from '../verbs/schedule.ts';
import { assertNotExpired, tryWhileOpen } from './end.ts';
import { moveToTime } from './move-to-time.ts';
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
