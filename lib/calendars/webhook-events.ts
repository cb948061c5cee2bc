import type { EventData } from '../../schema/api/webhook-events.ts';
import type { StoredPreferences } from '../../schema/users/table.ts';
import { WEEKDAYS } from '../scheduling/dates.ts';
import { DEFAULT_WORK_HOURS } from '../scheduling/defaults.ts';
import { workHoursOf } from '../users/person.ts';

interface Person {
  email: string;
  providerId: string;
  now: number;
}

const hourOf = (time: string) => Number(time.slice(0, 2));
const hourAfter = (time: string) => hourOf(time) + (time.endsWith(':00') ? 0 : 1);

/** The data of `user.calendar.connected`; the hours are those of the first day of work, widened to whole ones. */
export function connectedEvent({
  email,
  providerId,
  now,
  calendarTimeZone,
  preferences,
}: Person & { calendarTimeZone: string; preferences: StoredPreferences }) {
  const timezone = preferences.timezone ?? calendarTimeZone;
  const week = workHoursOf(preferences);
  const hours = WEEKDAYS.map((day) => week[day]).find(({ enabled }) => enabled) ?? DEFAULT_WORK_HOURS.monday;
  return {
    user_email: email,
    provider_id: providerId,
    connected_at: new Date(now).toISOString(),
    timezone,
    preferences: { timezone, working_hours_start: hourOf(hours.start), working_hours_end: hourAfter(hours.end) },
    calendar_access: 'read_write' as const,
  };
}

/** The data of `user.calendar.disconnected`. */
export const disconnectedEvent = ({
  email,
  providerId,
  now,
  reason,
}: Person & { reason: EventData<'user.calendar.disconnected'>['reason'] }) => ({
  user_email: email,
  provider_id: providerId,
  disconnected_at: new Date(now).toISOString(),
  reason,
});

/** The data of `user.calendar.refresh_failed`; `oauthUrl` is the link by which the person consents again. */
export const refreshFailedEvent = ({
  email,
  providerId,
  now,
  oauthUrl,
}: Person & { oauthUrl: string }): EventData<'user.calendar.refresh_failed'> => ({
  user_email: email,
  provider_id: providerId,
  failed_at: new Date(now).toISOString(),
  reason: 'user_revoked_or_expired',
  action: 'reauthorization_required',
  possible_causes: [
    'The person removed access in their Google account.',
    'The person changed their Google password.',
    'The access was not used for six months.',
    'An administrator of their organisation withdrew access.',
  ],
  oauth_url: oauthUrl,
  suggested_user_message:
    'Your calendar connection has ended. Please connect your calendar again to keep scheduling meetings.',
});
