import { expect, test } from 'vitest';
import { webhooksOf } from '../../support/people/factories.ts';
import { bookable, liveEvents, pass } from '../../support/people/meetings.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const linkOf = (id: string) => world.neon.query('select meet_link from meetings where id = $1', [id]);

test('a Meet link that is ready within 3 seconds is in the answer', async () => {
  const { platform, body } = await bookable();
  world.google.settings.meetPending = { gets: 1, ms: 0 };
  const answer = await platform.api.schedule(body);
  expect(answer.status).toBe(200);
  expect((answer.body as { meet_link: string }).meet_link).toMatch(/^https:\/\/meet\.google\.com\//);
});

test('a link that is still pending is null and follows, told by meeting.updated', async () => {
  const { platform, body, ada, bob } = await bookable();
  world.google.settings.meetPending = { gets: 0, ms: 60_000 };
  const answer = await platform.api.schedule(body);
  expect(answer.status).toBe(200);
  const booked = answer.body as { meeting_id: string; meet_link: null; start_time: string; end_time: string };
  expect(booked.meet_link).toBeNull();
  const scheduled = (await webhooksOf(platform)).find(({ body: told }) => told.event_type === 'meeting.scheduled');
  expect(scheduled?.body.data.meeting_url).toBeNull();
  await pass(30);
  expect(await linkOf(booked.meeting_id)).toEqual([{ meet_link: null }]);
  await pass(60);
  const [{ meet_link: link }] = (await linkOf(booked.meeting_id)) as [{ meet_link: string }];
  expect(link).toMatch(/^https:\/\/meet\.google\.com\//);
  const updates = (await webhooksOf(platform)).filter(({ body: told }) => told.event_type === 'meeting.updated');
  expect(updates.map(({ body: told }) => told.data)).toEqual([
    {
      meeting_id: booked.meeting_id,
      attendees: [ada.email, bob.email],
      metadata: {},
      updated_at: expect.any(String),
      changes: {
        updated_by: 'calendar',
        reason: 'meet_link_ready',
        old_start_time: booked.start_time,
        new_start_time: booked.start_time,
        old_end_time: booked.end_time,
        new_end_time: booked.end_time,
      },
    },
  ]);
  expect(
    await world.neon.query(
      'select 1 from pending_operations where event_id = (select provider_event_id from meetings where id = $1)',
      [booked.meeting_id],
    ),
  ).toEqual([]);
});

test('a link that a read of the calendar saw at the same time is told once', async () => {
  const { platform, body } = await bookable();
  world.google.settings.meetPending = { gets: 0, ms: 60_000 };
  const { meeting_id: id } = (await platform.api.schedule(body)).body as { meeting_id: string };
  const read = hold({ target: 'google', match: 'GET /calendar/v3/calendars', times: 1 });
  await world.advance(90_000);
  const tick = world.worker.runScheduled(world.clock.now());
  await met(read);
  // What a read that sees the link writes while the link is fetched.
  await world.neon.query(
    `update pending_operations set due_at = due_at + interval '1 second'
     where kind = 'link' and event_id = (select provider_event_id from meetings where id = $1)`,
    [id],
  );
  read.release();
  await tick;
  await pass(60);
  expect(await linkOf(id)).toEqual([{ meet_link: expect.stringContaining('https://meet.google.com/') }]);
  const told = (await webhooksOf(platform)).filter(({ body: event }) => event.event_type === 'meeting.updated');
  expect(told).toHaveLength(1);
});

test('a link that never comes is not asked for forever', async () => {
  const { platform, body } = await bookable();
  world.google.settings.meetPending = { gets: 0, ms: 10 * 86_400_000 };
  const { meeting_id: id } = (await platform.api.schedule(body)).body as { meeting_id: string };
  await pass(60);
  await pass(25 * 3_600);
  expect(
    await world.neon.query(
      'select 1 from pending_operations where event_id = (select provider_event_id from meetings where id = $1)',
      [id],
    ),
  ).toEqual([]);
  expect(await linkOf(id)).toEqual([{ meet_link: null }]);
});

test('a calendar without Meet still gets the meeting', async () => {
  const { platform, body, ada } = await bookable();
  world.google.noMeet(ada.email);
  const answer = await platform.api.schedule(body);
  expect(answer.status).toBe(200);
  expect((answer.body as { meet_link: null }).meet_link).toBeNull();
});

test('a calendar that fails while the link is waited for has the meeting all the same', async () => {
  const { platform, body, ada } = await bookable();
  world.google.settings.meetPending = { gets: 2, ms: 0 };
  world.faults.add({ target: 'google', match: 'GET /calendar/v3/calendars', mode: 'status', status: 401 });
  world.faults.add({ target: 'google', match: 'POST /token', mode: 'status', status: 503 });
  const answer = await platform.api.schedule(body);
  expect(answer.status).toBe(200);
  expect(liveEvents(ada.email)).toHaveLength(1);
});
