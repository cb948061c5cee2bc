import { bridgeDays } from '../rules/bridges.ts';
import { openOnce } from '../rules/candidates.ts';
import { ALL_RULES, busyInstants } from '../rules/free-time.ts';
import { DAY, DAY_MINUTES, MINUTE, weekdayIndex } from '../time/dates.ts';
import {
  covers,
  type Edges,
  edgeAt,
  firstEndingAfter,
  inOrder,
  overlaps,
  toIntervals,
  union,
} from '../time/intervals.ts';
import type { WallTime } from '../time/moment.ts';
import { type Days, wallInstants } from '../time/wall-instants.ts';
import { focusWeek, workWeek } from '../time/week.ts';
import { offsetSpans, spanAt } from '../time/zone.ts';
import type { SearchedPerson } from '../types.ts';

/**
 * A meeting's place in one person's day. All values are minutes. A value is infinite if the day has nothing to measure
 * to, such as a next meeting.
 */
export interface Surroundings {
  /** The minutes on the clock from the start of the person's work hours to the start of the meeting. */
  afterOpening: number;
  /** The minutes on the clock from the end of the meeting to the end of the person's work hours. */
  beforeClosing: number;
  /**
   * The weekday on which the meeting ends, 0 for Monday to 6 for Sunday. A meeting that ends at midnight ends on the
   * day before.
   */
  lastWeekday: number;
  /** The minutes from the end of the person's previous meeting or focus block to the start of this meeting. */
  sinceLast: number;
  /** The minutes from the end of this meeting to the start of the person's next meeting or focus block. */
  untilNext: number;
  /**
   * The longest stretch of free time, in minutes, that the person has left on the date of the meeting if the meeting
   * takes place. Stretches of `LONG_ENOUGH` minutes or more count as equal.
   */
  longestLeft: number;
  /** True if the date of the meeting bridges one of the person's public holidays to days off. */
  isBridge: boolean;
}

/** Two hours. A person who has a free stretch of two hours left has time to work. */
export const LONG_ENOUGH = 120;

/** A length in ms that no date reaches on any clock. Two instants this far apart are never on one date. */
const LONGEST_DAY = 2 * DAY;
const LEAST_HALF = 120 * MINUTE;
const NOON = DAY_MINUTES / 2;

/**
 * A view of one person's calendar that measures what lies around a meeting: work hours, other meetings and free time.
 */
export interface Around {
  /**
   * Measures where a meeting lies in the person's day: how far it is from the ends of their work hours and from their
   * other meetings, and how much free time it leaves. The next call overwrites the result.
   */
  of: (start: number, end: number, wall: WallTime) => Surroundings;
  /** Returns the half of the working day that holds a meeting if the person has nothing else in it. */
  freeHalfOf: (start: number, wall: WallTime) => 'morning' | 'afternoon' | undefined;
}

/** Returns a view of a person's calendar, on the given days, that measures what lies around a meeting. */
export function aroundOf(person: SearchedPerson, days: Days): Around {
  const { timeZone, bufferMinutes } = person;
  const hours = workWeek(person.workHours);
  const open = openOnce(person, days, ALL_RULES);
  const taken = busyInstants(person, 0);
  const beside = withFocus(person, days, taken);
  const free = { open, taken, widenBy: bufferMinutes * MINUTE, timeZone };
  const around = emptySurroundings();
  const bridges = bridgeDays(person);
  return {
    of: (start, end, wall) => {
      around.isBridge = bridges.size > 0 && bridges.has(wall.day);
      const isAtMidnight = wall.endMinute === 0;
      around.afterOpening = wall.startMinute - (hours[wall.weekday]?.[0] ?? Number.NEGATIVE_INFINITY);
      around.lastWeekday = weekdayIndex(isAtMidnight ? dayAt(timeZone, end - 1, wall) : wall.endDay);
      const closing = hours[around.lastWeekday]?.[1] ?? Number.POSITIVE_INFINITY;
      around.beforeClosing = closing - (isAtMidnight ? DAY_MINUTES : wall.endMinute);
      const next = firstEndingAfter(beside, start);
      const endedLast = next > 0 ? edgeAt(beside, next - 1) : Number.NEGATIVE_INFINITY;
      const startsNext = next < beside.length ? edgeAt(beside, next) : Number.POSITIVE_INFINITY;
      around.sinceLast = (start - endedLast) / MINUTE;
      around.untilNext = (startsNext - end) / MINUTE;
      around.longestLeft = longestLeft(free, start, end, wall);
      return around;
    },
    freeHalfOf: (start, wall) => {
      const [opening, closing] = [hours[wall.weekday]?.[0] ?? 0, hours[wall.weekday]?.[1] ?? 0];
      const isBeforeNoon = wall.startMinute < NOON;
      const isWithin = wall.endMinute <= (isBeforeNoon ? Math.min(closing, NOON) : closing);
      if (wall.endDay !== wall.day || !isWithin) return undefined;
      const half = isBeforeNoon ? 'morning' : 'afternoon';
      const from = half === 'morning' ? opening : Math.max(opening, NOON);
      const to = half === 'morning' ? Math.min(closing, NOON) : closing;
      const midnight = start - wall.startMinute * MINUTE;
      const span = { start: midnight + from * MINUTE, end: midnight + to * MINUTE };
      // If the clocks change between these hours, the span is an hour off, so the half day does not count as free.
      const isOnOneClock = wall.span.start <= span.start && span.end <= wall.span.end;
      const isLong = span.end - span.start >= LEAST_HALF;
      return isLong && isOnOneClock && covers(open, span) && !overlaps(taken, span) ? half : undefined;
    },
  };
}

