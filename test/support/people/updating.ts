import { expect } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { violations } from '../checks/checker.ts';
import { quiet } from '../worlds/quiet.ts';
import { world } from '../worlds/world.ts';
import { writtenEvents } from './calendars.ts';
import { type Booked, eventOf, iso, rowOf } from './meetings.ts';

export const put = ({ platform, id }: Pick<Booked, 'platform' | 'id'>, body: unknown, key?: string) =>
  platform.api.send(
    'PUT',
    `/v1/meetings/${id}`,
    body,
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );

export const later = ({ start }: Booked) => ({ start: start + 24 * HOUR, end: start + 25 * HOUR });
export const bodyFor = ({ start, end }: { start: number; end: number }) => ({
  start_time: iso(start),
  end_time: iso(end),
});

export const updated = (meeting: Booked, { start, end } = later(meeting), other = meeting.bob.email) => ({
  status: 200,
  body: {
    success: true,
    meeting_id: meeting.id,
    start_time: iso(start),
    end_time: iso(end),
    attendees: [meeting.ada.email, other],
    metadata: {},
    status: 'updated',
  },
});

export const holdsOf = (emails: string[], { start, end }: { start: number; end: number }) =>
  [...emails].sort().map((email) => [email, iso(start), iso(end)]);

/**
 * Checks that Postgres, Google and the inbox agree: the meeting is at these times, and the platform was told of this
 * many moves.
 */
export async function expectAt(meeting: Booked, at: { start: number; end: number }, times: number): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toEqual({
    status: times === 0 ? 'scheduled' : 'updated',
    unlocked: true,
    start: iso(at.start),
    end: iso(at.end),
    holds: holdsOf([meeting.ada.email, meeting.bob.email], at),
    pending: [],
  });
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ status: 'confirmed', link: meeting.link });
  expect(await writtenEvents(meeting.platform, 'meeting.updated')).toBe(times);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

export const expectMoved = (meeting: Booked) => expectAt(meeting, later(meeting), 1);
export const expectUntouched = (meeting: Booked) => expectAt(meeting, meeting, 0);

/** Adds a guest to the event in Ada's calendar, who answers "maybe". */
export async function invite({ ada, eventId }: Booked, email: string): Promise<void> {
  const event = world.google.events(ada.email).find(({ id }) => id === eventId);
  const attendees = [...(event?.attendees ?? []), { email, responseStatus: 'tentative' }];
  world.google.patchEvent({ email: ada.email, eventId, attendees });
}

export const laterText = (meeting: Booked) => ({ start: iso(later(meeting).start), end: iso(later(meeting).end) });
