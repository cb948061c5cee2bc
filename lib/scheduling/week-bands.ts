import { freeForBoth } from './candidates.ts';
import { DAY, formatDate, MINUTE } from './dates.ts';
import { type Edges, inOrder, intersect, subtract, toIntervals, union } from './intervals.ts';
import { busyInstants, fullInstants } from './person-rules.ts';
import type { Interval, Person, Search } from './types.ts';
import { daysAround, wallInstants } from './wall-instants.ts';
import { focusWeek, workWeek } from './week.ts';
import { offsetSpans, startOfDay } from './zone.ts';

/** A date of a zone as instants: of 23, 24 or 25 hours, or of none where the zone left the date out. */
export interface LocalDay extends Interval {
  /** YYYY-MM-DD. */
  date: string;
}

/**
 * What a stretch of a day is. Of a person: work hours, a focus block, a day that holds as many meetings as they take, busy,
 * held by a meeting the caller may know of, or within the buffer of either. Of two: free for both, or free for both but
 * shorter than the meeting; not searched. Of anybody: over.
 */
export type BandKind =
  | 'work'
  | 'focus'
  | 'full'
  | 'buffer'
  | 'busy'
  | 'hold'
  | 'free'
  | 'too_short'
  | 'not_searched'
  | 'over';

/** A stretch of a day in minutes from its start, as time passes: on a day of 25 hours up to 1500. */
export interface Band {
  kind: BandKind;
  from: number;
  to: number;
}

/** A whole hour of a clock during a day. */
export interface Tick {
  /** Minutes from the start of the day. */
  at: number;
  hour: number;
  /** The date the clock shows then. */
  date: string;
}

/** A clock that is put forward or back during a day, to another offset from UTC. */
export interface ClockChange {
  at: number;
  /** By how many minutes; negative when it is put back. */
  minutes: number;
}

/** Seven dates of a zone, from a day number on. */
export function localWeek(timeZone: string, first: number): LocalDay[] {
  return Array.from({ length: 7 }, (_, i) => ({
    date: formatDate(first + i),
    start: startOfDay(timeZone, first + i),
    end: startOfDay(timeZone, first + i + 1),
  }));
}

/**
 * A person's own bands on each of the days, which may be of another zone. Bands of one kind never touch; those of `busy`,
 * `hold` and `buffer` never overlap one another. `holds` are those of the meetings that may be told from other busy times.
 */
export function personBands(person: Person, week: readonly LocalDay[], holds: readonly Interval[] = []): Band[][] {
  const { timeZone, workHours, focusBlocks, bufferMinutes } = person;
  const days = daysAround(spanOf(week));
  const work = wallInstants(timeZone, days, workWeek(workHours));
  const held = union(inOrder(holds));
  const busy = busyInstants(person, 0);
  return bandsOf(week, [
    ['work', work],
    ['focus', wallInstants(timeZone, days, focusWeek(focusBlocks))],
    ['full', intersect(work, fullInstants(person, days))],
    ['buffer', subtract(busyInstants(person, bufferMinutes), busy)],
    ['busy', subtract(busy, held)],
    ['hold', held],
  ]);
}

/** Where the two could meet on each of the days, and what of them the search does not cover. */
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

/** The same bands with all that is before an instant told as over. */
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

/** The part of a span on each of the days, in minutes; undefined on a day it does not touch. */
export const placeOnDays = ({ start, end }: Interval, week: readonly LocalDay[]) =>
  week.map((day) => cut([start, end], day)[0]);

/** The whole hours that a zone's clocks show during a day: one fewer where an hour is left out, one more where it comes twice. */
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

/** When the zone's clocks are put forward or back during a day. */
export function clockChanges(timeZone: string, day: LocalDay): ClockChange[] {
  const spans = offsetSpans(timeZone, day.start - DAY, day.end + DAY);
  return spans.flatMap(({ start, offset }, i) => {
    const before = spans[i - 1];
    if (before === undefined || start < day.start || start >= day.end) return [];
    return [{ at: (start - day.start) / MINUTE, minutes: (offset - before.offset) / MINUTE }];
  });
}

function bandsOf(week: readonly LocalDay[], sets: readonly (readonly [BandKind, Edges])[]): Band[][] {
  return week.map((day) => sets.flatMap(([kind, set]) => cut(set, day).map((place) => ({ kind, ...place }))));
}

function cut(set: Edges, { start, end }: LocalDay): { from: number; to: number }[] {
  return toIntervals(intersect(set, [start, end])).map((span) => ({
    from: (span.start - start) / MINUTE,
    to: (span.end - start) / MINUTE,
  }));
}

const spanOf = (week: readonly LocalDay[]): Interval => ({
  start: week[0]?.start ?? 0,
  end: week.at(-1)?.end ?? 0,
});
