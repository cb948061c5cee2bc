import type { Place } from '../../../schema/api/paging.ts';
import { isLive } from '../../../schema/api/states.ts';
import { batch } from '../../../schema/db.ts';
import { findOwnMeeting, listMeetingsAhead, type OwnMeeting, selectViewer } from '../../../schema/meetings/list.ts';
import { findOwnProposal, type listHeldTimes } from '../../../schema/meetings/proposals-list.ts';
import { NOTICE } from '../../engine/rules/free-time.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { AppError, hasCode, meetingBusy } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import { pageOf } from '../../kit/read-page.ts';
import { MeetingChanged } from '../protocol/operation.ts';
import { urlOf } from '../protocol/proposal-link.ts';
import { placeOf } from '../read/read.ts';
import { cancelMeeting } from '../verbs/cancel.ts';
import { declineProposal, TRIES, withdrawProposal } from './end.ts';
import { EXPIRES_IN_HOURS, proposeMove, proposeReschedule } from './propose-move.ts';
import type { CounterOutcome } from './wished-times.ts';

const AT_ONCE = 20;

/** Covers meetings ahead on all platforms. Returns undefined if the user was deleted. */
export async function readMyMeetings(ctx: Ctx, { userId, after }: { userId: string; after: Place | undefined }) {
  const now = ctx.clock.now();
  const { viewers, ahead } = await batch(ctx.db, {
    viewers: selectViewer(ctx.db, userId),
    ahead: listMeetingsAhead(ctx.db, { userId, now, limit: AT_ONCE + 1, after }),
  });
  const [viewer] = viewers;
  if (viewer === undefined) return undefined;
  const { rows, next } = pageOf(ahead, AT_ONCE, placeOf);
  return {
    email: viewer.email,
    timeZone: knownZone(viewer.timeZone) ?? 'UTC',
    meetings: await Promise.all(rows.map((row) => toMyMeeting(ctx, row, now))),
    next,
  };
}

export type MyMeeting = Awaited<ReturnType<typeof toMyMeeting>>;

async function toMyMeeting(ctx: Ctx, row: OwnMeeting, now: number) {
  const { id, title, location, meetLink, start, end, createdAt, requesterEmail, otherEmail } = row;
  const isRequester = row.position === 0;
  const move = isOpen(row, now);
  return {
    ...{ id, title, location, meetLink, start, end, createdAt, isRequester },
    platformName: row.platform.name,
    withWhom: isRequester ? otherEmail : requesterEmail,
    moveUrl: move && (await urlOf(ctx, move)),
    mayMove: move === undefined && isMovable(row, now),
  };
}

const isOpen = ({ openMove }: OwnMeeting, now: number) =>
  openMove !== null && openMove.expiresAt > now ? openMove : undefined;

const isMovable = ({ suspendedAt, start }: OwnMeeting, now: number) => suspendedAt === null && start - NOTICE > now;

interface Seen {
  userId: string;
  id: string;
  /** Start of the meeting, in epoch milliseconds, as the person's page showed it. */
  seenStart: number;
}

/**
 * `kept` means that the event stays in the calendars, also for a meeting that was cancelled before, and `changed` that
 * the meeting is no longer as they saw it, or has begun. Throws `meeting_busy` and `calendar_*`.
 */
export async function cancelOwnMeeting(ctx: Ctx, { userId, id, seenStart }: Seen) {
  for (let tries = 0; tries < TRIES; tries++) {
    const meeting = await findOwn(ctx, { userId, id });
    if (meeting?.status === 'cancelled') return endOf(meeting);
    if (!isAsSeen(ctx, meeting, seenStart)) return 'changed';
    try {
      await cancelMeeting(ctx, meeting.platform, { id, version: meeting.version, by: 'attendee' });
      return endOf(await findOwn(ctx, { userId, id }));
    } catch (error) {
      if (!hasCode(error, 'meeting_not_found') && !(error instanceof MeetingChanged)) throw error;
    }
  }
  throw meetingBusy();
}

const endOf = (meeting: OwnMeeting | undefined) => (meeting?.isEventLeft ? 'kept' : 'cancelled');

const NEAREST = 3;

/** The answer if a text moves nothing or chosen times are no longer free. It has times to choose from. */
export type Unmoved =
  | Extract<CounterOutcome, { kind: 'not_understood' | 'cancels' }>
  | { kind: 'taken'; nearest: Interval[] };

