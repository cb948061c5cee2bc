import { expect, test } from 'vitest';
import { bothInKnownZones, dayPartsAt, toPerson } from '../../../lib/person/person.ts';

const ONES = { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1, sunday: 1 };
const row = {
  id: 'usr_ada',
  email: 'ada@example.com',
  status: 'connected' as const,
  accessToken: null,
  accessExpiresAt: null,
  calendars: null,
  mayList: true,
  calendarTimeZone: 'Europe/Berlin',
  preferences: {},
  weights: {},
  rules: [],
};

test('someone who set and taught nothing has every default, and the zone of their calendar', () => {
  const { timeZone, rules, availabilityWindowDays, preferences } = toPerson(row);
  expect({ timeZone, availabilityWindowDays }).toEqual({ timeZone: 'Europe/Berlin', availabilityWindowDays: 14 });
  expect(rules).toMatchObject({ bufferMinutes: 0, maxMeetingsPerDay: 10, focusBlocks: [] });
  expect(rules.workHours.monday).toEqual({ enabled: true, start: '08:00', end: '18:00' });
  expect(rules.workHours.sunday).toMatchObject({ enabled: false });
  expect(preferences).toEqual({
    energyPattern: 'flexible',
    weights: { timeOfDay: { morning: 1, afternoon: 1, evening: 1 }, dayOfWeek: ONES, bufferImportance: 1 },
  });
});

test('what was set and taught is kept, the rest has its default', () => {
  const weights = {
    time_of_day_preference: { morning: 0.64 },
    day_of_week_preference: { friday: 0.8 },
    buffer_importance: 1.25,
  };
  const person = toPerson({
    ...row,
    preferences: { energy_pattern: 'evening_person', timezone: 'Asia/Tokyo', work_hours: { monday: { end: '15:00' } } },
    weights,
  });
  expect(person.timeZone).toBe('Asia/Tokyo');
  expect(person.rules.workHours.monday).toEqual({ enabled: true, start: '08:00', end: '15:00' });
  expect(person.preferences).toEqual({
    energyPattern: 'evening_person',
    weights: {
      timeOfDay: { morning: 0.64, afternoon: 1, evening: 1 },
      dayOfWeek: { ...ONES, friday: 0.8 },
      bufferImportance: 1.25,
    },
  });
});

test('an unknown zone is no zone: nothing is searched for the person, and a day part counts by UTC', () => {
  const ada = toPerson(row);
  const bob = toPerson({ ...row, email: 'bob@example.com', calendarTimeZone: 'Mars/Olympus' });
  expect(bob.timeZone).toBeUndefined();
  expect(() => bothInKnownZones([ada, bob])).toThrow(expect.objectContaining({ code: 'unknown_time_zone' }));
  expect(dayPartsAt([ada, bob], Date.parse('2026-01-05T11:30:00Z'))).toEqual(['afternoon', 'morning']);
});
