import { DAY, MINUTE } from '../../scheduling/dates.ts';
import { localDay, offsetSpans, spanAt } from '../../scheduling/zone.ts';
import type { Calendar } from '../text/calendar.ts';

/** Whose clock the words are read on, when they were written, and the time the meeting has; epoch ms. */
export interface Asker {
  timeZone: string;
  now: number;
  oldStart: number;
  oldEnd: number;
}

/** The asker's calendar; a meeting's minutes are those of its wall clock. */
export function calendarOf({ timeZone, now, oldStart, oldEnd }: Asker): Calendar {
  const { offset } = spanAt(offsetSpans(timeZone, oldStart, oldStart), oldStart);
  const oldDay = localDay(timeZone, oldStart);
  return {
    today: localDay(timeZone, now),
    oldDay,
    oldMinute: Math.floor((oldStart + offset - oldDay * DAY) / MINUTE),
    durationMinutes: Math.ceil((oldEnd - oldStart) / MINUTE),
  };
}

/** The first instant at which the zone's clocks show that minute of the day or a later one. */
export function instantAt(timeZone: string, day: number, minute: number): number {
  const wall = day * DAY + minute * MINUTE;
  for (const span of offsetSpans(timeZone, wall - DAY, wall + DAY)) {
    const instant = Math.max(span.start, wall - span.offset);
    if (instant < span.end) return instant;
  }
  throw new RangeError('The time does not come near its day.');
}
