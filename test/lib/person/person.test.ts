import { expect, test } from 'vitest';
import { AppError } from '../../../lib/kit/errors.ts';
import { givenZone, zonesMeant } from '../../../lib/person/given-zone.ts';
import { bothInKnownZones, dayPartsAt, toPerson } from '../../../lib/person/person.ts';

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

test.each([
  ['BST', '`zone` must be an IANA time zone. Did you mean Europe/London, Asia/Dhaka or Pacific/Bougainville?'],
  ['+05:30', '`zone` must be an IANA time zone, such as Europe/Berlin.'],
])('%s is refused with what may be meant', (given, message) => {
  expect(() => givenZone(given, 'zone')).toThrow(new AppError('invalid_request', message, { field: 'zone' }));
});
