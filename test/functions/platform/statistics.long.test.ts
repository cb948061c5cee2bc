import { formatInTimeZone } from 'date-fns-tz';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { statisticsViolations } from '../../support/checks/statistics.ts';
import { askByTick, readByTick } from '../../support/people/calendars.ts';
import { freshPlatform, personWithKey, type TestPlatform } from '../../support/people/factories.ts';
import { FORBIDDEN, iso, toNextMonth } from '../../support/people/meetings.ts';
import { NOTHING } from '../../support/people/person-data.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

beforeEach(() => {
  world.google.settings.pushes = 'lost';
});

interface Person {
  email: string;
  stats(): Promise<unknown>;
  erase(): Promise<unknown>;
}

async function person(platform: TestPlatform, name: string, timezone: string): Promise<Person> {
  const { email, own } = await personWithKey(platform, { name, timezone });
  const stats = async () => ((await own.send('GET', '/v1/user/info')).body as { stats: unknown }).stats;
  return { email, stats, erase: () => own.send('DELETE', '/v1/user') };
}

/**
 * Creates a platform with Ada in London and Bob in New York, on the 10th of a month at noon. `at` returns an hour in
 * UTC, two days ahead.
 */
async function scene() {
  await toNextMonth();
  const platform = await freshPlatform({ plan: 'pro' });
  const ada = await person(platform, 'ada', 'Europe/London');
  const bob = await person(platform, 'bob', 'America/New_York');
  const at = (hour: number, days = 2) =>
    Math.floor(world.clock.now() / (24 * HOUR)) * 24 * HOUR + (days * 24 + hour) * HOUR;
  const times = (start: number) => ({ start_time: iso(start), end_time: iso(start + 30 * MINUTE) });
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await platform.api.send(method, path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Record<string, string>;
  };
  const dashboard = async () => (await ok('GET', '/v1/platform/dashboard')).stats as unknown;
  const book = async (start: number, attendees = [ada, bob]) => {
    const body = {
      attendees: attendees.map(({ email }) => email),
      start_time: iso(start),
      duration_minutes: 30,
      title: 'A',
    };
    return (await ok('POST', '/v1/schedule', body)).meeting_id ?? '';
  };
  const change = (id: string, body: object) => ok('PUT', `/v1/meetings/${id}`, body);
  const cancel = (id: string) => ok('DELETE', `/v1/meetings/${id}`);
  const reschedule = async (id: string) => {
    const body = { meeting_id: id, requested_by: ada.email, reason: 'Another day is better.' };
    return ok('POST', `/v1/meetings/${id}/reschedule`, body);
  };
  /** Answers an invitation, as a person does in their calendar. */
  const answer = async (id: string, responseStatus: string, by = bob) => {
    const [row] = await world.neon.query('select provider_event_id as id from meetings where id = $1', [id]);
    world.google.patchEvent({ email: by.email, eventId: String(row?.id), responseStatus });
    await readByTick(ada.email);
    await eventually(async () => {
      const { rsvps } = (await platform.api.send('GET', `/v1/meetings/${id}`)).body as {
        rsvps: { email: string; response_status: string }[];
      };
      expect(rsvps).toContainEqual(expect.objectContaining({ email: by.email, response_status: responseStatus }));
    });
  };
  await readByTick(ada.email, bob.email);
  return { platform, ada, bob, at, times, book, change, cancel, reschedule, answer, dashboard };
}

const thirds = (morning: number, afternoon: number, evening: number) => {
  const all = morning + afternoon + evening;
  return { morning: morning / all, afternoon: afternoon / all, evening: evening / all };
};

