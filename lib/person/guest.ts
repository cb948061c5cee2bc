import { HOLIDAYS_OFF } from '../engine/rules/holiday-table.ts';
import { WEEKDAYS } from '../engine/time/dates.ts';
import { knownZone } from '../engine/time/zone.ts';
import type { DayHours, SearchedPerson, WorkHours } from '../engine/types.ts';
import type { Reading } from '../engine/wish/reading.ts';
import { givenZone } from './given-zone.ts';
import { type Pair, type Person, toPerson } from './person.ts';
import { requireConnected } from './require-connected.ts';

/**
 * Facts that a guest gave about themselves. A guest is a person whom a platform invited and who is not connected to
 * that platform.
 */
export interface Guest {
  /** IANA time zone that the guest gave. Undefined if they gave none. */
  timeZone: string | undefined;
}

/** Guest who gave nothing about themselves, not even a time zone. */
export const UNKNOWN_GUEST: Guest = { timeZone: undefined };

const everyDay = (hours: Omit<DayHours, 'enabled'>) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, { enabled: true, ...hours }])) as WorkHours;
const ANY_TIME = everyDay({ start: '00:00', end: '24:00' });
const WAKING_HOURS = everyDay({ start: '08:00', end: '20:00' });

/**
 * Returns a guest as a person without a calendar. A guest whose time zone is known has the ordinary work hours and public
 * holidays there. A guest whose zone is unknown is free at any time.
 */
export function guestPerson({ id = '', email, ...given }: Guest & { id?: string; email: string }): Person {
  const timeZone = given.timeZone === undefined ? undefined : knownZone(given.timeZone);
  const person = toPerson({
    id,
    email,
    calendarTimeZone: timeZone ?? '',
    preferences: timeZone === undefined ? { holidays: HOLIDAYS_OFF } : {},
    weights: {},
    rules: [],
    status: 'disconnected',
    accessToken: null,
    accessExpiresAt: null,
    calendars: null,
    mayList: false,
  });
  const rules = timeZone === undefined ? { ...person.rules, workHours: ANY_TIME } : person.rules;
  return { ...person, rules, isGuest: true };
}

/**
 * Returns a guest who is free at wider hours on every day. It serves for a text for which no time fits in ordinary work
 * hours. The hours are all hours if the text names hours, and otherwise 8:00 to 20:00.
 */
export function guestOpenFor(guest: SearchedPerson, { wanted, refused }: Reading): SearchedPerson {
  const namesHours = [...wanted, ...refused].some(({ clock }) => clock !== undefined);
  return { ...guest, workHours: namesHours ? ANY_TIME : WAKING_HOURS, holidays: new Map() };
}

/**
 * Returns the requester and the other person of a meeting. The requester must be connected to the platform, and the
 * other person is a guest if they are not connected. Throws `user_not_found` or `calendar_reconnect_required` for the
 * requester, and `calendar_reconnect_required` for an other person who must connect their calendar again.
 */
export function requireRequester([requester, other]: [string, string], people: Person[], guest: Guest): Pair {
  const isConnected = people.some(({ email, status }) => email === other && status !== 'disconnected');
  return [
    requireConnected(requester, people),
    isConnected ? requireConnected(other, people) : guestPerson({ ...guest, email: other }),
  ];
}

/** Returns the time zone that a request gives for a guest. Throws `invalid_request` if it is unknown. */
export const guestZone = (zone: string | undefined): string | undefined =>
  zone === undefined ? undefined : givenZone(zone, 'guest_time_zone');
