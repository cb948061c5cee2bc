import type { WebhookEvents } from '../../../schema/answers/facts.ts';
import { DEFAULT_WORK_HOURS } from '../../engine/rules/defaults.ts';
import { WEEKDAYS } from '../../engine/time/dates.ts';
import type { WholePreferences } from '../../person/person.ts';

const hourOf = (time: string) => Number(time.slice(0, 2));
const hourAfter = (time: string) => hourOf(time) + (time.endsWith(':00') ? 0 : 1);

/** Returns the hours of the first working day, widened to whole hours, for `user.calendar.connected`. */
export function workingHours({
  workHours,
}: WholePreferences): WebhookEvents['user.calendar.connected']['workingHours'] {
  const hours = WEEKDAYS.map((day) => workHours[day]).find(({ enabled }) => enabled) ?? DEFAULT_WORK_HOURS.monday;
  return { start: hourOf(hours.start), end: hourAfter(hours.end) };
}
