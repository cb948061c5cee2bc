import { expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../checks/checker.ts';
import type { Answer } from '../worlds/client.ts';
import { hold, met } from '../worlds/held.ts';
import { quiet } from '../worlds/quiet.ts';
import { world } from '../worlds/world.ts';
import { writtenEvents } from './calendars.ts';
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
export const post = ({ platform, id, bob }: Pick<Booked, 'platform' | 'id' | 'bob'>, wish: Wish = {}, key?: string) =>
  platform.api.send(
    'POST',
    `/v1/meetings/${id}/reschedule`,
    { meeting_id: id, requested_by: bob.email, reason: 'Something came up', ...wish },
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
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

export const holdsAt = ({ ada, bob }: Booked, start: number, end: number) =>
  [ada.email, bob.email].map((email) => [email, iso(start), iso(end)]);

/** Checks that Postgres, Google and the inbox agree: the new meeting has replaced the old one. */
export async function expectMoved(meeting: Booked, answer: Answer): Promise<void> {
  const { new_meeting_id: newId, new_meeting_time } = moved(answer);
  const start = Date.parse(new_meeting_time);
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'rescheduled', unlocked: true, holds: [], pending: [] });
  expect(await rowOf(newId)).toEqual({
    status: 'scheduled',
    unlocked: true,
    start: iso(start),
    end: iso(start + 30 * MINUTE),
    pending: [],
    holds: holdsAt(meeting, start, start + 30 * MINUTE),
  });
  for (const person of [meeting.ada, meeting.bob])
    expect(eventOf(person, meeting.eventId)).toMatchObject({
      status: 'confirmed',
      link: meeting.link,
      start: iso(start),
      end: iso(start + 30 * MINUTE),
    });
  expect(await writtenEvents(meeting.platform, 'meeting.scheduled')).toBe(2);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/** Checks that Postgres, Google and the inbox agree: the meeting has not moved, and no other was made. */
export async function expectUntouched(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  const { start, end } = meeting;
  expect(await rowOf(meeting.id)).toEqual({
    status: 'scheduled',
    unlocked: true,
    start: iso(start),
    end: iso(end),
    pending: [],
    holds: holdsAt(meeting, start, end),
  });
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ start: iso(start), end: iso(end) });
  expect(await writtenEvents(meeting.platform, 'meeting.scheduled')).toBe(1);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

export const weightsOf = async (email: string) =>
  (await world.neon.query('select weights from users where email = $1', [email]))[0]?.weights;
