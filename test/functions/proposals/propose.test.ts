import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { iso, liveEvents, seen, setPreferences } from '../../support/people/meetings.ts';
import { heldFor, propose, proposed, proposing, readProposal, withdraw } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const at = (time = '') => Date.parse(time);

test('a proposal holds its times for both people, and writes nothing to a calendar', async () => {
  const { platform, ada, bob, body } = await proposing();
  const answer = await propose(platform, { ...body, metadata: { deal: 'D-1' }, description: 'Two clauses' });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    proposal_id: expect.stringMatching(/^prop_\w{20}$/),
    status: 'open',
    attendees: [ada.email, bob.email],
    requester_name: null,
    duration_minutes: 30,
    title: 'Contract questions',
    description: 'Two clauses',
    location: 'Google Meet',
    times: body.times.map((start) => ({
      id: expect.stringMatching(/^time_\w{20}$/),
      start_time: start,
      end_time: iso(at(start) + 30 * MINUTE),
      reason: expect.stringMatching(/^\w+day, \d+ \w+ at \d+:00 in London, 1[01]:00 in New York\.$/),
      status: 'held',
    })),
    url: expect.stringMatching(/\/p\/[\w-]{43}$/),
    expires_at: expect.any(String),
    on_expiry: 'cancel',
    decline_reason: null,
    counter_of: null,
    meeting_id: null,
    moves_meeting_id: null,
    metadata: { deal: 'D-1' },
    created_at: expect.any(String),
    ended_at: null,
  });
  const made = answer.body as { proposal_id: string; expires_at: string; created_at: string };
  expect(at(made.expires_at) - at(made.created_at)).toBe(48 * HOUR);
  expect(await readProposal(platform, made.proposal_id)).toEqual(answer.body);
  expect(await heldFor(platform)).toBe(6);
  expect([...liveEvents(ada.email), ...liveEvents(bob.email)]).toEqual([]);
  const [used] = await world.neon.query('select used from usage where platform_id = $1', [platform.id]);
  expect(used).toBeUndefined();
});

test('given times that lie far apart are read each for itself, and a taken one is found', async () => {
  const { platform, bob, body } = await proposing();
  const on = (hour: number) => [0, 1, 90, 91, 380].map((days) => iso(at(body.times[0]) + days * DAY + hour * HOUR));
  const taken = on(1)[3] ?? '';
  world.google.addBusy({ email: bob.email, start: taken, end: iso(at(taken) + HOUR) });
  world.traffic.clear();
  expect((await propose(platform, { ...body, times: on(0) })).status).toBe(201);
  expect(world.traffic.list().filter(({ path }) => path.endsWith('/freeBusy'))).toHaveLength(2 * 3);
  expect((await propose(platform, { ...body, times: on(1) })).text).toContain(`is not free at ${taken}.`);
});

test('a proposal expires at the latest when its last time begins', async () => {
  const { platform, body } = await proposing();
  const made = await proposed(platform, { ...body, expires_in_hours: 336 });
  expect(made.expires_at).toBe(body.times.at(-1));
  const { expires_at, created_at } = await proposed(platform, {
    ...body,
    times: [iso(at(body.times[0]) + HOUR)],
    expires_in_hours: 1,
  });
  expect(at(expires_at) - at(created_at)).toBe(HOUR);
});

