import { endProposal, isEndedBy } from '../../../schema/meetings/proposals-end.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { loadBoth } from '../../availability/search.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { proposalEnded, userNotFound } from '../../kit/errors.ts';
import { insertEvent, publishDelivery } from '../../webhooks/outbox.ts';
import { sayOfferedTime } from '../../words/slots.ts';
import { withoutLimits } from '../verbs/limits.ts';
import { eventOf, keptChanging, TRIES } from './end.ts';
import { holdTimes } from './propose.ts';
import { movableSnapshot, movedFrom } from './propose-move.ts';
import { loadProposal, waitForAccepter } from './read.ts';
import {
  type Answer,
  type CounterOutcome,
  findWished,
  hasChanged,
  isGone,
  LONGEST_REACH,
  MOST_COUNTERS,
  passOver,
  readerOf,
  withoutHolds,
} from './wished-times.ts';

/**
 * If no time fits, nothing changes. A repeated call gets the same result. Throws `proposal_not_found`,
 * `proposal_ended`, `proposal_busy` after 3 s of waiting for an acceptance, `no_availability`, `user_not_found` and
 * `calendar_*`.
 */
export async function counterProposal(
  ctx: Ctx,
  platform: Platform,
  id: string,
  answer: Answer,
): Promise<CounterOutcome> {
  const waitForAcceptance = waitForAccepter(ctx);
  const read = readerOf(ctx, answer);
  const pass = passOver(hasChanged);
  for (let tries = 0; tries < TRIES; ) {
    const proposal = await loadProposal(ctx, platform, id);
    if (proposal.status === 'countered' && proposal.reason === answer.text) return { kind: 'countered' };
    if (proposal.status !== 'open') throw proposalEnded(proposal.status);
    if (proposal.meetingId !== null) {
      await waitForAcceptance(proposal);
      continue;
    }
    if (proposal.expiresAt <= ctx.clock.now() || !proposal.isMeetingAsBefore) throw proposalEnded('expired');
    if (proposal.counters >= MOST_COUNTERS) return { kind: 'too_many' };
    tries += 1;
    try {
      return await counter(ctx, platform, proposal, answer, read);
    } catch (error) {
      pass(error);
    }
  }
  throw keptChanging();
}

async function counter(
  ctx: Ctx,
  platform: Platform,
  proposal: FoundProposal,
  { text, starts, timeZone }: Answer,
  read: ReturnType<typeof readerOf>,
): Promise<CounterOutcome> {
  const { requesterEmail, otherEmail, durationMinutes } = proposal;
  const attendees: [string, string] = [requesterEmail, otherEmail];
  const asked = { attendees, isFresh: true, until: ctx.clock.now() + LONGEST_REACH, guest: { timeZone } };
  const [first, ...others] = proposal.times;
  if (first === undefined) throw proposalEnded('expired');
  const [both, said, meeting] = await Promise.all([
    loadBoth(ctx, platform, asked),
    starts === undefined ? read(first) : undefined,
    movedBy(ctx, platform, proposal),
  ]);
  const moved = meeting && movedFrom(meeting);
  assertSamePeople(proposal, both.people[0].id);
  const loaded = withoutHolds(both, proposal);
  const now = ctx.clock.now();
  const isHeld = ({ status, start }: FoundProposal['times'][number]) => status === 'held' && start > now;
  const found = await findWished(ctx, loaded, {
    ...{ starts, said, offers: [first, ...others], durationMinutes, moved },
    held: proposal.times.filter(isHeld),
  });
  if (found.kind !== 'found') return found;
  const { times } = found;
  return holdAnswer(ctx, platform, proposal, {
    ...{ text, times, meeting },
    people: withoutLimits(loaded.people, otherEmail),
  });
}

/** Throws `proposal_ended` if the meeting to move has begun or ended. */
async function movedBy(ctx: Ctx, platform: Platform, { movesMeetingId }: FoundProposal) {
  if (movesMeetingId === null) return undefined;
  try {
    return await movableSnapshot(ctx, platform, movesMeetingId);
  } catch (error) {
    throw isGone(error) ? proposalEnded('expired') : error;
  }
}

/** Throws `user_not_found` if one of the two addresses has gone to another person since. */
function assertSamePeople({ requesterId, requesterEmail, otherEmail, isOtherGone }: FoundProposal, id: string): void {
  if (id !== requesterId) throw userNotFound(requesterEmail);
  if (isOtherGone) throw userNotFound(otherEmail);
}

interface Held {
  text: string | null;
  times: Interval[];
  people: Awaited<ReturnType<typeof loadBoth>>['people'];
  meeting: Awaited<ReturnType<typeof movedBy>>;
}

/**
 * Throws `SlotTaken` if a time was taken since the search. Postgres refuses the batch as `not_in_hand` if the proposal
 * changed meanwhile.
 */
async function holdAnswer(
  ctx: Ctx,
  platform: Platform,
  proposal: FoundProposal,
  { text, times, people, meeting }: Held,
): Promise<CounterOutcome> {
  const { id, requesterEmail, otherEmail, movesMeetingId, reading } = proposal;
  const platformId = platform.id;
  const now = ctx.clock.now();
  const end = { status: 'countered', reason: text ?? undefined } as const;
  const ending = { id, platformId, owner: ctx.ids.id('end_'), now, ...end };
  let deliveryId: string | undefined;
  await holdTimes(
    ctx,
    platform,
    {
      ...{ ...proposal, attendees: [requesterEmail, otherEmail], idempotency: undefined, warnings: [] },
      // Silence after rejecting the first times is no consent, so the new proposal books nothing at expiry.
      onExpiry: 'cancel',
    },
    {
      people,
      times: times.map((time) => ({ ...time, reason: sayOfferedTime(time.start, people) })),
      moves:
        meeting === undefined || movesMeetingId === null
          ? undefined
          : { meetingId: movesMeetingId, start: meeting.start, end: meeting.end, reading, isForDecline: false },
    },
    {
      answers: ending,
      end: (newProposalId) => {
        const told = eventOf(proposal, { ...end, newProposalId }, now);
        const event = insertEvent(ctx, { platformId, ...told, guard: isEndedBy(ending) });
        deliveryId = event.deliveryId;
        return [...endProposal(ctx.db, ending), event.statement];
      },
    },
  );
  if (deliveryId !== undefined) ctx.later(publishDelivery(ctx, deliveryId));
  return { kind: 'countered' };
}
