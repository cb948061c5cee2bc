import { expect, test } from 'vitest';
import { workingHours } from '../../../lib/calendars/connect/working-hours.ts';
import { wholePreferences } from '../../../lib/person/person.ts';
import type { StoredPreferences } from '../../../schema/api/preferences.ts';

const hoursIn = (set: StoredPreferences) => {
  const preferences = wholePreferences({ preferences: set, calendarTimeZone: 'UTC' });
  const { start, end } = workingHours(preferences);
  return [start, end];
};
const off = { enabled: false };

test.each<[name: string, preferences: StoredPreferences, hours: number[]]>([
  ['nothing set', {}, [8, 18]],
  ['whole hours', { work_hours: { monday: { enabled: true, start: '09:00', end: '17:00' } } }, [9, 17]],
  ['hours widened to whole ones', { work_hours: { monday: { enabled: true, start: '09:30', end: '17:45' } } }, [9, 18]],
  ['until midnight', { work_hours: { monday: { enabled: true, start: '20:15', end: '24:00' } } }, [20, 24]],
  [
    'the first day of work, in the order of the week',
    { work_hours: { wednesday: { enabled: true, start: '12:00', end: '13:00' }, monday: off, tuesday: off } },
    [12, 13],
  ],
])('the connected event tells the hours of %s', (_name, preferences, hours) => {
  expect(hoursIn(preferences)).toEqual(hours);
});
