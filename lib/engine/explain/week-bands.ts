import { busyInstants, freeForBoth, fullInstants } from '../rules/free-time.ts';
import { holidayInstants } from '../rules/holidays.ts';
import { DAY, formatDate, MINUTE, WEEKDAYS } from '../time/dates.ts';
import { type Edges, inOrder, intersect, subtract, toIntervals, union } from '../time/intervals.ts';
import { blockInstants, daysAround, wallInstants, workWeek } from '../time/wall-instants.ts';
import { offsetSpans, startOfDay } from '../time/zone.ts';
import type { Interval, Search, SearchedPerson, StandingRule } from '../types.ts';

/** A date of a time zone, as a span of instants. The date lasts 23, 24 or 25 hours, or 0 if the zone skipped it. */
export interface LocalDay extends Interval {
  date: string;
}

/**
 * The kind of a stretch of a day.
 * - Kinds of one person: work hours (`work`), work hours on a public holiday (`holiday`), a focus block (`focus`), work
 *   hours on a day that has as many meetings as the person accepts (`full`), busy time (`busy`), a Tandem meeting that
 *   the caller may see apart from other busy time (`hold`), a time that a proposal of the caller holds (`held`), and the
 *   buffer around these three (`buffer`).
 * - Kinds of a rule in the person's own words, within their work hours: `never`, `rather_not` and `prefer`.
 * - Kinds of both people: free for both (`free`), and free for both but shorter than the meeting (`too_short`).
 * - Kind of a clock that is nobody's in particular: 8:00 to 18:00 (`day`).
 * - Kind of the search: instants outside it (`not_searched`).
 * - Kind that all of them can have: instants in the past (`over`).
 */
export type BandKind =
  | 'work'
  | 'day'
  | 'holiday'
  | 'focus'
  | StandingRule['verdict']
  | 'full'
  | 'buffer'
  | 'busy'
  | 'hold'
  | 'held'
  | 'free'
  | 'too_short'
  | 'not_searched'
  | 'over';

/** A stretch of a day, in elapsed minutes since the day began. On a day of 25 hours the minutes go up to 1500. */
export interface Band {
  kind: BandKind;
  from: number;
  to: number;
  /** The name of the public holiday or the rule in the person's own words. Undefined for other kinds. */
  name?: string;
}

/** A whole hour that a clock shows during a day. */
export interface Tick {
  /** Elapsed minutes from the start of the day until the clock shows this hour. */
  at: number;
  hour: number;
  date: string;
}

/** Offset change during a day, `at` minutes since the day began. */
export interface ClockChange {
  at: number;
  /** The minutes by which the clocks change, negative when they go back. */
  minutes: number;
}

export function localWeek(timeZone: string, first: number): LocalDay[] {
  return Array.from({ length: 7 }, (_, i) => ({
    date: formatDate(first + i),
    start: startOfDay(timeZone, first + i),
    end: startOfDay(timeZone, first + i + 1),
  }));
}

/**
 * The days may be of another zone than the person's. Two bands of one kind never touch, unless they belong to different
 * holidays or rules. `busy`, `hold`, `held` and `buffer` never overlap one another. `own` are the meetings and the
 * proposals' times that the caller may see.
 */
export function personBands(
  person: SearchedPerson,
  week: readonly LocalDay[],
  own: readonly (Interval & { isHeld?: boolean | undefined })[] = [],
): Band[][] {
  const { timeZone, workHours, focusBlocks, standing = [], bufferMinutes } = person;
  const days = daysAround(spanOf(week));
  const work = wallInstants(timeZone, days, workWeek(workHours));
  const taken = (byProposal: boolean) => union(inOrder(own.filter(({ isHeld = false }) => isHeld === byProposal)));
  const [held, holds] = [taken(true), taken(false)];
  const busy = busyInstants(person, 0);
  return bandsOf(week, [
    ['work', work],
    ...holidayInstants(person, days).map(({ name, instants }) => ['holiday', intersect(work, instants), name] as const),
    ['focus', blockInstants(timeZone, days, focusBlocks)],
    ...standing.map(
      ({ verdict, words, blocks }) => [verdict, intersect(work, blockInstants(timeZone, days, blocks)), words] as const,
    ),
    ['full', intersect(work, fullInstants(person, days))],
    ['buffer', subtract(busyInstants(person, bufferMinutes), busy)],
    ['busy', subtract(subtract(busy, holds), held)],
    ['hold', holds],
    ['held', subtract(held, holds)],
  ]);
}

