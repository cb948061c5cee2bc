import { isLive } from '../../../schema/api/states.ts';
import { type FoundOfPage, findProposalOfPage } from '../../../schema/meetings/proposals-list.ts';
import { NOTICE } from '../../engine/rules/free-time.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { Ctx } from '../../kit/context.ts';
import { hasCode, meetingBusy } from '../../kit/errors.ts';
import { MeetingChanged } from '../protocol/operation.ts';
import { urlOf } from '../protocol/proposal-link.ts';
import { cancelMeeting } from '../verbs/cancel.ts';
import { TRIES } from './end.ts';
import { MOST_COUNTERS } from './wished-times.ts';

type Meeting = NonNullable<FoundOfPage['meeting']>;

export type PageState =
  /** The person can accept one of `times`, which may be empty, or decline, and with `mayCounter` ask for others. */
  | { kind: 'open'; times: FoundOfPage['times']; mayCounter: boolean }
  | { kind: 'busy' }
  /** State while the platform of the proposal is suspended, so nothing can be booked. */
  | { kind: 'paused' }
  /** `isBooking`: Tandem is about to book a time at expiry. `next` is the path of the page that answers with others. */
  | {
      kind: 'ended';
      how: 'declined' | 'countered' | 'withdrawn' | 'expired';
      isBooking: boolean;
      next?: string | undefined;
    }
  /**
   * `another` person took the place of the one whom the proposal asked. `next` is the path of the page on which other
   * times are offered now, and with `mayMove` the person can ask for such.
   */
  | {
      kind: 'meeting';
      meeting: Meeting;
      phase: 'ahead' | 'begun' | 'cancelled' | 'another';
      next?: string | undefined;
      mayMove: boolean;
    };

type Proposal = Omit<FoundOfPage, 'platform' | 'answeredBy' | 'askedAt'>;

export type ProposalPage = NonNullable<Awaited<ReturnType<typeof openPage>>>;

/** The hash is the SHA-256 of the secret token in the page's URL. Returns undefined if there is none. */
export async function openPage(ctx: Ctx, tokenHash: string) {
  const found = await findProposalOfPage(ctx.db, { tokenHash });
  if (found === undefined) return undefined;
  const { platform, answeredBy, askedAt, ...proposal } = found;
  const now = ctx.clock.now();
  const state = stateOf(proposal, now);
  const [next, back] = await Promise.all([pathOf(ctx, followerOf(state, answeredBy, now)), pathOf(ctx, askedAt)]);
  return {
    tokenHash,
    proposal,
    platform,
    state: state.kind === 'ended' || state.kind === 'meeting' ? { ...state, next } : state,
    /** Path of the earlier page on which the person asked for these times, and which shows their meeting. */
    back,
    /** Undefined if the runtime does not know the zone or the requester has disconnected. */
    requesterTimeZone: zoneIn(proposal.requesterTimeZone),
    otherTimeZone: zoneIn(proposal.otherTimeZone),
  };
}

const zoneIn = (stored: string | null) => (stored === null ? undefined : knownZone(stored));

/** Answers this proposal with other times, or is the open one to move its meeting. */
function followerOf(state: PageState, answeredBy: FoundOfPage['answeredBy'], now: number) {
  if (state.kind === 'ended') return answeredBy;
  const isAhead = state.kind === 'meeting' && state.phase === 'ahead';
  const move = isAhead ? state.meeting.openMove : null;
  return move !== null && move.expiresAt > now ? move : null;
}

async function pathOf(ctx: Ctx, proposal: { id: string; token: string | null } | null): Promise<string | undefined> {
  const url = proposal && (await urlOf(ctx, proposal));
  return url ? new URL(url).pathname : undefined;
}

function stateOf(proposal: Proposal, now: number): PageState {
  const { status, meeting, times, expiresAt, onExpiry, suspendedAt } = proposal;
  switch (status) {
    case 'accepted':
      return meeting === null
        ? { kind: 'ended', how: 'expired', isBooking: false }
        : {
            kind: 'meeting',
            meeting,
            phase: phaseOf(meeting, now),
            mayMove: suspendedAt === null && isMovable(meeting, now),
          };
    case 'declined':
    case 'countered':
    case 'withdrawn':
    case 'expired':
      return { kind: 'ended', how: status, isBooking: false };
    case 'open':
      if (proposal.meetingId !== null) return { kind: 'busy' };
      if (!proposal.isMeetingAsBefore) return { kind: 'ended', how: 'expired', isBooking: false };
      if (expiresAt <= now) return { kind: 'ended', how: 'expired', isBooking: onExpiry === 'book_first' };
      if (suspendedAt !== null) return { kind: 'paused' };
      return {
        kind: 'open',
        times: times.filter((time) => time.status === 'held' && time.start > now),
        mayCounter: proposal.counters < MOST_COUNTERS,
      };
  }
}

const isMovable = (meeting: Meeting, now: number): boolean =>
  phaseOf(meeting, now) === 'ahead' &&
  meeting.start - NOTICE > now &&
  meeting.openMove === null &&
  meeting.asks < MOST_COUNTERS;

function phaseOf(meeting: Meeting, now: number) {
  if (!meeting.isStillTheirs) return 'another';
  if (!isLive(meeting.status)) return 'cancelled';
  return meeting.start > now ? 'ahead' : 'begun';
}

/** `changed`: the meeting is no longer as they saw it, or has begun. Throws `meeting_busy` and `calendar_*`. */
export async function cancelAtPage(ctx: Ctx, opened: ProposalPage, seenStart: number) {
  let page: ProposalPage | undefined = opened;
  for (let tries = 0; tries < TRIES; tries++) {
    if (page?.state.kind !== 'meeting') return 'changed';
    const { meeting, phase } = page.state;
    if (phase === 'cancelled') return 'cancelled';
    if (phase !== 'ahead' || meeting.start !== seenStart) return 'changed';
    try {
      const { id, version } = meeting;
      await cancelMeeting(ctx, page.platform, { id, version, by: 'attendee' });
      return 'cancelled';
    } catch (error) {
      if (!hasCode(error, 'meeting_not_found') && !(error instanceof MeetingChanged)) throw error;
    }
    page = await openPage(ctx, opened.tokenHash);
  }
  throw meetingBusy();
}