describe('a held time', () => {
  test('is offered by no search, and explained as held to its platform and as busy to others', async () => {
    const { platform, ada, bob, body } = await proposing();
    const [start = ''] = body.times;
    const date = start.slice(0, 10);
    await proposed(platform, { ...body, times: [start] });
    const other = await freshPlatform({ plan: 'enterprise' });
    await world.connectCalendar(other, ada.email);
    const carl = await connectedPerson(other, { name: 'carl' });
    const asks = [
      {
        api: platform.api,
        attendees: [bob.email, ada.email],
        rule: 'held',
        says: 'is held for a proposal',
        of: [bob.email, ada.email],
      },
      { api: other.api, attendees: [carl.email, ada.email], rule: 'busy', says: 'is not free', of: [ada.email] },
    ];
    for (const { api, attendees, rule, says, of } of asks) {
      const search = { attendees, duration_minutes: 30, date_range: { start_date: date, end_date: date } };
      const { slots } = (await api.availability(search)).body as { slots: { start_time: string; end_time: string }[] };
      expect(slots.length).toBeGreaterThan(0);
      expect(
        slots.filter((slot) => at(slot.start_time) < at(start) + 30 * MINUTE && at(slot.end_time) > at(start)),
      ).toEqual([]);
      const { body: said } = await api.send('POST', '/v1/availability/explain', { ...search, start_time: start });
      expect(said).toMatchObject({
        free: false,
        against: of.map((email) => ({ email, rule, detail: expect.stringContaining(says) })),
      });
    }
  });

  test('is refused to whoever asks for a free time, until the proposal ends', async () => {
    const { platform, body } = await proposing();
    const { times, ...meeting } = body;
    const made = await proposed(platform, body);
    const free = { ...meeting, start_time: times[0], require_free: true };
    expect(await platform.api.schedule(free)).toMatchObject(refusal(409, 'slot_unavailable'));
    expect(await propose(platform, { ...body, times: [times[0]] })).toMatchObject(
      refusal(409, 'slot_unavailable', { field: 'times', message: expect.stringContaining(times[0] ?? '') }),
    );
    await withdraw(platform, made.proposal_id);
    expect((await platform.api.schedule(free)).status).toBe(200);
  });

  test('counts once for a day, however many times the proposal holds on it', async () => {
    const { platform, ada, body } = await proposing();
    const start = at(body.times[0]);
    await setPreferences(ada.email, { max_meetings_per_day: 2 });
    await proposed(platform, { ...body, times: [start, start + HOUR, start - HOUR].map(iso) });
    const { times: _, ...meeting } = body;
    const free = (time: number) => platform.api.schedule({ ...meeting, start_time: iso(time), require_free: true });
    const date = iso(start).slice(0, 10);
    const search = { attendees: body.attendees, date_range: { start_date: date, end_date: date } };
    expect((await platform.api.availability(search)).body).toMatchObject({ total_found: expect.any(Number) });
    expect((await free(start + 2 * HOUR)).status).toBe(200);
    expect((await free(start - 2 * HOUR)).status).toBe(409);
    expect((await platform.api.availability(search)).body).toMatchObject({ total_found: 0 });
  });
});

test('times of one proposal may overlap each other', async () => {
  const { platform, body } = await proposing();
  const start = at(body.times[0]);
  const made = await proposed(platform, { ...body, duration_minutes: 60, times: [start, start + HOUR / 2].map(iso) });
  expect(made.times).toHaveLength(2);
});

test.each([
  ['busy in a calendar', (email: string, start: number) => busy(email, start)],
  [
    'within the buffer of an event',
    (email: string, start: number) => {
      busy(email, start - HOUR);
      return setPreferences(email, { buffer_minutes: 30 });
    },
  ],
  [
    'in a focus block',
    (email: string, start: number) => {
      const day = new Date(start).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
      return setPreferences(email, { focus_blocks: [{ day, start: '08:00', end: '18:00', reason: 'writing' }] });
    },
  ],
])('a time that is not free, being %s, is refused, with alternatives', async (_why, block) => {
  const { platform, bob, body } = await proposing();
  await block(bob.email, at(body.times[1]));
  const refused = await propose(platform, body);
  expect(seen(refused)).toEqual(
    refusal(409, 'slot_unavailable', {
      message: `No proposal was made, because Bob is not free at ${body.times[1]}. Propose some of the alternatives instead.`,
      field: 'times',
      alternatives: expect.any(Array),
    }),
  );
  expect(await heldFor(platform)).toBe(0);
});

const busy = (email: string, start: number) =>
  world.google.addBusy({ email, start: iso(start - HOUR), end: iso(start + HOUR) });

test('a time outside work hours is offered, and the answer says so', async () => {
  const { platform, body } = await proposing();
  const start = at(body.times[0]);
  const answer = await propose(platform, { ...body, times: [iso(start + 6 * HOUR)], colour: 'red' });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    warnings: [expect.stringContaining('`colour`'), expect.stringContaining("outside Ada's work hours")],
  });
});

describe('who must be connected', () => {
  test('a requester who is not gets user_not_found', async () => {
    const { platform, ada, body } = await proposing();
    expect(await propose(platform, { ...body, attendees: ['guest@people.test', ada.email] })).toMatchObject(
      refusal(404, 'user_not_found', { field: 'attendees', email: 'guest@people.test' }),
    );
  });

  test('a calendar that cannot be read holds nothing', async () => {
    const { platform, body } = await proposing();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 500 });
    expect(await propose(platform, body)).toMatchObject(refusal(500, 'calendar_unavailable'));
    world.faults.clear();
    expect(await heldFor(platform)).toBe(0);
  });
});
