import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bookable, liveEvents, pass } from '../support/bookings.ts';
import { leftovers } from '../support/checks/meetings.ts';
import { wholeError } from '../support/errors.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const DAY = 86_400;

async function meetingOf(platformId: string) {
  const [row] = await world.neon.query(
    `select m.id, m.status, (select coalesce(json_agg(p.kind), '[]') from pending_operations p where p.meeting_id = m.id) as pending
     from meetings m where m.platform_id = $1`,
    [platformId],
  );
  return row;
}

describe('a booking whose outcome is not known', () => {
  test('does not say that nothing was changed', async () => {
    const { platform, body, ada } = await bookable();
    world.faults.add({ ...INSERT, mode: 'after', times: 1 });
    world.faults.add({ ...INSERT, mode: 'reset' });
    const answer = await platform.api.schedule(body);
    expect([answer.status, answer.body]).toEqual([
      500,
      wholeError({
        error: {
          code: 'calendar_unavailable',
          message: expect.stringContaining(
            `The calendar of ${ada.email} did not answer. The booking will be finished or undone within minutes; look at GET`,
          ),
        },
      }),
    ]);
    expect(liveEvents(ada.email)).toHaveLength(1);
    world.faults.clear();
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'scheduled', pending: [] });
  });

  test('whose organizer leaves for good is given up in the end', async () => {
    const { platform, body, ada } = await bookable();
    world.faults.add({ ...INSERT, mode: 'reset' });
    expect((await platform.api.schedule(body)).status).toBe(500);
    world.faults.clear();
    const left = await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(ada.email)}`);
    expect(left.status).toBe(200);
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    await pass(6 * DAY);
    expect(await meetingOf(platform.id)).toMatchObject({ pending: ['verify'] });
    await pass(DAY + 3_600);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: [] });
    expect(await leftovers([platform])).toEqual([]);
  });

  test('whose organizer comes back has its late event deleted', async () => {
    const { platform, body, ada } = await bookable();
    world.faults.add({ ...INSERT, mode: 'after', times: 1 });
    world.faults.add({ ...INSERT, mode: 'reset' });
    expect((await platform.api.schedule(body)).status).toBe(500);
    world.faults.clear();
    await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(ada.email)}`);
    await pass(61);
    await pass(301);
    expect(liveEvents(ada.email)).toHaveLength(1);
    await world.connectCalendar(platform, ada.email);
    await pass(3_601);
    expect(liveEvents(ada.email)).toEqual([]);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: [] });
  });

  test('is looked at again when it is time, not when somebody asks for it', async () => {
    const { platform, body } = await bookable();
    world.faults.add({ ...INSERT, mode: 'reset' });
    expect((await platform.api.schedule(body, keyed('early'))).status).toBe(500);
    world.faults.clear();
    const kept = 'select * from idempotency_keys where platform_id = $1';
    const [started] = await world.neon.query(kept, [platform.id]);
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    // As a retry sees it that read the key just before the sweep released it.
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
  const isOpen = () => world.traffic.list().some(({ path, end }) => path.includes('/events') && end === null);
  world.faults.add({ ...INSERT, mode: 'delay', delay_ms: 1_000 });
  world.faults.add({ target: 'redis', body_match: 'answer:.*86400', mode: 'delay', delay_ms: 0 });
  world.faults.add({ target: 'redis', body_match: 'answer:.*863[0-9]{2}', mode: 'delay', delay_ms: 0 });
  const first = platform.api.schedule(body, keyed('slow'));
  while (!isOpen()) await pause(5);
  await world.advance(30_000);
  expect((await first).status).toBe(200);
  while (world.faults.list().every(({ target, hits }) => target !== 'redis' || hits === 0)) await pause(5);
  expect(world.faults.list().map(({ hits }) => hits)).toEqual([1, 0, 1]);
});
