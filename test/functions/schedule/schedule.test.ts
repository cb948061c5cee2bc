import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { accepted, ended, pair } from '../../support/people/batches.ts';
import { connectedPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import {
  bookable,
  FREE_BUSY,
  hoursLater,
  iso,
  liveEvents,
  NO_ANSWER,
  pass,
  rowOf,
} from '../../support/people/meetings.ts';
import { weekdays } from '../../support/people/proposing.ts';
import { neon } from '../../support/worlds/crash-points.ts';
import { count, hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('POST /v1/schedule', () => {
  test('books one event with a link and tells the platform, signed', async () => {
    const { platform, ada, bob, body, start } = await bookable();
    const answer = await platform.api.schedule(body);
    expect(answer.status).toBe(200);
    const end = new Date(start.getTime() + 30 * 60_000);
    const iso = (date: Date) => date.toISOString().replace('.000Z', 'Z');
    expect(answer.body).toEqual({
      success: true,
      meeting_id: expect.stringMatching(/^meet_/),
      start_time: iso(start),
      end_time: iso(end),
      title: 'Intro',
      attendees: [ada.email, bob.email],
      location: 'Google Meet',
      meet_link: expect.stringMatching(/^https:\/\/meet\.google\.com\//),
      metadata: {},
      conflicts: [],
    });
    expect(liveEvents(ada.email)).toHaveLength(1);

    const webhook = (await webhooksOf(platform)).find(({ body: event }) => event.event_type === 'meeting.scheduled');
    const headers = new Headers(webhook?.headers);
    const expected = createHmac('sha256', platform.webhook_secret ?? '')
      .update(`${headers.get('x-service-timestamp')}:${webhook?.body_text}`)
      .digest('hex');
    expect(headers.get('x-service-signature')).toBe(expected);
    expect(webhook?.body.data.meeting_id).toBe((answer.body as { meeting_id: string }).meeting_id);
  });

  test.each(NO_ANSWER)('leaves no half meeting behind when the calendar %s', async (_name, fault) => {
    const { platform, ada, bob, body } = await bookable();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', ...fault });
    const answer = await platform.api.schedule(body);
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(ada.email);
    world.faults.clear();
    await pass(120);
    const left = await world.neon.query(
      `select (select count(*)::int from meetings where platform_id = $1 and status <> 'failed') as meetings,
        (select count(*)::int from holds h join meetings m on m.id = h.meeting_id where m.platform_id = $1) as holds,
        (select coalesce(sum(used), 0)::int from usage where platform_id = $1) as used`,
      [platform.id],
    );
    expect(left).toEqual([{ meetings: 0, holds: 0, used: 0 }]);
    expect([...liveEvents(ada.email), ...liveEvents(bob.email)]).toEqual([]);
  });
});

describe('POST /v1/availability', () => {
  test.each(NO_ANSWER)('names the attendee and offers nothing when the calendar %s', async (_name, fault) => {
    const { platform, body } = await bookable();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', ...fault });
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ error: { code: 'calendar_unavailable' } });
    expect(answer.text).toMatch(/ada\.|bob\./);
  });

  test('a calendar the provider cannot read is unknown, never free', async () => {
    const { platform, bob, body } = await bookable();
    world.google.settings.calendarErrors.set(bob.email, 'internalError');
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(bob.email);
  });
});

interface Booked {
  meeting_id: string;
  start_time: string;
  end_time: string;
  conflicts: unknown[];
}

test('a meeting booked over others of the platform names them and whose they are', async () => {
  const { platform, ada, bob, body, start } = await bookable();
  const book = async (minutesLater: number, attendees = body.attendees) => {
    const start_time = hoursLater(start, minutesLater / 60);
    return (await platform.api.schedule({ ...body, attendees, start_time })).body as Booked;
  };
  const both = await book(0);
  expect(both.conflicts).toEqual([]);
  const carol = await connectedPerson(platform, { name: 'carol' });
  const early = await book(-15, [carol.email, bob.email]);
  const conflict = ({ meeting_id, start_time, end_time }: Booked, email: string) => ({
    email,
    meeting_id,
    start_time,
    end_time,
  });
  expect(early.conflicts).toEqual([conflict(both, bob.email)]);
  const over = await book(10);
  const [first, second] = [ada.email, bob.email].sort();
  expect(over.conflicts).toEqual([
    conflict(early, bob.email),
    conflict(both, first ?? ''),
    conflict(both, second ?? ''),
  ]);
  const touching = await book(40);
  expect(touching.conflicts).toEqual([]);
});

test('a cancelled meeting and another platform’s are no conflict', async () => {
  const { platform, ada, bob, body } = await bookable();
  const cancelled = (await platform.api.schedule(body)).body as Booked;
  await platform.api.send('DELETE', `/v1/meetings/${cancelled.meeting_id}`);
  const other = await freshPlatform({ plan: 'enterprise' });
  for (const { email } of [ada, bob]) await world.connectCalendar(other, email);
  expect((await other.api.schedule(body)).body).toMatchObject({ conflicts: [] });
  expect((await platform.api.schedule(body)).body).toMatchObject({ conflicts: [] });
});

const RESERVE = neon('insert into "pending_operations"', '"book"');

/** Creates two people who share two half hours of one day: 10:00, and 14:00. */
async function twoTimes() {
  const made = await pair();
  const { email } = made.ada;
  const day = Math.floor((weekdays(1)[0] ?? 0) / DAY) * DAY;
  const busy = [
    [world.clock.now() - DAY, day + 10 * HOUR],
    [day + 10.5 * HOUR, day + 14 * HOUR],
    [day + 14.5 * HOUR, day + 30 * DAY],
  ] as const;
  for (const [start, end] of busy) world.google.addBusy({ email, start: iso(start), end: iso(end) });
  return { ...made, day };
}

test('a job whose booking is held up for more than a second reads both calendars again, and takes the next time', async () => {
  const { platform, bob, body, day } = await twoTimes();
  const id = await accepted(platform, body);
  const looks = count(FREE_BUSY);
  const reserving = hold({ ...RESERVE, times: 1 });
  const running = world.qstash.deliverDue();
  await met(reserving);
  const before = looks.hits();
  world.google.addBusy({ email: bob.email, start: iso(day + 10 * HOUR), end: iso(day + 10.5 * HOUR) });
  await world.advance(1_100);
  reserving.release();
  await running;
  const { result } = await ended(platform, id);
  expect(result).toMatchObject({ success: true, chosen_slot: { start_time: expect.any(String) } });
  expect(Date.parse((result.chosen_slot as { start_time: string }).start_time)).toBe(day + 14 * HOUR);
  expect(before).toBe(2);
  expect(looks.hits()).toBeGreaterThanOrEqual(before + 2);
});

const linkOf = (id: string) => world.neon.query('select meet_link from meetings where id = $1', [id]);

test('a Meet link that is ready within 3 seconds is in the answer', async () => {
  const { platform, body } = await bookable();
  world.google.settings.meetPending = { gets: 1, ms: 0 };
  const answer = await platform.api.schedule(body);
  expect(answer.status).toBe(200);
  expect((answer.body as { meet_link: string }).meet_link).toMatch(/^https:\/\/meet\.google\.com\//);
});

test('a link that is still pending is null and follows, told by meeting.updated', async () => {
  const { platform, body } = await bookable();
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
  const [start, end] = [booked.start_time, booked.end_time];
  expect(updates.map(({ body: told }) => told.data.changes)).toEqual([
    {
      ...{ updated_by: 'calendar', reason: 'meet_link_ready' },
      ...{ old_start_time: start, new_start_time: start, old_end_time: end, new_end_time: end },
    },
  ]);
  expect(await rowOf(booked.meeting_id)).toMatchObject({ pending: [] });
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
  expect(await rowOf(id)).toMatchObject({ pending: [] });
  expect(await linkOf(id)).toEqual([{ meet_link: null }]);
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
