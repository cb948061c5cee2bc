import { DAY_MINUTES, MINUTE } from '../../engine/time/dates.ts';
import { localDay, offsetAt } from '../../engine/time/zone.ts';
import type { Calendar } from '../calendar.ts';

/** The text is read on their clock. `now` is the time of writing. All times are in epoch ms. */
export interface Asker {
  timeZone: string;
  now: number;
  oldStart: number;
  oldEnd: number;
}

export function calendarOf({ timeZone, now, oldStart, oldEnd }: Asker): Calendar {
  const minuteOf = (at: number) => Math.floor((at + offsetAt(timeZone, at)) / MINUTE) % DAY_MINUTES;
  return {
    today: localDay(timeZone, now),
    minute: minuteOf(now),
    oldDay: localDay(timeZone, oldStart),
    oldMinute: minuteOf(oldStart),
    durationMinutes: Math.ceil((oldEnd - oldStart) / MINUTE),
    timeZone,
  };
}
