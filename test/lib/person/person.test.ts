import { expect, test } from 'vitest';
import { AppError } from '../../../lib/kit/errors.ts';
import { givenZone, zonesMeant } from '../../../lib/person/given-zone.ts';
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

test.each([
  ['BST', ['Europe/London', 'Asia/Dhaka', 'Pacific/Bougainville']],
  ['pst', ['Asia/Manila', 'America/Los_Angeles', 'America/Vancouver']],
  ['IST', ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem']],
  ['CST', ['Asia/Shanghai', 'America/Mexico_City', 'America/Chicago', 'America/Havana']],
  ['EDT', ['America/New_York']],
  ['ET', ['America/New_York']],
  ['GST', ['Asia/Dubai']],
  ['Berlin', ['Europe/Berlin']],
  ['new york', ['America/New_York']],
  ['Pacific Standard Time', ['US/Pacific', 'Canada/Pacific']],
  [' Europe/Berlin ', ['Europe/Berlin']],
  ['Europe/Belrin', ['Europe/Berlin']],
  ['Asia/Kalkutta', ['Asia/Calcutta']],
  ['UTC+2', ['Etc/GMT-2']],
  ['GMT-05:00', ['Etc/GMT+5']],
  ['+02:00', ['Etc/GMT-2']],
  ['+05:30', []],
  ['UTC+19', []],
  ['Mars/Olympus', []],
  ['x'.repeat(10_000), []],
  ['', []],
])('%j may mean %j', (given, meant) => {
  expect(zonesMeant(given)).toEqual(meant);
});

test('a zone is spelled as in the tz database', () => {
  expect([givenZone('europe/KIEV', 'timezone'), givenZone('etc/gmt-14', 'timezone')]).toEqual([
    'Europe/Kiev',
    'Etc/GMT-14',
  ]);
});

test.each([
  ['BST', '`zone` must be an IANA time zone. Did you mean Europe/London, Asia/Dhaka or Pacific/Bougainville?'],
  ['+05:30', '`zone` must be an IANA time zone, such as Europe/Berlin.'],
])('%s is refused with what may be meant', (given, message) => {
  expect(() => givenZone(given, 'zone')).toThrow(new AppError('invalid_request', message, { field: 'zone' }));
});
