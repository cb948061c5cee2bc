import { reconnectRequired, userNotFound } from '../kit/errors.ts';
import type { Pair, Person } from './person.ts';

/**
 * Returns the loaded person with this address. Throws `user_not_found` if they never connected their calendar or
 * disconnected it, and `calendar_reconnect_required` if they must connect it again. The error names `field`, the
 * request field that held the address.
 */
export function requireConnected(email: string, people: Person[], field = 'attendees'): Person {
  const person = people.find((candidate) => candidate.email === email);
  if (person === undefined || person.status === 'disconnected') throw userNotFound(email, field);
  if (person.status !== 'connected') throw reconnectRequired(email, field);
  return person;
}

/**
 * Returns the two loaded people with these addresses, in the addresses' order. Throws `user_not_found` or
 * `calendar_reconnect_required` if one is not connected.
 */
export const requireBothConnected = (emails: [string, string], people: Person[]): Pair => [
  requireConnected(emails[0], people),
  requireConnected(emails[1], people),
];