const DAYTIME = WEEKDAYS.map((day) => ({ day, start: '08:00', end: '18:00' }));

/** Says nothing of any person: only where it is day on the clocks of a time zone. */
export const dayBands = (timeZone: string, week: readonly LocalDay[]): Band[][] =>
  bandsOf(week, [['day', blockInstants(timeZone, daysAround(spanOf(week)), DAYTIME)]]);

export function commonBands(search: Search, week: readonly LocalDay[], searched: Interval): Band[][] {
  const stretches = toIntervals(freeForBoth(search));
  const isLong = ({ start, end }: Interval) => end - start >= search.durationMinutes * MINUTE;
  const { start, end } = spanOf(week);
  return bandsOf(week, [
    ['free', inOrder(stretches.filter(isLong))],
    ['too_short', inOrder(stretches.filter((stretch) => !isLong(stretch)))],
    ['not_searched', subtract([start, end], [searched.start, searched.end])],
  ]);
}

/** Each day that has begun gets one band of kind `over`. A band that contains `now` keeps its later part. */
export function withoutPast(bands: readonly Band[][], week: readonly LocalDay[], now: number): Band[][] {
  return week.map((day, i) => {
    const passed = Math.min(now, day.end) - day.start;
    const own = bands[i] ?? [];
    if (passed <= 0) return own;
    const over = passed / MINUTE;
    const rest = own.filter(({ to }) => to > over).map((band) => ({ ...band, from: Math.max(band.from, over) }));
    return [{ kind: 'over' as const, from: 0, to: over }, ...rest];
  });
}

/** Parts are in minutes since the day began. A day that the span does not touch gets undefined. */
export const placeOnDays = ({ start, end }: Interval, week: readonly LocalDay[]) =>
  week.map((day) => cut([start, end], day)[0]);

/** A skipped hour is absent, and a repeated hour appears twice. */
export function ticksOf(timeZone: string, day: LocalDay): Tick[] {
  const ticks: Tick[] = [];
  const hour = 60 * MINUTE;
  for (const { start, end, offset } of offsetSpans(timeZone, day.start, day.end)) {
    const until = Math.min(end, day.end);
    const first = Math.ceil((Math.max(start, day.start) + offset) / hour) * hour;
    for (let wall = first; wall - offset < until; wall += hour)
      ticks.push({
        at: (wall - offset - day.start) / MINUTE,
        hour: (wall / hour) % 24,
        date: formatDate(Math.floor(wall / DAY)),
      });
  }
  return ticks;
}

export function clockChanges(timeZone: string, day: LocalDay): ClockChange[] {
  const spans = offsetSpans(timeZone, day.start - DAY, day.end + DAY);
  return spans.flatMap(({ start, offset }, i) => {
    const before = spans[i - 1];
    if (before === undefined || start < day.start || start >= day.end) return [];
    return [{ at: (start - day.start) / MINUTE, minutes: (offset - before.offset) / MINUTE }];
  });
}

function bandsOf(
  week: readonly LocalDay[],
  sets: readonly (readonly [kind: BandKind, set: Edges, name?: string])[],
): Band[][] {
  return week.map((day) =>
    sets.flatMap(([kind, set, name]) =>
      cut(set, day).map((place) => ({ kind, ...place, ...(name === undefined ? {} : { name }) })),
    ),
  );
}

function cut(set: Edges, { start, end }: LocalDay): { from: number; to: number }[] {
  return toIntervals(intersect(set, [start, end])).map((span) => ({
    from: (span.start - start) / MINUTE,
    to: (span.end - start) / MINUTE,
  }));
}

const spanOf = (week: readonly LocalDay[]): Interval => ({ start: week[0]?.start ?? 0, end: week.at(-1)?.end ?? 0 });
