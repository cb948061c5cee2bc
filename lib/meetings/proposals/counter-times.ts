import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { type loadBoth, readBoth } from '../../availability/search.ts';
import { rankAnswer } from '../../engine/move/rank-answer.ts';
import { rescheduleSpan } from '../../engine/move/rank-reschedule.ts';
import type { RescheduleSearch } from '../../engine/move/reschedule-choices.ts';
import { NOTICE } from '../../engine/rules/candidates.ts';
import { personObjections } from '../../engine/rules/objections.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { Reading } from '../../engine/wish/reading.ts';
import type { Ctx } from '../../kit/context.ts';
import { guestOpenFor } from '../../person/guest.ts';
import type { Asker } from '../../reader/wish/asker.ts';
import { wishOf } from '../../reader/wish/wish-of.ts';
import type { movedFrom } from './propose-move.ts';

export const MOST_ANSWERED = 3;

export type Loaded = Awaited<ReturnType<typeof loadBoth>>;

/** The proposal ends when a new one answers it. */
export const withoutHolds = (loaded: Loaded, { id }: Pick<FoundProposal, 'id'>): Loaded => ({
  ...loaded,
  live: loaded.live.filter(({ takenBy }) => takenBy !== id),
});

/** In a search the present time of the meeting to move counts as free and is not offered. */
export type Moved = ReturnType<typeof movedFrom> | undefined;

const ignoring = (moved: Moved) => moved && { event: moved.event, isNear: true };

interface Asking {
  /** Times of the proposal. The first is the one to which words such as "an hour later" refer. */
  offers: readonly [Interval, ...Interval[]];
  reading: Reading;
  asker: Asker;
  durationMinutes: number;
  moved: Moved;
}

/**
 * Times in the text are by the asker's clock. A guest gets times in ordinary work hours if any fits, and otherwise in
 * the wider hours of `guestOpenFor`. Throws `calendar_*`.
 */
export async function findAnswerTimes(ctx: Ctx, loaded: Loaded, asking: Asking) {
  const { offers, reading, asker, durationMinutes, moved } = asking;
  const now = ctx.clock.now();
  const [first] = offers;
  // The person wanted none of the offered times, so a time before the first of them is as welcome as a later one.
  const wish = { ...wishOf(reading, asker), sooner: true };
  const { people } = loaded;
  const windowDays = people[0].availabilityWindowDays;
  const span = rescheduleSpan({ now, old: first, wish, windowDays });
  const where = { kind: 'instants', span } as const;
  const { search } = await readBoth(ctx, loaded, { where, durationMinutes, moved: ignoring(moved) });
  const asked: RescheduleSearch = {
    ...search,
    requesterPreferences: people[0].preferences,
    otherPreferences: people[1].preferences,
    old: first,
    wish,
    askerTimeZone: asker.timeZone,
    askedBy: people[1].email,
    notAt: moved?.notAt,
  };
  const found = rankAnswer(asked, offers, MOST_ANSWERED);
  if (!people[1].isGuest || found.fitting.length > 0) return found;
  const wider = rankAnswer({ ...asked, other: guestOpenFor(search.other, reading) }, offers, MOST_ANSWERED);
  return wider.fitting.length > 0 || found.nearest.length === 0 ? wider : found;
}

/** Checks all rules of the requester and, if connected, of the other person. Throws `calendar_*`. */
export async function stillMutual(
  ctx: Ctx,
  loaded: Loaded,
  { starts, durationMinutes, moved }: Pick<Asking, 'durationMinutes' | 'moved'> & { starts: readonly number[] },
): Promise<Interval[]> {
  const times = starts.map((start) => ({ start, end: start + durationMinutes * MINUTE }));
  const hull = { start: Math.min(...starts), end: Math.max(...times.map(({ end }) => end)) };
  const where = { kind: 'instants', span: hull } as const;
  const { search } = await readBoth(ctx, loaded, { where, durationMinutes, moved: ignoring(moved) });
  const people = loaded.people[1].isGuest ? [search.requester] : [search.requester, search.other];
  return times.filter(
    (time) =>
      time.start >= search.now + NOTICE &&
      !moved?.notAt.includes(time.start) &&
      people.every((person) => personObjections(person, time).length === 0),
  );
}
