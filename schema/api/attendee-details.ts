import * as z from 'zod';
import { docs } from '#docs';
import { address } from './fields.ts';
import { booleanOf, optionalOf, stringOrAbsent } from './plain.ts';

const AttendeeDetail = z.object({
  email: address,
  connected: booleanOf(
    docs(
      'True if the attendee was connected to your platform. Tandem reads no calendar of a person who is not connected to your platform.',
    ),
  ),
  name: stringOrAbsent(
    docs('Name that the guest gave with the acceptance. Present only in a proposal, if they gave one.'),
  ),
  time_zone: stringOrAbsent(docs('IANA time zone that the guest gave. Absent if the guest gave no time zone.')),
});

interface Attending {
  email: string;
  isConnected: boolean;
  name?: string | null | undefined;
  timeZone?: string | null | undefined;
}

/** The requester is first. Has the name and time zone that a guest gave. */
export type AttendeeDetails = [requester: Attending, other: Attending];

export const attendeeDetails = optionalOf(
  z.array(AttendeeDetail),
  docs(
    'Details of both attendees, in the order of `attendees`. A guest, who has connected no calendar to your platform, has `connected: false`. Absent if both attendees are connected.',
  ),
);

/** Returns no field if both attendees are connected to the platform. */
export const detailsOf = (details: AttendeeDetails) =>
  details.every(({ isConnected }) => isConnected) ? {} : { attendee_details: details.map(toDetail) };

const toDetail = ({ email, isConnected, name, timeZone }: Attending) => ({
  email,
  connected: isConnected,
  ...(typeof name === 'string' ? { name } : {}),
  ...(typeof timeZone === 'string' ? { time_zone: timeZone } : {}),
});
