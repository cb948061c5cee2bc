import { expect } from 'vitest';
import { violations } from '../checks/checker.ts';
import { quiet } from '../worlds/quiet.ts';
import { eventsOf, writtenEvents } from './calendars.ts';
import { type Booked, eventOf, rowOf } from './meetings.ts';

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
export async function expectUntouched(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
  expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
  expect(await writtenEvents(meeting.platform, 'meeting.cancelled')).toBe(0);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}
