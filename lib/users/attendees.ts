import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { reconnectRequired, userNotFound } from '../errors.ts';

/** The two people in the order they were named; throws `user_not_found` or `calendar_reconnect_required`. */
export function bothConnected(emails: [string, string], people: ConnectedPerson[]): [ConnectedPerson, ConnectedPerson] {
  return [connected(emails[0], people), connected(emails[1], people)];
}

/** The one of these people who has this address; throws like `bothConnected`, with the field that named them. */
export function connected(email: string, people: ConnectedPerson[], field = 'attendees'): ConnectedPerson {
  const person = people.find((candidate) => candidate.email === email);
  if (person === undefined || person.status === 'disconnected') throw userNotFound(email, field);
  if (person.status !== 'connected') throw reconnectRequired(email, field);
  return person;
}
