import type { Snapshot } from '../../../schema/meetings/change.ts';
import { endProposal, isEndedBy } from '../../../schema/meetings/proposals-end.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import type { StoredReading } from '../../../schema/tables/meetings.ts';
import { loadBoth, readBoth } from '../../availability/search.ts';
import { readBusyOnce } from '../../calendars/check/read-once.ts';
import { findSpreadSlots } from '../../engine/rank/find-slots.ts';
import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { inOrder, toIntervals } from '../../engine/time/intervals.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { type AppError, hasCode, proposalEnded, userNotFound } from '../../kit/errors.ts';
import { publishEvents } from '../../webhooks/outbox.ts';
import { sayOfferedTime } from '../../words/slots.ts';
import { aboutOf, lengthOf } from '../protocol/meeting.ts';
import { keptReading } from '../verbs/reschedule.ts';
import { withoutLimits } from '../verbs/still-free.ts';
import { assertNotExpired, endedEvent, keptChanging, TRIES, tryWhileOpen } from './end.ts';
import { openPage, type ProposalPage } from './page.ts';
import { type Answered, holdTimes, type Offer, type ToHold } from './propose.ts';
import { movableSnapshot, movedFrom } from './propose-move.ts';
import { loadProposal } from './read.ts';
import {
  type Answer,
  type CounterOutcome,
  findWished,
  hasChanged,
  isGone,
  MOST_ANSWERED,
  MOST_COUNTERS,
  passOver,
  readerOf,
  type Wish,
  withoutHolds,
} from './wished-times.ts';

type Read = ReturnType<typeof readerOf>;

/**
 * If no time fits, nothing changes. A repeated call gets the same result. Throws `proposal_not_found`,
 * `proposal_ended`, `proposal_busy` after 3 s of waiting for an acceptance, `no_availability`, `user_not_found` and
 * `calendar_*`.
 */
export async function counterProposal(ctx: Ctx, platform: Platform, id: string, answer: Answer) {
  const read = readerOf(ctx, answer);
  const pass = passOver(hasChanged);
  return tryWhileOpen<{ proposal: FoundProposal }, CounterOutcome>(ctx, {
    load: async () => ({ proposal: await loadProposal(ctx, platform, id) }),
    earlier: ({ proposal: { status, reason } }) =>
      status === 'countered' && reason === answer.text ? { kind: 'countered' } : undefined,
    async attempt({ proposal }) {
      assertNotExpired(proposal, ctx.clock.now());
      if (proposal.counters >= MOST_COUNTERS) return { kind: 'too_many' };
      try {
        return await counter(ctx, platform, proposal, answer, read);
      } catch (error) {
        pass(error);
        return undefined;
      }
    },
  });
}

/** Throws `SlotTaken`, and Postgres' refusal `not_in_hand` if the proposal changed meanwhile. */
async function counter(
  ctx: Ctx,
  platform: Platform,
  proposal: FoundProposal,
  answer: Answer,
  read: Read,
): Promise<CounterOutcome> {
  const { id, requesterEmail, otherEmail, durationMinutes, movesMeetingId, reading } = proposal;
  const attendees: [string, string] = [requesterEmail, otherEmail];
  const [first, ...others] = proposal.times;
  if (first === undefined) throw proposalEnded('expired');
  const { found, people, meeting } = await find(ctx, platform, answer, read, {
    ...{ attendees, durationMinutes, offers: [first, ...others], answered: proposal },
    held: proposal.times.filter(({ status }) => status === 'held'),
    meeting: movesMeetingId === null ? undefined : movedBy(ctx, platform, movesMeetingId),
  });
  if (found.kind !== 'found') return found;
  const platformId = platform.id;
  const now = ctx.clock.now();
  const end = { status: 'countered', reason: answer.text ?? undefined } as const;
  const ending = { id, platformId, owner: ctx.ids.id('end_'), now, ...end };
  let event: ReturnType<typeof endedEvent> | undefined;
  await hold(
    ctx,
    platform,
    { ...proposal, attendees },
    {
      ...{ people, times: found.times },
      moves: meeting && movesMeetingId ? { ...movedTo(movesMeetingId, meeting), reading } : undefined,
    },
    {
      answers: ending,
      end: (newProposalId) => {
        event = endedEvent(ctx, { platformId, at: now, guard: isEndedBy(ending) }, proposal, { ...end, newProposalId });
        return [...endProposal(ctx.db, ending), event.statement];
      },
    },
  );
  if (event !== undefined) publishEvents(ctx, event);
  return { kind: 'countered' };
}

