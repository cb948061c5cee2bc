import { ANY_TIME, everyDay } from '../engine/rules/defaults.ts';
import { HOLIDAYS_OFF } from '../engine/rules/holiday-table.ts';
import { knownZone } from '../engine/time/zone.ts';
import type { SearchedPerson } from '../engine/types.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { userNotFound } from '../kit/errors.ts';
import { isMadeUp } from '../kit/ids.ts';
import { givenZone } from './given-zone.ts';
import { loadConnected, type Pair, type Person, requireConnected, toPerson } from './person.ts';

/** A platform invited this person, who is not connected to it. */
export interface Guest {
  /** IANA time zone that the guest gave. Undefined if they gave none. */
  timeZone: string | undefined;
}

export const UNKNOWN_GUEST: Guest = { timeZone: undefined };

const WAKING_HOURS = everyDay({ start: '08:00', end: '20:00' });

/** A guest in a known zone has its ordinary work hours and holidays, and one in an unknown zone is free at any time. */
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

/** Serves a text that no time in work hours fits. Hours are all if it names hours, and otherwise 8:00 to 20:00. */
export function guestOpenFor(guest: SearchedPerson, { wanted, refused }: Reading): SearchedPerson {
  const namesHours = [...wanted, ...refused].some(({ clock }) => clock !== undefined);
  return { ...guest, workHours: namesHours ? ANY_TIME : WAKING_HOURS, holidays: new Map() };
}

/**
 * The other person is a guest if they are not connected. Throws `user_not_found` or `calendar_reconnect_required` for
 * the requester, the latter for an other person who must connect again, and the former for one who was deleted.
 */
export function requireRequester([requester, other]: [string, string], people: Person[], guest: Guest): Pair {
  if (isMadeUp(other)) throw userNotFound(other);
  const isConnected = people.some(({ email, status }) => email === other && status !== 'disconnected');
  return [
    requireConnected(requester, people),
    isConnected ? requireConnected(other, people) : guestPerson({ ...guest, email: other }),
  ];
}

/** The second is a guest if not connected. Throws `user_not_found` or `calendar_reconnect_required`. */
export const loadInvited = async (ctx: Ctx, platform: PlatformRef, emails: [string, string]): Promise<Pair> =>
  requireRequester(emails, await loadConnected(ctx, platform, emails), UNKNOWN_GUEST);

/** Throws `invalid_request` if the zone is unknown. */
export const guestZone = (zone: string | undefined): string | undefined =>
  zone === undefined ? undefined : givenZone(zone, 'guest_time_zone');
