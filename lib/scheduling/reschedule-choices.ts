import { type AutoFactor, type AutoSearch, productAt } from './auto-factors.ts';
import { MINUTE } from './dates.ts';
import { emptyWallTime, readWallTime } from './moment.ts';
import { momentAt } from './ranked.ts';
import type { Interval } from './types.ts';
import { daysElsewhere } from './wall-instants.ts';
import { windowDays } from './window.ts';
import type { Wish } from './wish.ts';
import { type AskedPart, type AskedTime, bendOf, partsOf } from './wish-parts.ts';
import { offsetSpans } from './zone.ts';

/** A search for another time of a meeting; `notAt` are the starts it had, `within` where the caller wants it. */
export interface RescheduleSearch extends AutoSearch {
  /** The time the meeting has. */
  old: Interval;
  wish: Wish;
  /** The zone of who asked: their words mean their clock. */
  askerTimeZone: string;
}

/** A start with what ranks it: how much it bends the wish, how far it is from what was asked for, and what it costs. */
export interface Choice {
  start: number;
  bend: number;
  /** Hours of distance to the wanted time; a day counts 24 whatever the clock. */
  away: number;
  cost: number;
  isBefore: boolean;
  /** It overlaps the time the meeting has, which only a narrow range or a wish for just that is reason for. */
  isOnItself: boolean;
}

const HOUR = 60 * MINUTE;
/** A time half as good as another is worth as many hours of nearness. */
const HOURS_PER_HALF = 4;
/** Bends and costs nearer to each other than this are the same. */
export const SAME = 1e-9;

/** Where the meeting would be, moved by just as much as was asked for; as edges. */
export function shiftedTime({ old, wish: { shiftMinutes, closeness } }: RescheduleSearch): number[] | undefined {
  if (shiftMinutes === undefined || typeof closeness !== 'object') return undefined;
  return [closeness.near, closeness.near + (old.end - old.start)];
}

/** What the wish asks of a time, on the clock of who asked. */
export function partsFor({ old, wish, askerTimeZone, window }: RescheduleSearch): AskedPart[] {
  const days = daysElsewhere(windowDays(window));
  return partsOf(wish, askedTime(askerTimeZone, old), askerTimeZone, days);
}

/** A time as the wish's parts judge it. */
export function askedTime(timeZone: string, { start, end }: Interval): AskedTime {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, start, end), start, end);
  return { start, end, wall };
}

/** What ranks each of these starts. */
export function weighChoices(
  search: RescheduleSearch,
  parts: readonly AskedPart[],
  factors: readonly AutoFactor[],
  starts: readonly number[],
): Choice[] {
  const { old, wish, within, askerTimeZone, durationMinutes, now } = search;
  const isNear = (start: number) => start < old.end && old.start < start + durationMinutes * MINUTE;
  const [exact] = shiftedTime(search) ?? [];
  const near = typeof wish.closeness === 'object' ? wish.closeness.near : old.start;
  const wanted = askedTime(askerTimeZone, { start: near, end: near }).wall;
  return starts.map((start) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    const { day, startMinute } = time.wall;
    const bend = bendOf(parts, time);
    const sinceNow = (start - now) / HOUR;
    const isOnItself = within !== undefined && isNear(start) && !(wish.closeness !== undefined && isNear(near));
    if (wish.closeness === 'soonest')
      return { start, bend, away: sinceNow, cost: sinceNow, isBefore: false, isOnItself };
    const away = Math.abs(day - wanted.day) * 24 + Math.abs(startMinute - wanted.startMinute) / 60;
    const product = Math.min(1, productAt(factors, momentAt(search, start)));
    const cost = start === exact ? 0 : away - HOURS_PER_HALF * Math.log2(product);
    return { start, bend, away, cost, isBefore: start < near, isOnItself };
  });
}

/** A time that overlaps the meeting's own comes last. Of two that cost as much the fairer comes first, then the later, since the earlier leaves less time to prepare. */
export const byCost =
  (fairer: (a: number, b: number) => number) =>
  (a: Choice, b: Choice): number => {
    if (Math.abs(a.bend - b.bend) > SAME) return a.bend - b.bend;
    if (a.isOnItself !== b.isOnItself) return Number(a.isOnItself) - Number(b.isOnItself);
    if (Math.abs(a.cost - b.cost) > SAME) return a.cost - b.cost;
    return fairer(a.start, b.start) || Number(a.isBefore) - Number(b.isBefore) || a.start - b.start;
  };
