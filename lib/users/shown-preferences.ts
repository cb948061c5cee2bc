import type { StoredPreferences } from '../../schema/users/table.ts';
import { WEEKDAYS } from '../scheduling/dates.ts';
import {
  DEFAULT_BUFFER_MINUTES,
  DEFAULT_ENERGY_PATTERN,
  DEFAULT_MAX_MEETINGS_PER_DAY,
  DEFAULT_WINDOW_DAYS,
  DEFAULT_WORK_HOURS,
} from '../scheduling/defaults.ts';

/** A user's preferences whole: what they did not set has its default, the zone that of their calendar. */
export function shownPreferences(user: {
  preferences: StoredPreferences;
  calendarTimeZone: string;
}): Required<StoredPreferences> {
  const set = user.preferences;
  const days = WEEKDAYS.map((day) => {
    const { enabled, start, end } = set.work_hours?.[day] ?? DEFAULT_WORK_HOURS[day];
    return [day, { enabled, start, end }];
  });
  return {
    work_hours: Object.fromEntries(days),
    timezone: set.timezone ?? user.calendarTimeZone,
    buffer_minutes: set.buffer_minutes ?? DEFAULT_BUFFER_MINUTES,
    availability_window_days: set.availability_window_days ?? DEFAULT_WINDOW_DAYS,
    max_meetings_per_day: set.max_meetings_per_day ?? DEFAULT_MAX_MEETINGS_PER_DAY,
    energy_pattern: set.energy_pattern ?? DEFAULT_ENERGY_PATTERN,
    scheduling_context: set.scheduling_context ?? '',
    focus_blocks: (set.focus_blocks ?? []).map(({ day, start, end, reason }) => ({ day, start, end, reason })),
  };
}
