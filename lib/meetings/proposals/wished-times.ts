import { DAY } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { Reading } from '../../engine/wish/reading.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError, hasCode } from '../../kit/errors.ts';
import { readReason } from '../../reader/read-text.ts';
import type { Asker } from '../../reader/wish/asker.ts';
import { describeReading, type Understood } from '../../words/understood.ts';
import { MeetingChanged, SlotTaken } from '../protocol/operation.ts';
import { findAnswerTimes, type Loaded, MOST_ANSWERED, type Moved, stillMutual } from './counter-times.ts';
import { ConnectionChanged } from './propose.ts';

/** Largest number of times that a person can ask for other times in a row. After that they can only choose or decline. */
export const MOST_COUNTERS = 3;

/** Time ahead, in milliseconds, for which people's meetings are loaded. A reschedule loads meetings as far ahead. */
export const LONGEST_REACH = 500 * DAY;

/** Request for other times that a person made on a proposal's page, in place of the offered times or of the booked meeting. */
export interface Answer {
  /** Text of the person at the page. Null if they chose times without a text. */
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
  /** Outcome if the text asks to cancel. `words` are its words that do. */
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

/**
 * Returns a function for errors after which another search may find times. It throws any other, and `no_availability`
 * once other meetings took three times.
 */
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

/** Returns a function that reads the person's text on its first call, and returns the same reading on each further call. */
export function readingOnce(ctx: Ctx, { text, timeZone }: Answer) {
  let reading: Promise<Reading> | undefined;
  return ({ start, end }: Interval) => {
    const asker = { timeZone, now: ctx.clock.now(), oldStart: start, oldEnd: end };
    reading ??= readReason(ctx, text ?? '', asker).then((read) => {
      const understood = read.wanted.length + read.refused.length + read.moves.length;
      ctx.log('info', 'an answer to a proposal was read', {
        read_by: read.by,
        understood,
        not_understood: read.unread.length,
      });
      return read;
    });
    return reading.then((known) => ({ reading: known, asker }));
  };
}

interface Wish extends Pick<Answer, 'starts'> {
  /** Reading of the person's text. Undefined if they chose `starts`. */
  said: { reading: Reading; asker: Asker } | undefined;
  /** Times that the person was offered, or the time of their meeting. Words such as "an hour later" refer to the first. */
  offers: readonly [Interval, ...Interval[]];
  held: readonly Interval[];
  durationMinutes: number;
  moved: Moved;
}

type Found = { kind: 'found'; times: Interval[]; reading: Reading | undefined };

/**
 * Returns those that fit the text, or the chosen starts at which both are still free, in order of time, or else the
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
