import { detailsOfProposal } from '../../../schema/answers/meeting-answers.ts';
import type { Guard } from '../../../schema/db.ts';
import {
  endProposal,
  isEndedBy,
  isUntold,
  listExpired,
  listUntoldEnds,
  lockEnded,
  markEndTold,
} from '../../../schema/meetings/proposals-end.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { AppError, proposalBusy, proposalEnded, waitOf } from '../../kit/errors.ts';
import { workOff } from '../../kit/work-off.ts';
import { insertEvent, publishEvents } from '../../webhooks/outbox.ts';
import { waitForWriter } from '../protocol/reconcile.ts';
import { answerOf, loadProposal } from './read.ts';

type End = { status: 'withdrawn' | 'expired' } | { status: 'declined'; reason: string | undefined };

export const TRIES = 10;

/** A repeated call gets the same answer. Throws `proposal_not_found` and what `tryWhileOpen` throws. */
export const withdrawProposal = (ctx: Ctx, platform: PlatformRef, id: string) =>
  endOnce(ctx, platform, id, { status: 'withdrawn' });

/** A repeated call returns the same answer. Throws what `withdrawProposal` throws. */
export const declineProposal = (ctx: Ctx, platform: PlatformRef, id: string, reason: string | undefined) =>
  endOnce(ctx, platform, id, { status: 'declined', reason });

const endOnce = (ctx: Ctx, platform: PlatformRef, id: string, end: End) =>
  tryWhileOpen(ctx, {
    load: async () => ({ proposal: await loadProposal(ctx, platform, id) }),
    earlier: ({ proposal }) => (proposal.status === end.status ? answerOf(ctx, proposal) : undefined),
    async attempt({ proposal }) {
      await endAs(ctx, platform, proposal, end);
      return undefined;
    },
  });

interface Steps<Loaded, Answer> {
  load: () => Promise<Loaded>;
  /** The answer to a call that repeats an earlier one. */
  earlier: (loaded: Loaded) => Promise<Answer | undefined> | Answer | undefined;
  /** Undefined to look at the proposal again, which another request may have changed. */
  attempt: (loaded: Loaded) => Promise<Answer | undefined>;
}

/** Throws `proposal_ended`, `proposal_busy` after 3 s of waiting or if each try loses, and the errors of the steps. */
export async function tryWhileOpen<Loaded extends { proposal: FoundProposal }, Answer>(
  ctx: Ctx,
  { load, earlier, attempt }: Steps<Loaded, Answer>,
): Promise<Answer> {
  const wait = waitForWriter(ctx, proposalBusy);
  for (let tries = 0; tries < TRIES; ) {
    const loaded = await load();
    const answer = await earlier(loaded);
    if (answer !== undefined) return answer;
    const { status, movesMeetingId, meetingId, leaseUntil } = loaded.proposal;
    if (status !== 'open') throw proposalEnded(status);
    // The writer who accepts holds the lease of the meeting that the proposal moves, or else of the new one.
    if (meetingId !== null) await wait({ meetingId: movesMeetingId ?? meetingId, leaseUntil });
    else {
      tries += 1;
      const made = await attempt(loaded);
      if (made !== undefined) return made;
    }
  }
  throw keptChanging();
}

export function assertNotExpired({ expiresAt, isMeetingAsBefore }: FoundProposal, now: number): void {
  if (expiresAt <= now || !isMeetingAsBefore) throw proposalEnded('expired');
}

export const keptChanging = () =>
  new AppError(
    'proposal_busy',
    `Nothing was changed, because other requests kept changing the proposal. Try again ${waitOf(RETRY_SECONDS)}.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );

const RETRY_SECONDS = 5;

/** Leaves out those whose expiry books a time. Platforms take turns, so that no backlog delays the others. */
export const expireProposals = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    list: (line) => listExpired(ctx.db, { ...line, onExpiry: 'cancel' }),
    tenantOf: ({ platformId }) => platformId,
    run: async ({ id, platformId }) => {
      const platform = { id: platformId };
      await endAs(ctx, platform, await loadProposal(ctx, platform, id), { status: 'expired' });
    },
  });

/** A person disconnected or was erased, or the platform was suspended. Platforms take turns. */
export const tellEndedProposals = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    list: (line) => listUntoldEnds(ctx.db, line),
    tenantOf: ({ platformId }) => platformId,
    run: async ({ id, platformId }) => {
      const proposal = await loadProposal(ctx, { id: platformId }, id);
      const ended = { platformId, at: proposal.endedAt ?? ctx.clock.now(), guard: isUntold({ id }) };
      const event = endedEvent(ctx, ended, proposal, { status: 'withdrawn' });
      const mark = markEndTold(ctx.db, { id });
      const [, , marked] = await ctx.db.batch([lockEnded(ctx.db, { id }), event.statement, mark]);
      if (marked.length > 0) publishEvents(ctx, event);
    },
  });

/** Does nothing if the proposal has ended, is being accepted, or, for `expired`, has not expired. */
export async function endAs(ctx: Ctx, { id: platformId }: PlatformRef, proposal: FoundProposal, end: End) {
  const now = ctx.clock.now();
  const ending = { id: proposal.id, platformId, owner: ctx.ids.id('end_'), now, ...end };
  const event = endedEvent(ctx, { platformId, at: now, guard: isEndedBy(ending) }, proposal, end);
  const [ended] = await ctx.db.batch([...endProposal(ctx.db, ending), event.statement]);
  if (ended.length > 0) publishEvents(ctx, event);
}

/** Belongs in the batch that ends the proposal, which is platform `platformId`'s, at this instant. */
export function endedEvent(
  ctx: Ctx,
  { platformId, at, guard }: { platformId: string; at: number; guard: Guard },
  proposal: FoundProposal,
  end: End | { status: 'countered'; reason: string | undefined; newProposalId: string },
) {
  const { id: proposalId, requesterEmail, otherEmail, title, durationMinutes, metadata } = proposal;
  const attendees = [requesterEmail, otherEmail];
  const about = { platformId, proposalId, attendees, title, durationMinutes, metadata, at };
  const reason = 'reason' in end ? (end.reason ?? null) : null;
  const ended = { ...about, details: detailsOfProposal(proposal), ...end, reason };
  return insertEvent(ctx, `proposal.${end.status}` as const, ended, guard);
}
