import { describe, expect, test } from 'vitest';
import { refusal } from '../support/checks/errors.ts';
import { eventsOf, writtenEvents } from '../support/people/calendars.ts';
import type { TestPerson, TestPlatform } from '../support/people/factories.ts';
import { bookable, liveEvents, pass, seen } from '../support/people/meetings.ts';
import { count, hold, met } from '../support/worlds/held.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const DAY = 86_400;

async function meetingOf(platformId: string) {
  const [row] = await world.neon.query(
    `select m.id, m.status, (select coalesce(json_agg(p.kind), '[]') from pending_operations p where p.event_id = m.provider_event_id) as pending
     from meetings m where m.platform_id = $1`,
    [platformId],
  );
  return row;
}

/** Books a meeting whose event exists in the calendar, although the platform was answered 500. */
async function unknown({ plan = 'enterprise' } = {}) {
  const made = await bookable({ plan });
  world.faults.add({ ...INSERT, mode: 'after', times: 1 });
  world.faults.add({ ...INSERT, mode: 'reset' });
  expect((await made.platform.api.schedule(made.body, keyed('unknown'))).status).toBe(500);
  world.faults.clear();
  return made;
}

/** Ways to make a calendar unreachable. Each returns a function that makes the calendar reachable again. */
const BLIND: [string, (platform: TestPlatform, ada: TestPerson) => Promise<() => Promise<unknown>>][] = [
  [
    'its person disconnected',
    async (platform, ada) => {
      await platform.api.disconnect(ada.email);
      return () => world.connectCalendar(platform, ada.email);
    },
  ],
  [
    'the provider is down',
    async () => {
      world.faults.add({ target: 'google', match: 'GET /calendar/v3/calendars', mode: 'status', status: 503 });
      world.faults.add({ target: 'google', match: 'DELETE /calendar/v3/calendars', mode: 'status', status: 503 });
      return async () => world.faults.clear();
    },
  ],
  [
    'the key of its tokens is gone',
    async (platform, ada) => {
      await world.neon.query(
        "update calendar_accounts set access_token = 'gone:AAAA', refresh_token = 'gone:AAAA' where user_id = (select id from users where email = $1)",
        [ada.email],
      );
      return () => world.connectCalendar(platform, ada.email);
    },
  ],
];

async function expectSound(platform: TestPlatform): Promise<void> {
  await expectPeace({ platforms: [platform] });
}

describe('a booking whose outcome is not known', () => {
  test('does not say that nothing was changed', async () => {
    const { platform, body, ada } = await bookable();
    world.faults.add({ ...INSERT, mode: 'after', times: 1 });
    world.faults.add({ ...INSERT, mode: 'reset' });
    const answer = await platform.api.schedule(body);
    expect(seen(answer)).toEqual(
      refusal(500, 'calendar_unavailable', {
        message: expect.stringContaining(
          `The calendar of ${ada.email} did not respond. Tandem will finish or undo the booking within minutes. In a few minutes, look in GET`,
        ),
        email: ada.email,
      }),
    );
    expect(liveEvents(ada.email)).toHaveLength(1);
    world.faults.clear();
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'scheduled', pending: [] });
  });

  test('whose organizer comes back within the day stands', async () => {
    const { platform, body, ada } = await unknown();
    await platform.api.disconnect(ada.email);
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'pending', pending: ['book'] });
    await world.connectCalendar(platform, ada.email);
    await pass(1);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'scheduled', pending: [] });
    expect(liveEvents(ada.email)).toHaveLength(1);
    expect((await platform.api.schedule(body, keyed('unknown'))).headers.get('idempotent-replayed')).toBe('true');
    await expectSound(platform);
  });

  test('is undone at once for a retry, when its organizer has left', async () => {
    const { platform, body, ada } = await unknown();
    await platform.api.disconnect(ada.email);
    expect((await platform.api.schedule(body, keyed('unknown'))).status).toBe(404);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(0);
  });

  test.each(BLIND)('has failed after a day for all, and the platform is told: %s', async (name, blind) => {
    const { platform, body, ada } = await unknown({ plan: 'developer' });
    await blind(platform, ada);
    await pass(61);
    await pass(DAY - 120);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'pending', pending: ['book'] });
    await pass(120);
    await pass(1);
    const ended = await meetingOf(platform.id);
    expect(ended).toMatchObject({ status: 'failed', pending: ['verify'] });
    const held = 'select 1 from holds h join meetings m on m.id = h.meeting_id where m.platform_id = $1';
    expect(await world.neon.query(held, [platform.id])).toEqual([]);
    const counted = 'select used, confirmed from usage where platform_id = $1';
    expect(await world.neon.query(counted, [platform.id])).toEqual([{ used: 0, confirmed: 0 }]);
    const [told] = await eventsOf(platform, 'meeting.cancelled');
    expect(told?.body.data).toEqual({
      meeting_id: ended?.id,
      attendees: body.attendees,
      // The details of both are left out if both are connected.
      ...(name === 'its person disconnected' && {
        attendee_details: body.attendees.map((email) => ({ email, connected: email !== ada.email })),
      }),
      start_time: body.start_time.replace('.000Z', 'Z'),
      metadata: {},
      cancelled_at: expect.any(String),
      cancelled_by: 'tandem',
      reason: 'outcome_unknown',
      calendar_event: 'unknown',
    });
    expect(world.logs().some((line) => line.includes('an outcome stayed unknown'))).toBe(true);
  });

  test.each(BLIND)(
    'has its event deleted after it failed, however late the calendar can be reached again: %s',
    async (...blind) => {
      const { platform, ada } = await unknown();
      const heal = await blind[1](platform, ada);
      await pass(DAY + 61);
      for (let days = 0; days < 9; days += 3) await pass(3 * DAY);
      expect(liveEvents(ada.email)).toHaveLength(1);
      expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed' });
      await heal();
      await pass(DAY);
      expect(liveEvents(ada.email)).toEqual([]);
      // No work is left. The retention rules may delete a failed meeting that has no pending operation.
      expect((await meetingOf(platform.id))?.pending ?? []).toEqual([]);
      await expectSound(platform);
    },
  );

  test('is verified again when its time has come, not when a client retries', async () => {
    const { platform, body } = await bookable();
    world.faults.add({ ...INSERT, mode: 'reset' });
    expect((await platform.api.schedule(body, keyed('early'))).status).toBe(500);
    world.faults.clear();
    const kept = 'select * from idempotency_keys where platform_id = $1';
    const [started] = await world.neon.query(kept, [platform.id]);
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    // Puts back the key's row as a retry sees it when it read the key just before the sweep released it.
    await world.neon.query(
      'insert into idempotency_keys select * from jsonb_populate_record(null::idempotency_keys, $1)',
      [JSON.stringify(started)],
    );
    expect((await platform.api.schedule(body, keyed('early'))).status).toBe(409);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    await world.neon.query('delete from idempotency_keys where platform_id = $1', [platform.id]);
  });
});

test('an answer is kept no longer than its key, however long the first request took', async () => {
  const { platform, body } = await bookable();
  const held = hold(INSERT);
  const whole = count({ target: 'redis', body_match: 'answer:.*86400' });
  const shorter = count({ target: 'redis', body_match: 'answer:.*863[0-9]{2}' });
  const first = platform.api.schedule(body, keyed('slow'));
  await met(held);
  await world.advance(30_000);
  held.release();
  expect((await first).status).toBe(200);
  await met(shorter);
  expect([held, whole, shorter].map(({ hits }) => hits())).toEqual([1, 0, 1]);
});
