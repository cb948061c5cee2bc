import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { localDay, offsetSpans, spanAt } from '../../engine/time/zone.ts';
import type { Calendar } from '../calendar.ts';

/** The text is read on their clock. `now` is the time of writing. All times are in epoch ms. */
export interface Asker {
  timeZone: string;
  now: number;
  oldStart: number;
  oldEnd: number;
}

export function calendarOf({ timeZone, now, oldStart, oldEnd }: Asker): Calendar {
  const minuteOf = (instant: number) => {
    const { offset } = spanAt(offsetSpans(timeZone, instant, instant), instant);
    return Math.floor((instant + offset - localDay(timeZone, instant) * DAY) / MINUTE);
  };
  return {
    today: localDay(timeZone, now),
    minute: minuteOf(now),
    oldDay: localDay(timeZone, oldStart),
    oldMinute: minuteOf(oldStart),
    durationMinutes: Math.ceil((oldEnd - oldStart) / MINUTE),
    timeZone,
  };
}

/** Returns the first instant at which the zone's clocks show this minute of this day, or the next that they show. */
export function instantAt(timeZone: string, day: number, minute: number): number {
  const wall = day * DAY + minute * MINUTE;
  for (const span of offsetSpans(timeZone, wall - DAY, wall + DAY)) {
    const instant = Math.max(span.start, wall - span.offset);
    if (instant < span.end) return instant;
  }
  throw new RangeError('The time does not come near its day.');
}
