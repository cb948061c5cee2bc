import { reconnectRequired, userNotFound } from '../kit/errors.ts';
import type { Pair, Person } from './person.ts';

/**
 * Throws `user_not_found` for a person without a connection, and `calendar_reconnect_required` if they must connect
 * again. The error names `field`, the request field of the address.
 */
export function requireConnected(email: string, people: Person[], field = 'attendees'): Person {
  const person = people.find((candidate) => candidate.email === email);
  if (person === undefined || person.status === 'disconnected') throw userNotFound(email, field);
  if (person.status !== 'connected') throw reconnectRequired(email, field);
  return person;
}

/** Keeps the addresses' order. Throws `user_not_found` or `calendar_reconnect_required`. */
export const requireBothConnected = (emails: [string, string], people: Person[]): Pair => [
  requireConnected(emails[0], people),
  requireConnected(emails[1], people),
];
