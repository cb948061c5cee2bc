import type { AttendeeDetails } from '../../../schema/api/fields.ts';
import type { MeetingPersonRow } from '../../../schema/meetings/change.ts';
import type { LeasedMeeting } from '../../../schema/meetings/lease.ts';
import type { About } from '../../../schema/meetings/reserve.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import { InternalError } from '../../kit/errors.ts';
import { guestPerson } from '../../person/guest.ts';
import { type Pair, type Person, toPerson } from '../../person/person.ts';

/** The requester is first, by the invited addresses. `details` says who is connected to the platform. */
export type WithPeople<M> = M & { people: Pair; attendees: [string, string]; details: AttendeeDetails };

export function aboutOf({ title, description, location, metadata }: Omit<About, 'attendees'>) {
  return { title, description, location, metadata };
}

const DEFAULT_LENGTH_MS = 30 * MINUTE;

/** A meeting whose event a person gave no length gets the default. */
export const lengthOf = ({ start, end }: Interval): number => (end > start ? end - start : DEFAULT_LENGTH_MS);

/** Read by the process that has leased it. The lease keeps other processes from changing the meeting. */
export type Meeting = WithPeople<LeasedMeeting>;

const detailOf = ({ email, status, isGuest, timeZone }: Person) => ({
  email,
  isConnected: status !== 'disconnected',
  timeZone: isGuest ? timeZone : undefined,
});

export function withPeopleOf<M extends { id: string }>(
  meeting: M,
  [requester, other]: MeetingPersonRow[],
): WithPeople<M> {
  if (requester === undefined || other === undefined)
    throw new InternalError(`Meeting ${meeting.id} does not have two people.`);
  const people: Pair = [personOf(requester), personOf(other)];
  return {
    ...meeting,
    people,
    attendees: [people[0].email, people[1].email],
    details: [detailOf(people[0]), detailOf(people[1])],
  };
}

const personOf = ({ isGuest, guestTimeZone, ...row }: MeetingPersonRow): Person =>
  isGuest ? guestPerson({ id: row.id, email: row.email, timeZone: guestTimeZone ?? undefined }) : toPerson(row);