/** Returns the busy times joined with the person's focus blocks. Both are things from which a person needs a break. */
function withFocus({ timeZone, focusBlocks }: SearchedPerson, days: Days, taken: Edges): Edges {
  if (focusBlocks.length === 0) return taken;
  const focus = wallInstants(timeZone, days, focusWeek(focusBlocks));
  return union(inOrder([...toIntervals(taken), ...toIntervals(focus)]));
}

function emptySurroundings(): Surroundings {
  return {
    afterOpening: 0,
    beforeClosing: 0,
    lastWeekday: 0,
    sinceLast: 0,
    untilNext: 0,
    longestLeft: 0,
    isBridge: false,
  };
}

/**
 * A person's open instants and busy times. The person is free in the open instants that lie outside every busy time and
 * at least `widenBy` ms, their buffer, away from it.
 */
interface Free {
  open: Edges;
  taken: Edges;
  widenBy: number;
  timeZone: string;
}

/**
 * Returns the longest stretch of free time, in minutes, that a meeting leaves the person on its date. A stretch of more
 * than `LONG_ENOUGH` counts as `LONG_ENOUGH`.
 */
function longestLeft({ open, taken, widenBy, timeZone }: Free, start: number, end: number, wall: WallTime): number {
  const own = firstEndingAfter(open, start);
  if (own === open.length || edgeAt(open, own) > start || edgeAt(open, own + 1) < end) return LONG_ENOUGH;
  const [first, last] = [start - LONGEST_DAY, end + LONGEST_DAY];
  let longest = 0;
  for (let i = own; longest < LONG_ENOUGH && i < open.length && edgeAt(open, i) < last; i += 2) lookIn(i);
  for (let i = own - 2; longest < LONG_ENOUGH && i >= 0 && edgeAt(open, i + 1) > first; i -= 2) lookIn(i);
  return longest;

  function lookIn(i: number): void {
    const closes = Math.min(edgeAt(open, i + 1), last);
    let from = Math.max(edgeAt(open, i), first);
    for (let j = firstEndingAfter(taken, from - widenBy); longest < LONG_ENOUGH && from < closes; j += 2) {
      const to = j < taken.length ? Math.min(closes, edgeAt(taken, j) - widenBy) : closes;
      if (from <= start && end <= to) longest = Math.max(longest, (start - from) / MINUTE, (to - end) / MINUTE);
      else if ((to - from) / MINUTE > longest && dayAt(timeZone, from, wall) === wall.day)
        longest = (to - from) / MINUTE;
      from = j < taken.length ? Math.max(from, edgeAt(taken, j + 1) + widenBy) : closes;
    }
  }
}

/**
 * Returns the local day of an instant near a meeting. Uses the UTC offset of the meeting's wall time if it still holds,
 * which saves a lookup.
 */
function dayAt(timeZone: string, instant: number, { span }: WallTime): number {
  const isNear = instant >= span.start && instant < span.end;
  const { offset } = isNear ? span : spanAt(offsetSpans(timeZone, instant, instant), instant);
  return Math.floor((instant + offset) / DAY);
}
