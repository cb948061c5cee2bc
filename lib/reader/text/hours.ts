import type { Calendar } from './calendar.ts';
import { type Bound, NUMBER_NAMES } from './mentions.ts';

export const HOUR = `(\\d{1,2}|${NUMBER_NAMES.join('|')})`;
export const NO_UNIT =
  '(?! (?:am|pm|h|oclock|st|nd|rd|th|days?|weeks?|months?|hours?|minutes|people|of|%|more|other|/|january|february|march|april|may|june|july|august|september|october|november|december)(?![a-z]))';

/**
 * Converts an hour and minute from a text to minutes since midnight. A bare hour is read as one at which people meet,
 * from 7 in the morning to 6 in the evening. If the old meeting is at 6 in the evening or later, a bare hour before 12
 * is read as pm.
 */
export function minuteOf(calendar: Calendar, hour: number, minute = 0, half = ''): number | undefined {
  if (hour > 24 || minute > 59) return undefined;
  const isEvening = calendar.oldMinute >= 18 * 60;
  const isAfternoon = half === 'pm' || /afternoon|evening/.test(half);
  const isBare = half === '' || half === 'oclock';
  if (isAfternoon || (isBare && hour < (isEvening ? 12 : 7) && hour > 0)) return ((hour % 12) + 12) * 60 + minute;
  const isMorning = half === 'am' || /morning/.test(half);
  return (isMorning && hour === 12 ? 0 : hour) * 60 + minute;
}

export const hourOf = (text = '') => (/^\d/.test(text) ? Number(text) : NUMBER_NAMES.indexOf(text) + 1);

const bounds: Record<string, Bound> = {
  to: 'at',
  past: 'after',
  till: 'until',
  about: 'around',
  like: 'around',
  'starting at': 'from',
};
export const boundOf = (word = '') => bounds[word] ?? (word as Bound);
