import type { StoredPreferences } from '../../schema/users/table.ts';

const DEFAULT_HOURS = { start: '08:00', end: '18:00' };
const hourOf = (time: string) => Number(time.slice(0, 2));

/** The data of `user.calendar.connected`; the hours are those of the first enabled work day. */
export function connectedEvent(input: {
  email: string;
  providerId: string;
  now: number;
  calendarTimeZone: string;
  preferences: StoredPreferences;
}) {
  const { preferences } = input;
  const timezone = preferences.timezone ?? input.calendarTimeZone;
  const hours = Object.values(preferences.work_hours ?? {}).find(({ enabled }) => enabled) ?? DEFAULT_HOURS;
  return {
    user_email: input.email,
    provider_id: input.providerId,
    connected_at: new Date(input.now).toISOString(),
    timezone,
    preferences: { timezone, working_hours_start: hourOf(hours.start), working_hours_end: hourOf(hours.end) },
    calendar_access: 'read_write' as const,
  };
}
