import type { Weekday } from '../types.ts';
import { DAY, MINUTE, WEEKDAYS, weekdayIndex } from './dates.ts';
import { offsetSpans, spanAt } from './zone.ts';
import type { OffsetSpan } from './zone-table.ts';

/** The start and end of a meeting as one person's wall clock shows them. */
export interface WallTime {
  day: number;
  /** The weekday on which the meeting starts, 0 for Monday to 6 for Sunday. */
  weekday: number;
  /** Minutes from the midnight that begins `day` to the start of the meeting. */
  startMinute: number;
  endDay: number;
  endMinute: number;
  /** Span of instants around the meeting's start in which the person's time zone keeps the same UTC offset. */
  span: OffsetSpan;
}

/** The ranking computes from this form of a possible meeting time. */
export interface Moment {
  start: number;
  now: number;
  requester: WallTime;
  other: WallTime;
}

export const DAY_PARTS = ['morning', 'afternoon', 'evening'] as const;
export type DayPart = (typeof DAY_PARTS)[number];

/** Morning ends at 12:00, afternoon at 17:00, and evening at midnight (schema/DECISIONS.md, "Time"). */
export function dayPartOf({ startMinute }: WallTime): DayPart {
  if (startMinute < 12 * 60) return 'morning';
  return startMinute < 17 * 60 ? 'afternoon' : 'evening';
}

export const dayPartAt = (timeZone: string, instant: number): DayPart =>
  dayPartOf(wallTimeAt(timeZone, instant, instant));

export function weekdayOf({ weekday }: WallTime): Weekday {
  return WEEKDAYS[weekday] ?? 'monday';
}

const NO_SPAN: OffsetSpan = { start: 0, end: 0, offset: 0, text: '' };

export function emptyMoment(now: number): Moment {
  return { start: 0, now, requester: emptyWallTime(), other: emptyWallTime() };
}

/** Writes in place, because a search reads thousands of wall times. */
export function readWallTime(wall: WallTime, spans: readonly OffsetSpan[], start: number, end: number): void {
  if (start < wall.span.start || start >= wall.span.end) wall.span = spanAt(spans, start);
  const { offset } = wall.span;
  const endOffset = end < wall.span.end ? offset : spanAt(spans, end).offset;
  let time = start + offset - wall.day * DAY;
  if (time < 0 || time >= DAY) {
    wall.day = Math.floor((start + offset) / DAY);
    wall.weekday = weekdayIndex(wall.day);
    time = start + offset - wall.day * DAY;
  }
  const endTime = end + endOffset - wall.day * DAY;
  const daysLater = endTime >= 0 && endTime < DAY ? 0 : Math.floor(endTime / DAY);
  wall.startMinute = time / MINUTE;
  wall.endDay = wall.day + daysLater;
  wall.endMinute = (endTime - daysLater * DAY) / MINUTE;
}

export function wallTimeAt(timeZone: string, start: number, end: number): WallTime {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, start, end), start, end);
  return wall;
}

/** Creates a wall time with placeholder values, which `readWallTime` overwrites later. */
export function emptyWallTime(): WallTime {
  return { day: 0, weekday: weekdayIndex(0), startMinute: 0, endDay: 0, endMinute: 0, span: NO_SPAN };
}
