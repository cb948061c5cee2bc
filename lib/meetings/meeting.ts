import type { LeasedMeeting } from '../../schema/meetings/lease-queries.ts';
import type { PersonRow } from '../../schema/people/queries.ts';
import { InternalError } from '../kit/errors.ts';
import { type Pair, toPerson } from '../person/person.ts';

/** A meeting with its two people and the addresses by which they were invited, the requester first. */
export type WithPeople<M> = M & { people: Pair; attendees: [string, string] };

/** A meeting as a writer knows it while it holds the meeting's lease. */
export type Meeting = WithPeople<LeasedMeeting>;

/** Combines a meeting with its two people. */
export const withPeople = <M>(meeting: M, people: Pair): WithPeople<M> => ({
  ...meeting,
  people,
  attendees: [people[0].email, people[1].email],
});

/** Combines a meeting with the rows of its two people, in the order of `listMeetingPeople`. */
export function withPeopleOf<M extends { id: string }>(meeting: M, [requester, other]: PersonRow[]): WithPeople<M> {
  if (requester === undefined || other === undefined)
    throw new InternalError(`Meeting ${meeting.id} does not have two people.`);
  return withPeople(meeting, [toPerson(requester), toPerson(other)]);
}