/** Throws `proposal_ended` if the meeting to move has begun or ended. */
async function movedBy(ctx: Ctx, platform: Platform, meetingId: string) {
  try {
    return await movableSnapshot(ctx, platform, meetingId);
  } catch (error) {
    throw isGone(error) ? proposalEnded('expired') : error;
  }
}

const movedTo = (meetingId: string, { start, end }: Interval) => ({ meetingId, start, end, isForDecline: false });

interface Wished extends Omit<Wish, 'starts' | 'said' | 'moved'> {
  attendees: [string, string];
  /** The meeting to move. */
  meeting: Promise<Snapshot> | Snapshot | undefined;
  /** The open proposal that the new one ends. */
  answered?: FoundProposal;
}

/** Throws `user_not_found` if one of the addresses of the answered proposal has gone to another person since. */
async function find(
  ctx: Ctx,
  platform: Platform,
  { starts, timeZone }: Answer,
  read: Read,
  { attendees, answered, ...wished }: Wished,
) {
  const asked = { attendees, isFresh: true, guest: { timeZone } };
  const [both, said, meeting] = await Promise.all([
    loadBoth(ctx, platform, asked),
    starts === undefined ? read(wished.offers[0]) : undefined,
    wished.meeting,
  ]);
  if (answered !== undefined && both.people[0].id !== answered.requesterId) throw userNotFound(attendees[0]);
  if (answered?.isOtherGone) throw userNotFound(attendees[1]);
  const loaded = answered === undefined ? both : withoutHolds(both, answered);
  const moved = meeting && movedFrom(meeting);
  const held = wished.held.filter(({ start }) => start > ctx.clock.now());
  const found = await findWished(ctx, loaded, { ...wished, held, starts, said, moved });
  return { found, people: withoutLimits(loaded.people, attendees[1]), meeting };
}

/** If the person chooses none of the times, the new proposal books nothing: silence after a refusal is no consent. */
const hold = (
  ctx: Ctx,
  platform: Platform,
  about: Omit<ToHold, 'onExpiry'>,
  { times, ...offer }: Pick<Offer<object>, 'people' | 'moves'> & { times: Interval[] },
  answered: Answered,
) =>
  holdTimes(
    ctx,
    platform,
    { ...about, onExpiry: 'cancel' },
    { ...offer, times: times.map((time) => ({ ...time, reason: sayOfferedTime(time.start, offer.people) })) },
    answered,
  );

/**
 * A new proposal holds times that fit the text or that the person chose, and the meeting stays. If no time fits,
 * nothing changes. Returns `countered` if the meeting has an open proposal afterwards, and `changed` if it is no longer
 * as the person saw it or cannot be moved. Throws `no_availability`, `too_many_proposals`, `meeting_busy`,
 * `user_not_found` and `calendar_*`.
 */
export async function askForMove(
  ctx: Ctx,
  opened: ProposalPage,
  { seenStart, ...answer }: Answer & { seenStart: number },
): Promise<CounterOutcome | { kind: 'changed' }> {
  const read = readerOf(ctx, answer);
  let page: ProposalPage | undefined = opened;
  const pass = passOver((error) => hasChanged(error) || isGone(error));
  for (let tries = 0; tries < TRIES; tries++) {
    const seen = seenOn(page, seenStart);
    if (seen.kind !== 'movable') return seen;
    let full: AppError | undefined;
    try {
      return await offerMove(ctx, seen.page, seen.meetingId, answer, read);
    } catch (error) {
      if (hasCode(error, 'too_many_proposals')) full = error;
      else pass(error);
    }
    page = await openPage(ctx, opened.tokenHash);
    // Another request may have made the open proposal meanwhile, to which the person is then sent.
    if (full !== undefined && !isOffered(page)) throw full;
  }
  throw keptChanging();
}

const isOffered = (page: ProposalPage | undefined) => page?.state.kind === 'meeting' && page.state.next !== undefined;

