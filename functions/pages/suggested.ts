import { WEEKDAYS } from '../../lib/engine/time/dates.ts';
import { capitalized } from '../../lib/words/people.ts';
import type { StoredSuggestion } from '../../schema/api/preferences.ts';
import { asRead } from './clock.tsx';

/** Names days in a row: "Monday", "Saturday and Sunday", "Monday to Friday". */
export const sayDays = (days: readonly string[]) =>
  days.length === 1 ? days[0] : `${days[0]} ${days.length === 2 ? 'and' : 'to'} ${days.at(-1)}`;

export function saySuggestion(suggested: StoredSuggestion): string[] {
  const { buffer_minutes: buffer, max_meetings_per_day: most, availability_window_days: window } = suggested;
  return [
    ...sayHours(suggested.work_hours ?? {}),
    ...(buffer === undefined
      ? []
      : [buffer === 0 ? 'no pause between meetings' : `${buffer} minutes between meetings`]),
    ...(most === undefined ? [] : [`at most ${most} ${most === 1 ? 'meeting' : 'meetings'} a day`]),
    ...(window === undefined ? [] : [`times up to ${window} days ahead`]),
  ];
}

/** Days in a row with the same hours share a phrase: "Monday to Thursday 09:00 to 17:00". */
function sayHours(hours: NonNullable<StoredSuggestion['work_hours']>): string[] {
  const phrases: { days: string[]; text: string; last: number }[] = [];
  for (const [i, day] of WEEKDAYS.entries()) {
    const given = hours[day];
    if (given === undefined) continue;
    const text = given.enabled ? `${asRead(given.start ?? '')} to ${asRead(given.end ?? '')}` : 'off';
    const before = phrases.at(-1);
    if (before?.text === text && before.last === i - 1) {
      before.days.push(capitalized(day));
      before.last = i;
    } else phrases.push({ days: [capitalized(day)], text, last: i });
  }
  return phrases.map(({ days, text }) => `${sayDays(days)} ${text}`);
}