/**
 * `unread` means that the reason names no time, and `changed` that the meeting is no longer as the person saw it or
 * cannot be moved. `proposed` also answers a repeated call. Throws the errors of `proposeReschedule`.
 */
export async function proposeOwnMove(
  ctx: Ctx,
  { userId, id, seenStart, wish }: Seen & { wish: { reason: string } | { starts: number[] } },
): Promise<'proposed' | 'unread' | 'changed' | Unmoved> {
  const meeting = await findOwn(ctx, { userId, id });
  if (!isAsSeen(ctx, meeting, seenStart)) return 'changed';
  const now = ctx.clock.now();
  if (isOpen(meeting, now) !== undefined) return 'proposed';
  if (!isMovable(meeting, now)) return 'changed';
  const requestedBy = meeting.position === 0 ? meeting.requesterEmail : meeting.otherEmail;
  try {
    if ('reason' in wish) return await proposeBy(ctx, meeting.platform, { id, requestedBy, ...wish });
    const { starts } = wish;
    await proposeMove(ctx, meeting.platform, {
      ...{ meetingId: id, starts, count: starts.length, requesterName: null },
      ...{ expiresInHours: EXPIRES_IN_HOURS, onExpiry: 'cancel' },
    });
    return 'proposed';
  } catch (error) {
    const unmoved = unmovedBy(error);
    if (unmoved !== undefined) return unmoved;
    // Another request may have offered times meanwhile, such as the same form sent twice.
    const after = hasCode(error, 'too_many_proposals') ? await findOwn(ctx, { userId, id }) : undefined;
    if (after !== undefined && isOpen(after, ctx.clock.now()) !== undefined) return 'proposed';
    throw error;
  }
}

async function proposeBy(ctx: Ctx, platform: PlatformRef, asked: Record<'id' | 'requestedBy' | 'reason', string>) {
  const { understood } = await proposeReschedule(ctx, platform, { ...asked, whenUnclear: 'refuse' });
  return understood.length === 0 ? 'unread' : 'proposed';
}

function unmovedBy(error: unknown): 'changed' | Unmoved | undefined {
  if (!(error instanceof AppError)) return undefined;
  const { unclear, alternatives } = error.details;
  const nearest = alternatives?.slice(0, NEAREST) ?? [];
  if (unclear !== undefined) return unclear.kind === 'cancels' ? unclear : { ...unclear, nearest };
  if (error.code === 'slot_unavailable') return { kind: 'taken', nearest };
  return error.code === 'meeting_not_found' ? 'changed' : undefined;
}

/** The user must be an attendee. Returns undefined if there is none, or if the id is malformed. */
const findOwn = async (ctx: Ctx, { userId, id }: { userId: string; id: string }) =>
  isMeetingId(id) ? findOwnMeeting(ctx.db, { userId, id }) : undefined;

const isAsSeen = (ctx: Ctx, meeting: OwnMeeting | undefined, seenStart: number): meeting is OwnMeeting =>
  meeting !== undefined && isLive(meeting.status) && meeting.start === seenStart && meeting.start > ctx.clock.now();

export function heldTimesOf(userId: string, rows: Awaited<ReturnType<typeof listHeldTimes>>) {
  const groups = Map.groupBy(rows, ({ proposalId }) => proposalId);
  return [...groups.values()].flatMap((times) => {
    const [first] = times;
    if (first === undefined) return [];
    const { proposalId, platformId, platformName, requesterId, requesterEmail, otherEmail, expiresAt } = first;
    return {
      ...{ proposalId, platformId, platformName, expiresAt },
      withWhom: requesterId === userId ? otherEmail : requesterEmail,
      times: times.map(({ start, end }) => ({ start, end })),
    };
  });
}

/** The requester withdraws it, the other declines. Does nothing for others, or if it ended. Throws `proposal_busy`. */
export async function endOwnProposal(ctx: Ctx, { userId, id }: { userId: string; id: string }): Promise<void> {
  const found = /^prop_\w{1,60}$/.test(id) ? await findOwnProposal(ctx.db, { userId, id }) : undefined;
  if (found === undefined) return;
  const platform = { id: found.platformId };
  try {
    if (found.isRequester) await withdrawProposal(ctx, platform, id);
    else await declineProposal(ctx, platform, id, undefined);
  } catch (error) {
    if (!hasCode(error, 'proposal_ended')) throw error;
  }
}
