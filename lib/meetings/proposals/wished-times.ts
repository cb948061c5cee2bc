import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { type loadBoth, readBoth } from '../../availability/search.ts';
import { rankAnswer } from '../../engine/move/rank-answer.ts';
import { rescheduleSpan } from '../../engine/move/rank-reschedule.ts';
import type { RescheduleSearch } from '../../engine/move/reschedule-choices.ts';
import { NOTICE } from '../../engine/rules/free-time.ts';
import { personObjections } from '../../engine/rules/objections.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { Reading } from '../../engine/wish/reading.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError, hasCode } from '../../kit/errors.ts';
import { guestOpenFor } from '../../person/guest.ts';
import { type Asker, wishOf } from '../../reader/wish/wish-of.ts';
import { describeReading, type Understood } from '../../words/understood.ts';
import { MeetingChanged, SlotTaken } from '../protocol/operation.ts';
import { readingOnce } from '../verbs/reschedule.ts';
import type { MovedFrom } from './offered-times.ts';
import { ConnectionChanged } from './propose.ts';

export const MOST_ANSWERED = 3;

/** Largest number of times that a person can ask for other times in a row. After that they can only choose or decline. */
export const MOST_COUNTERS = 3;

/** Request for other times that a person made on a proposal's page, in place of the offered times or of the booked meeting. */
export interface Answer {
  /** Null if they chose times without a text. */
  text: string | null;
  /** Starts that the person chose to be held. If undefined, Tandem looks for times that fit the text. */
  starts?: number[] | undefined;
  timeZone: string;
}

/** Outcome of an answer that asks for other times. Only `countered` changes the proposal. */
export type CounterOutcome =
  /** Outcome if a new proposal reserves other times. The old proposal has ended. */
  | { kind: 'countered' }
  /** `words` about times were not understood, and `nearest` are free times to choose from. */
  | { kind: 'not_understood'; words: string[]; nearest: Interval[] }
  | { kind: 'cancels'; words: string }
  /** Outcome if times that are already offered fit the text. */
  | { kind: 'offered'; times: Interval[]; understood: Understood[] }
  /** `nearest` are the free times that come closest. Tandem does not reserve them. */
  | { kind: 'not_free'; nearest: Interval[]; understood: Understood[] }
  | { kind: 'too_many' };

const allTaken = () =>
  new AppError(
    'no_availability',
    'Nothing was changed, because other meetings took every time that was found while your request ran. Send the same request again.',
  );

/** The function throws errors after which no search finds times, and `no_availability` at the third `SlotTaken`. */
export function passOver(isOutdated: (error: unknown) => boolean) {
  let taken = 0;
  return (error: unknown): void => {
    if (error instanceof SlotTaken) taken += 1;
    else if (!isOutdated(error)) throw error;
    if (taken === MOST_ANSWERED) throw allTaken();
  };
}

/** The proposal, its meeting or a person's connection has changed since it was read. */
export const hasChanged = (error: unknown): boolean =>
  error instanceof MeetingChanged || error instanceof ConnectionChanged;

/** The meeting to move was cancelled, or has begun. */
export const isGone = (error: unknown): boolean => hasCode(error, 'meeting_not_found', 'invalid_request');

/** Returns a function that reads the person's text, of which words such as "an hour later" refer to the given time. */
export function readerOf(ctx: Ctx, { text, timeZone }: Answer) {
  const read = readingOnce(ctx, text ?? '', 'an answer to a proposal was read');
  return async ({ start, end }: Interval) => {
    const asker = { timeZone, now: ctx.clock.now(), oldStart: start, oldEnd: end };
    return { reading: await read(asker), asker };
  };
}

type Loaded = Awaited<ReturnType<typeof loadBoth>>;

interface Asking {
  /** Times that the person was offered, or the time of their meeting. Words such as "an hour later" refer to the first. */
  offers: readonly [Interval, ...Interval[]];
  durationMinutes: number;
  /** In a search the present time of the meeting to move counts as free and is not offered. */
  moved: MovedFrom | undefined;
}

type Said = { reading: Reading; asker: Asker };

export interface Wish extends Asking, Pick<Answer, 'starts'> {
  /** Undefined if they chose `starts`. */
  said: Said | undefined;
  held: readonly Interval[];
}

type Found = { kind: 'found'; times: Interval[]; reading: Reading | undefined };

/**
 * Returns times that fit the text, or the chosen starts at which both are still free, in order of time, or else the
 * reason. Throws `no_availability` if other meetings took all the starts, and `calendar_*`.
 */
export async function findWished(
  ctx: Ctx,
  loaded: Loaded,
  { starts = [], said, offers, held, durationMinutes, moved }: Wish,
): Promise<Found | Exclude<CounterOutcome, { kind: 'countered' }>> {
  if (said === undefined) {
    const mutual = await stillMutual(ctx, loaded, { starts, durationMinutes, moved });
    if (mutual.length === 0) throw allTaken();
    return { kind: 'found', times: mutual.toSorted((one, other) => one.start - other.start), reading: undefined };
  }
  const { reading } = said;
  if (reading.cancels !== undefined) return { kind: 'cancels', words: reading.cancels };
  const { understood, notUnderstood } = describeReading(reading);
  const { fitting, nearest, offered } = await findAnswerTimes(ctx, loaded, { offers, ...said, durationMinutes, moved });
  if (!asksForTimes(reading)) return { kind: 'not_understood', words: notUnderstood, nearest: fitting };
  if (fitting.length > 0) return { kind: 'found', times: fitting, reading };
  const open = offered.filter(({ start }) => held.some((time) => time.start === start));
  return open.length > 0 ? { kind: 'offered', times: open, understood } : { kind: 'not_free', nearest, understood };
}

/** Returns true if a reading asks for times of this meeting, and not only for something in general. */
const asksForTimes = ({ wanted, refused, moves, soon }: Reading) =>
  wanted.length + refused.length + moves.length > 0 || soon !== undefined;

/** The proposal ends when a new one answers it. */
export const withoutHolds = (loaded: Loaded, { id }: Pick<FoundProposal, 'id'>): Loaded => ({
  ...loaded,
  live: loaded.live.filter(({ takenBy }) => takenBy !== id),
});

const ignoring = (moved: Asking['moved']) => moved && { event: moved.event, isNear: true };

/** Reads times by the asker's clock. If none fit, a guest has the hours of `guestOpenFor`. Throws `calendar_*`. */
async function findAnswerTimes(ctx: Ctx, loaded: Loaded, asking: Asking & Said) {
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
async function stillMutual(
  ctx: Ctx,
  loaded: Loaded,
  { starts, durationMinutes, moved }: Omit<Asking, 'offers'> & { starts: readonly number[] },
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
