import { expect, test } from 'vitest';
import { violations } from '../support/checks/checker.ts';
import { bookable, pass } from '../support/people/bookings.ts';
import { writtenEvents } from '../support/people/calendars.ts';
import { cancel } from '../support/people/cancelling.ts';
import { booked, DELETE_EVENT, rowOf } from '../support/people/meetings.ts';
import { quiet } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;

test('a world comes to rest past the day for which a locked meeting waits for its person', async () => {
  const { platform, ada, body } = await bookable();
  world.faults.add({ ...INSERT, mode: 'after', times: 1 });
  world.faults.add({ ...INSERT, mode: 'reset' });
  expect((await platform.api.schedule(body)).status).toBe(500);
  await platform.api.disconnect(ada.email);
  await pass(61);
  await quiet([platform]);
  expect(await violations({ platforms: [platform], closed: new Set([ada.email]) })).toEqual([]);
  expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(1);
});

test('a world comes to rest past the operations that wait for the change of a locked meeting', async () => {
  const meeting = await booked();
  const { platform, ada } = meeting;
  await world.neon.query(
    `insert into pending_operations (event_id, platform_id, kind, due_at, created_at)
    select provider_event_id, platform_id, 'link', created_at, created_at from meetings where id = $1`,
    [meeting.id],
  );
  world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
  expect((await cancel(meeting)).status).toBe(500);
  await platform.api.disconnect(ada.email);
  world.faults.clear();
  await pass(61);
  await quiet([platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled' });
  expect(await violations({ platforms: [platform], closed: new Set([ada.email]) })).toEqual([]);
});