describe('the statistics of a person', () => {
  // | people   | UTC    | London / New York | events after the booking                             |
  // | Ada, Bob | 09:00  | morning / morning | Bob accepts after an hour                            |
  // | Ada, Bob | 14:00  | afternoon/morning | Bob accepts after three hours; then it is cancelled  |
  // | Ada, Bob | 20:00  | evening/afternoon | it is moved to 14:30: afternoon / morning            |
  // | Ada, Bob | 09:30  | morning / morning | Bob accepts at once, then declines                   |
  // | Ada, Bob | 20:30  | evening/afternoon | Cleo, in Tokyo, replaces Bob: evening / morning      |
  test('are those of a month made by hand', async () => {
    const { platform, ada, bob, at, times, book, change, cancel, answer, dashboard } = await scene();
    const cleo = await person(platform, 'cleo', 'Asia/Tokyo');
    const first = await book(at(9));
    const second = await book(at(14));
    const third = await book(at(20));
    const fourth = await book(at(9.5));
    const fifth = await book(at(20.5));
    expect(await bob.stats()).toMatchObject({ preferred_times: thirds(3, 2, 0) });
    await change(third, times(at(14.5)));
    await change(fifth, { ...times(at(20.5)), attendees: [ada.email, cleo.email] });
    await answer(fourth, 'accepted');
    await world.advance(HOUR);
    await answer(first, 'accepted');
    await answer(fourth, 'declined');
    await world.advance(2 * HOUR);
    await answer(second, 'accepted');
    await cancel(second);

    const months = { total_meetings_scheduled: 5, meetings_this_month: 5 };
    expect(await ada.stats()).toEqual({ ...NOTHING, ...months, preferred_times: thirds(2, 1, 1) });
    expect(await bob.stats()).toEqual({
      ...NOTHING,
      total_meetings_scheduled: 4,
      meetings_this_month: 4,
      average_acceptance_time_hours: expect.closeTo(2, 1),
      fast_acceptance_rate: 0.5,
      preferred_times: thirds(3, 0, 0),
    });
    const cleos = { ...NOTHING, total_meetings_scheduled: 1, meetings_this_month: 1, preferred_times: thirds(1, 0, 0) };
    expect(await cleo.stats()).toEqual(cleos);
    expect(await dashboard()).toEqual({
      ...months,
      meetings_last_month: 0,
      average_acceptance_time_hours: expect.closeTo(2, 1),
      reschedule_rate: 0,
      cancellation_rate: 0.2,
    });
    await toNextMonth();
    expect(await cleo.stats()).toEqual({ ...cleos, meetings_this_month: 0 });
    expect(await dashboard()).toMatchObject({
      total_meetings_scheduled: 5,
      meetings_this_month: 0,
      meetings_last_month: 5,
    });
    expect(await statisticsViolations([platform])).toEqual([]);
  });

  test('count a meeting and all that replaced it as one, where the last of them is', async () => {
    const { platform, ada, bob, at, book, cancel, reschedule, dashboard } = await scene();
    await book(at(9));
    const moved = await reschedule(await book(at(20)));
    const lost = await reschedule(await book(at(21)));
    await cancel((await reschedule(lost.new_meeting_id ?? '')).new_meeting_id ?? '');
    const hour = (zone: string) => Number(formatInTimeZone(moved.new_meeting_time ?? '', zone, 'H'));
    const partsWith = (h: number) => thirds(1 + Number(h < 12), Number(h >= 12 && h < 17), Number(h >= 17));
    const months = { total_meetings_scheduled: 3, meetings_this_month: 3, reschedule_rate: 0.6667 };
    expect(await ada.stats()).toEqual({ ...NOTHING, ...months, preferred_times: partsWith(hour('Europe/London')) });
    expect(await bob.stats()).toEqual({ ...NOTHING, ...months, preferred_times: partsWith(hour('America/New_York')) });
    expect(await dashboard()).toMatchObject({ ...months, cancellation_rate: 0.3333 });
    expect(await statisticsViolations([platform])).toEqual([]);
  });

  test('leave out a booking that came to nothing, and count one that a sweep finished once', async () => {
    const { platform, ada, bob, at } = await scene();
    const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: 'A' };
    // A POST with guests creates an event. A POST for a channel goes to the same path.
    const insertion = { target: 'google', match: 'POST /calendar/v3/calendars', body_match: '"attendees"' } as const;
    world.faults.add({ ...insertion, mode: 'status', status: 403, body: FORBIDDEN, times: 1 });
    expect((await platform.api.schedule({ ...body, start_time: iso(at(9)) })).status).toBeGreaterThan(399);
    expect(await ada.stats()).toEqual(NOTHING);
    world.faults.add({ ...insertion, mode: 'after' });
    expect((await platform.api.schedule({ ...body, start_time: iso(at(9)) })).status).toBe(500);
    world.faults.clear();
    expect(await ada.stats()).toEqual(NOTHING);
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await world.advance(MINUTE);
      await world.worker.runScheduled(world.clock.now());
    }
    const one = { total_meetings_scheduled: 1, meetings_this_month: 1, preferred_times: thirds(1, 0, 0) };
    await eventually(async () => expect(await ada.stats()).toEqual({ ...NOTHING, ...one }));
    expect(await statisticsViolations([platform])).toEqual([]);
  });

  test('follow what they move and delete in their calendar', async () => {
    const { platform, ada, bob, at, times, book } = await scene();
    const [moved, deleted] = [await book(at(9)), await book(at(14))];
    await readByTick(ada.email, bob.email);
    const events = await world.neon.query('select id, provider_event_id as event from meetings where id = any($1)', [
      [moved, deleted],
    ]);
    const eventOf = (meeting: string) => String(events.find(({ id }) => id === meeting)?.event);
    const { start_time: start, end_time: end } = times(at(20));
    world.google.patchEvent({ email: ada.email, eventId: eventOf(moved), start, end });
    world.google.patchEvent({ email: ada.email, eventId: eventOf(deleted), deleted: true });
    await askByTick(ada.email);
    const two = { ...NOTHING, total_meetings_scheduled: 2, meetings_this_month: 2 };
    await eventually(async () => expect(await ada.stats()).toEqual({ ...two, preferred_times: thirds(0, 0, 1) }));
    expect(await bob.stats()).toEqual({ ...two, preferred_times: thirds(0, 1, 0) });
    expect(await statisticsViolations([platform])).toEqual([]);
  });

  test('go with the person, and no later change of a meeting brings them back', async () => {
    const { platform, ada, bob, at, book, cancel, dashboard } = await scene();
    const id = await book(at(9));
    await book(at(14));
    const [row] = await world.neon.query('select id from users where email = $1', [bob.email]);
    await bob.erase();
    await cancel(id);
    expect(await world.neon.query('select * from meeting_months where party = $1', [row?.id])).toEqual([]);
    expect(await ada.stats()).toMatchObject({ total_meetings_scheduled: 2, preferred_times: thirds(0, 1, 0) });
    expect(await dashboard()).toMatchObject({ total_meetings_scheduled: 2, cancellation_rate: 0.5 });
    expect(await statisticsViolations([platform])).toEqual([]);
  });
});
