import { expect } from 'vitest';
import { eventsOf, writtenEvents } from './calendars.ts';
import { violations } from './checker.ts';
import { type Booked, eventOf, rowOf } from './meetings.ts';
import { quiet } from './quiet.ts';

export const cancel = ({ platform, id }: Pick<Booked, 'platform' | 'id'>, key?: string) =>
  platform.api.send(
    'DELETE',
    `/v1/meetings/${id}`,
    undefined,
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );
export const done = ({ id }: Booked, calendarEvent: 'deleted' | 'kept' = 'deleted') => ({
  status: 200,
  body: { success: true, meeting_id: id, status: 'cancelled', calendar_event: calendarEvent },
});

/** Everybody agrees that the meeting is off, and the platform heard of it once. */
export async function expectCancelled(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', unlocked: true, holds: [], pending: [] });
  expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
  expect(eventOf(meeting.bob, meeting.eventId)?.status).toBe('cancelled');
  expect(await eventsOf(meeting.platform, 'meeting.cancelled')).toHaveLength(1);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/** Everybody agrees that the meeting takes place as before. */
export async function expectUntouched(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
  expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
  expect(await writtenEvents(meeting.platform, 'meeting.cancelled')).toBe(0);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}
