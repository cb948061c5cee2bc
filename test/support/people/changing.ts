import { expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../checks/checker.ts';
import type { Answer } from '../worlds/client.ts';
import { hold, met, quiet } from '../worlds/quiet.ts';
import { world } from '../worlds/world.ts';
import { eventsOf, writtenEvents } from './calendars.ts';
import { type Booked, booked, eventOf, iso, rowOf } from './meetings.ts';

/**
 * Returns 15:00 UTC of a Wednesday at least so many weeks from now, which is 10:00 or 11:00 in New York. It lies in no
 * week whose days are ranked by the end of the year.
 */
export const wednesday = (weeks = 1) => {
  const from = Math.ceil(world.clock.now() / DAY) * DAY + weeks * 7 * DAY;
  const days = (10 - new Date(from).getUTCDay()) % 7;
  const start = from + days * DAY + 15 * HOUR;
  return /-(?:12-(?:1[6-9]|2|3)|01-0[1-3])/.test(iso(start)) ? start + 21 * DAY : start;
};
export const book = (hour = 0) => booked({ start: wednesday() + hour * HOUR });

export interface Wish {
  reason?: string;
  requested_by?: string;
  preferred_time_range?: { start: string; end: string };
  propose?: boolean;
  when_unclear?: string;
}
const keyed = (key: string | undefined) => (key === undefined ? {} : { headers: { 'Idempotency-Key': key } });

export const post = ({ platform, id, bob }: Pick<Booked, 'platform' | 'id' | 'bob'>, wish: Wish = {}, key?: string) =>
  platform.api.send(
    'POST',
    `/v1/meetings/${id}/reschedule`,
    { meeting_id: id, requested_by: bob.email, reason: 'Something came up', ...wish },
    keyed(key),
  );
/**
 * Sends the reschedule of `post`, which reserves its time long after the search read the calendars. So the calendars are
 * read once more before the event is moved.
 */
export async function postLate(...asked: Parameters<typeof post>): Promise<Answer> {
  const held = hold({
    target: 'neon',
    match: 'POST /sql',
    body_match: 'insert into \\\\?"pending_operations',
    times: 1,
  });
  const answer = post(...asked);
  await met(held, 1);
  await world.advance(1_100);
  held.release();
  return answer;
}
export const range = (start: number, end: number) => ({ preferred_time_range: { start: iso(start), end: iso(end) } });
export const after = ({ end }: Booked) => range(end, end + 2 * HOUR);
export const moved = ({ body }: Answer) =>
  body as {
    success: boolean;
    new_meeting_id: string;
    new_meeting_time: string;
    reasoning: string;
    learned_from: string;
  };

export const NOTHING_LEARNED = 'The reason teaches nothing for later meetings, so no weight was changed.';

/** Checks that Postgres, Google and the inbox agree: the new meeting has replaced the old one. */
export async function expectReplaced(meeting: Booked, answer: Answer): Promise<void> {
  const { new_meeting_id: newId, new_meeting_time } = moved(answer);
  const start = Date.parse(new_meeting_time);
  await quiet([meeting.platform]);
  await expectMovedTo(meeting, newId, { start, end: start + 30 * MINUTE });
  expect(await writtenEvents(meeting.platform, 'meeting.scheduled')).toBe(2);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/** Checks that Postgres and Google agree: another meeting has taken over the event, at these times. */
export async function expectMovedTo(meeting: Booked, newId: string, at: { start: number; end: number }) {
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'rescheduled', unlocked: true, holds: [], pending: [] });
  expect(await rowOf(newId)).toEqual({ status: 'scheduled', ...heldAt(meeting, at) });
  for (const person of [meeting.ada, meeting.bob])
    expect(eventOf(person, meeting.eventId)).toMatchObject({
      status: 'confirmed',
      link: meeting.link,
      start: iso(at.start),
      end: iso(at.end),
    });
}

/** Checks that Postgres, Google and the inbox agree: the meeting has not moved, and no other was made. */
export async function expectInPlace(meeting: Booked): Promise<void> {
  await expectUntouched(meeting);
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ start: iso(meeting.start), end: iso(meeting.end) });
  expect(await writtenEvents(meeting.platform, 'meeting.scheduled')).toBe(1);
}

export const weightsOf = async (email: string) =>
  (await world.neon.query('select weights from users where email = $1', [email]))[0]?.weights;

export const put = ({ platform, id }: Pick<Booked, 'platform' | 'id'>, body: unknown, key?: string) =>
  platform.api.send('PUT', `/v1/meetings/${id}`, body, keyed(key));

export const later = ({ start }: Pick<Booked, 'start'>) => ({ start: start + 24 * HOUR, end: start + 25 * HOUR });
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

export const holdsAt = ({ ada, bob }: Booked, start: number, end: number) =>
  holdsOf([ada.email, bob.email], { start, end });

/** What Postgres has of a meeting at these times that nobody is changing. */
const heldAt = ({ ada, bob }: Booked, at: { start: number; end: number }) => ({
  unlocked: true,
  start: iso(at.start),
  end: iso(at.end),
  holds: holdsOf([ada.email, bob.email], at),
  pending: [],
});

/**
 * Checks that Postgres, Google and the inbox agree: the meeting is at these times, and the platform was told of this
 * many moves.
 */
export async function expectAt(meeting: Booked, at: { start: number; end: number }, times: number): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toEqual({ status: times === 0 ? 'scheduled' : 'updated', ...heldAt(meeting, at) });
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

export const cancel = ({ platform, id }: Pick<Booked, 'platform' | 'id'>, key?: string) =>
  platform.api.send('DELETE', `/v1/meetings/${id}`, undefined, keyed(key));
export const done = ({ id }: Booked, calendarEvent: 'deleted' | 'kept' = 'deleted') => ({
  status: 200,
  body: { success: true, meeting_id: id, status: 'cancelled', calendar_event: calendarEvent },
});

/** Checks that Postgres, Google and the inbox agree: the meeting is cancelled, and the platform was told once. */
export async function expectCancelled(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', unlocked: true, holds: [], pending: [] });
  expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
  expect(eventOf(meeting.bob, meeting.eventId)?.status).toBe('cancelled');
  expect(await eventsOf(meeting.platform, 'meeting.cancelled')).toHaveLength(1);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/** Checks that Postgres, Google and the inbox agree: the meeting takes place as before. */
export async function expectStanding(meeting: Booked): Promise<void> {
  await expectUntouched(meeting);
  expect(await writtenEvents(meeting.platform, 'meeting.cancelled')).toBe(0);
}
