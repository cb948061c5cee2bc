import { DAY, MINUTE, WEEKDAYS, weekdayIndex } from './dates.ts';
import type { Weekday } from './types.ts';
import { type OffsetSpan, offsetSpans, spanAt } from './zone.ts';

/** A meeting as one person's wall clock shows it. */
export interface WallTime {
  day: number;
  /** 0 for Monday to 6 for Sunday. */
  weekday: number;
  /** Minutes since midnight of `day`. */
  startMinute: number;
  endDay: number;
  endMinute: number;
  /** The span of the zone in which the meeting starts. */
  span: OffsetSpan;
}

/** A candidate meeting as the factors see it. */
export interface Moment {
  start: number;
  now: number;
  requester: WallTime;
  other: WallTime;
}

export const DAY_PARTS = ['morning', 'afternoon', 'evening'] as const;
export type DayPart = (typeof DAY_PARTS)[number];

/** The part of the day in which the meeting starts: before 12:00, 12:00-17:00, after (decisions, Learning). */
export function dayPartOf(wall: WallTime): DayPart {
  return DAY_PARTS[partIndex(wall)];
}

/** The part of the day in which an instant lies on the zone's clocks. */
export function dayPartAt(timeZone: string, instant: number): DayPart {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, instant, instant), instant, instant);
  return dayPartOf(wall);
}

/** The part of the day as 0, 1 or 2. */
export function partIndex({ startMinute }: WallTime): 0 | 1 | 2 {
  if (startMinute < 12 * 60) return 0;
  return startMinute < 17 * 60 ? 1 : 2;
}

/** The name of the weekday on which the meeting starts. */
export function weekdayOf({ weekday }: WallTime): Weekday {
  return WEEKDAYS[weekday] ?? 'monday';
}

const NO_SPAN: OffsetSpan = { start: 0, end: 0, offset: 0, text: '' };

/** A moment for `readMoment` to fill. */
export function emptyMoment(now: number): Moment {
  return { start: 0, now, requester: emptyWallTime(), other: emptyWallTime() };
}

/** Sets the wall time to what the zone's clocks show from start to end; written in place, as a search asks thousands. */
export function readWallTime(wall: WallTime, spans: readonly OffsetSpan[], start: number, end: number): void {
  if (start < wall.span.start || start >= wall.span.end) wall.span = spanAt(spans, start);
  const endSpan = end < wall.span.end ? wall.span : spanAt(spans, end);
  const localStart = start + wall.span.offset;
  const localEnd = end + endSpan.offset;
  wall.day = Math.floor(localStart / DAY);
  wall.weekday = weekdayIndex(wall.day);
  wall.startMinute = (localStart - wall.day * DAY) / MINUTE;
  wall.endDay = Math.floor(localEnd / DAY);
  wall.endMinute = (localEnd - wall.endDay * DAY) / MINUTE;
}

/** A wall time for `readWallTime` to fill. */
export function emptyWallTime(): WallTime {
  return { day: 0, weekday: 0, startMinute: 0, endDay: 0, endMinute: 0, span: NO_SPAN };
}
