import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { reconnectRequired, userNotFound } from '../errors.ts';

/** The two people in the order they were named; throws `user_not_found` or `calendar_reconnect_required`. */
export function bothConnected(emails: [string, string], people: ConnectedPerson[]): [ConnectedPerson, ConnectedPerson] {
  return [connected(emails[0], people), connected(emails[1], people)];
}

function connected(email: string, people: ConnectedPerson[]): ConnectedPerson {
  const person = people.find((candidate) => candidate.email === email);
  if (person === undefined || person.status === 'disconnected') throw userNotFound(email);
  if (person.status !== 'connected') throw reconnectRequired(email);
  return person;
}