function seenOn(page: ProposalPage | undefined, seenStart: number) {
  if (page?.state.kind !== 'meeting' || page.state.meeting.start !== seenStart) return { kind: 'changed' as const };
  if (isOffered(page)) return { kind: 'countered' as const };
  const { mayMove, meeting } = page.state;
  return mayMove ? { kind: 'movable' as const, page, meetingId: meeting.id } : { kind: 'changed' as const };
}

async function offerMove(
  ctx: Ctx,
  { platform, proposal }: ProposalPage,
  meetingId: string,
  answer: Answer,
  read: Read,
): Promise<CounterOutcome> {
  const old = await movableSnapshot(ctx, platform, meetingId);
  const { start, end } = old;
  const attendees: [string, string] = [old.organizer, old.other];
  const length = lengthOf(old);
  const durationMinutes = Math.ceil(length / MINUTE);
  const { found, people } = await find(ctx, platform, answer, read, {
    ...{ attendees, durationMinutes, offers: [{ start, end }], held: [{ start, end }], meeting: old },
  });
  if (found.kind !== 'found') return found;
  const nothingRead: StoredReading = { understood: [], notUnderstood: [], askedBy: 1 };
  const reading = found.reading === undefined ? nothingRead : keptReading(found.reading, 1);
  const { requesterName, guestTimeZone, expiresInHours } = proposal;
  await hold(
    ctx,
    platform,
    { ...aboutOf(old), attendees, requesterName, guestTimeZone, durationMinutes, expiresInHours },
    {
      people,
      times: found.times.map((time) => ({ start: time.start, end: time.start + length })),
      moves: { ...movedTo(meetingId, old), reading },
    },
    { answers: { id: proposal.id, mostAsks: MOST_COUNTERS }, end: () => [] },
  );
  return { kind: 'countered' };
}

const LONGEST_AHEAD_MS = 60 * DAY;

type Returned = Omit<Parameters<typeof readBusyOnce>[1], 'span'> & { timeZone: string };

/** `others` are free times if no proposed one is. Throws `user_not_found` and `calendar_*` for the requester. */
export async function checkCalendar(ctx: Ctx, page: ProposalPage, { timeZone, ...returned }: Returned) {
  const now = ctx.clock.now();
  const offered = page.state.kind === 'open' ? page.state.times : [];
  const last = Math.max(now + LONGEST_AHEAD_MS, ...offered.map(({ end }) => end));
  const read = await readBusyOnce(ctx, { ...returned, span: { start: now, end: last } });
  if ('refusal' in read) return { refusal: read.refusal ?? 'calendar_unavailable' };
  const { busy } = read;
  const free = offered.filter((time) => !isBusyAt(busy, time)).map(({ start, end }) => ({ start, end }));
  const others = free.length === 0 ? await otherTimes(ctx, page, { busy, timeZone, until: last }) : [];
  return { free, others };
}

const isBusyAt = (busy: BusyTimes, { start, end }: Interval): boolean =>
  toIntervals(inOrder(busy)).some((span) => span.start < end && start < span.end);

async function otherTimes(
  ctx: Ctx,
  { proposal, platform, state }: ProposalPage,
  { busy, timeZone, until }: { busy: BusyTimes; timeZone: string; until: number },
): Promise<Interval[]> {
  if (state.kind !== 'open' || !state.mayCounter) return [];
  const { requesterEmail, otherEmail, durationMinutes, movesMeetingId, times } = proposal;
  const attendees: [string, string] = [requesterEmail, otherEmail];
  const [both, meeting] = await Promise.all([
    loadBoth(ctx, platform, { attendees, isFresh: true, guest: { timeZone } }),
    movesMeetingId === null ? undefined : movableSnapshot(ctx, platform, movesMeetingId),
  ]);
  const moved = meeting && movedFrom(meeting);
  const { search } = await readBoth(ctx, withoutHolds(both, proposal), {
    where: { kind: 'dates' },
    durationMinutes,
    moved: moved && { event: moved.event, isNear: true },
  });
  const notAt = [...times.map(({ start }) => start), ...(moved?.notAt ?? [])];
  const { slots } = findSpreadSlots({ ...search, other: { ...search.other, busy }, notAt }, MOST_ANSWERED);
  return slots
    .map(({ start, end }) => ({ start, end }))
    .filter(({ end }) => end <= until)
    .sort((one, other) => one.start - other.start);
}
