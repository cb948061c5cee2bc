import type { ClaimedMeeting } from '../../schema/meetings/change-queries.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';

/** A claimed meeting with its two people, the requester first; a claim that went in has all three. */
export function claimed(meeting: ClaimedMeeting | undefined, people: ConnectedPerson[]) {
  if (meeting === undefined) throw new Error('a claim went in without its meeting');
  return { meeting, people: twoPeople(meeting.id, people) };
}

/** Every meeting has two people. */
export function twoPeople(meetingId: string, people: ConnectedPerson[]): [ConnectedPerson, ConnectedPerson] {
  const [requester, other] = people;
  if (requester === undefined || other === undefined) throw new Error(`meeting ${meetingId} has not two people`);
  return [requester, other];
}
