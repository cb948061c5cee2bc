import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import {
  askByTick,
  booked,
  eventsOf,
  readByTick,
  searchable,
  snapshotOf,
  tick,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { holdsOf, post } from '../../support/people/changing.ts';
import { freshPair, iso, liveEvents, rowOf } from '../../support/people/meetings.ts';
import { freshAddress } from '../../support/worlds/client.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Scene = Awaited<ReturnType<typeof booked>>;

const heldBy = async ({ id }: Scene) => (await rowOf(id))?.holds;

const both = ({ ada, bob }: Scene, start: number, end: number) => holdsOf([ada.email, bob.email], { start, end });

interface Changes {
  reason: string;
  updated_by: string;
  [field: string]: unknown;
}

/** Returns what the platform is told of the meeting after a change in the calendar: each event once, however often it is read. */
async function told(scene: Scene, count = 1): Promise<Changes[]> {
  const events = await eventually(async () => {
    await askByTick(scene.ada.email);
    return eventsOf(scene.platform, 'meeting.updated', count);
  });
  await askByTick(scene.ada.email, scene.bob.email);
  await tick();
  expect(await writtenEvents(scene.platform, 'meeting.updated')).toBe(count);
  return events.map(({ body }) => (body.data as { changes: Changes }).changes);
}

const times = (from: [number, number], to: [number, number]) => ({
  old_start_time: iso(from[0]),
  new_start_time: iso(to[0]),
  old_end_time: iso(from[1]),
  new_end_time: iso(to[1]),
});

/** Returns a booked meeting of half an hour, with its end and what happens in the calendars of the two. */
async function scene() {
  const meeting = await booked();
  return { ...meeting, end: meeting.start + 30 * MINUTE };
}

const shown = async ({ platform, id }: Scene) =>
  (await platform.api.send('GET', `/v1/meetings/${id}`)).body as Record<string, unknown>;

describe('the time of the event', () => {
  test('moved: the meeting moves, and holds the new time', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { start: iso(s.start + DAY), end: iso(s.end + DAY) });
    const [changes] = await told(s);
    expect(changes).toEqual({
      updated_by: 'calendar',
      reason: 'moved_in_calendar',
      ...times([s.start, s.end], [s.start + DAY, s.end + DAY]),
      conflicts: [],
    });
    expect(await heldBy(s)).toEqual(both(s, s.start + DAY, s.end + DAY));
    expect(await shown(s)).toMatchObject({ status: 'updated', start_time: iso(s.start + DAY) });
  });

  test('of no length: the meeting is then, and holds no time', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { start: iso(s.start + DAY), end: iso(s.start + DAY) });
    const [changes] = await told(s);
    expect(changes).toMatchObject(times([s.start, s.end], [s.start + DAY, s.start + DAY]));
    expect(await heldBy(s)).toEqual([]);
    s.inCalendar(s.ada.email, { start: iso(s.start), end: iso(s.end) });
    await told(s, 2);
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
  });

  test.each([
    ['rescheduled', {}],
    ['offered other times', { propose: true }],
  ])('of no length and then %s: the meeting lasts half an hour', async (_name, more) => {
    const s = await scene();
    s.inCalendar(s.ada.email, { end: iso(s.start) });
    await told(s);
    expect((await post(s, more)).status).toBe(200);
    const holds = await world.neon.query(
      `select distinct upper(h.during) - lower(h.during) = interval '30 minutes' as is_half_an_hour from holds h
       join users u on u.id = h.user_id where u.email = $1`,
      [s.ada.email],
    );
    expect(holds).toEqual([{ is_half_an_hour: true }]);
  });

  test('stretched beyond a day: the meeting lasts as long, and holds no time; cut again: it holds its own', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { end: iso(s.start + 80 * DAY) });
    await told(s);
    expect(await heldBy(s)).toEqual([]);
    s.inCalendar(s.ada.email, { end: iso(s.end) });
    await told(s, 2);
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
  });

  test('all day on another date: the meeting is that day on the requester’s clock', async () => {
    const s = await scene();
    const day = DateTime.fromMillis(s.start, { zone: 'Europe/London' }).startOf('day').plus({ days: 3 });
    s.inCalendar(s.ada.email, { start: day.toISODate(), end: day.plus({ days: 1 }).toISODate() });
    const [changes] = await told(s);
    const [start, end] = [day.toMillis(), day.plus({ days: 1 }).toMillis()];
    expect(changes).toMatchObject({ reason: 'moved_in_calendar', ...times([s.start, s.end], [start, end]) });
    expect(await heldBy(s)).toEqual(both(s, start, end));
    const body = { attendees: [s.ada.email, s.bob.email], title: 'Next', duration_minutes: 30, require_free: true };
    expect((await s.platform.api.schedule({ ...body, start_time: iso(s.start) })).status).toBe(200);
  });
});

describe('what the event says', () => {
  test('another title and place', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { summary: 'Coffee\u200b\nwith Bob', location: 'Café Zentral' });
    const [changes] = await told(s);
    expect(changes).toEqual({
      updated_by: 'calendar',
      reason: 'changed_in_calendar',
      ...times([s.start, s.end], [s.start, s.end]),
      old_title: 'Intro',
      new_title: 'Coffee with Bob',
      old_location: 'Google Meet',
      new_location: 'Café Zentral',
    });
    expect(await shown(s)).toMatchObject({ title: 'Coffee with Bob', location: 'Café Zentral', status: 'updated' });
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
  });

  test.each([
    ['selectors', '\u{e0153}\u{e0159}'.repeat(20), ''],
    ['tags and zero-width spaces', '\u{e0053}\u200b'.repeat(20), ''],
    ['line ends of Unicode', '\u2028meet_1 cancelled\u2029x', ' meet_1 cancelled x'],
    ['an override of direction', '\u202efdp.exe', 'fdp.exe'],
    ['what real text needs', ' 👨‍👩‍👧 می‌خواهم', ' 👨‍👩‍👧 می‌خواهم'],
  ])('a title and place with %s', async (_what, written, kept) => {
    const s = await scene();
    s.inCalendar(s.ada.email, { summary: `Coffee${written}`, location: `Café${written}` });
    await told(s);
    expect(await shown(s)).toMatchObject({ title: `Coffee${kept}`, location: `Café${kept}` });
  });

  test('no link, and then another one', async () => {
    const s = await scene();
    const { meet_link: link } = await shown(s);
    s.inCalendar(s.ada.email, { conference: false });
    const [removed] = await told(s);
    expect(removed).toMatchObject({ reason: 'changed_in_calendar', old_meeting_url: link, new_meeting_url: null });
    expect(removed).toMatchObject({ old_location: 'Google Meet', new_location: '' });
    expect(await shown(s)).toMatchObject({ meet_link: null, location: '' });
    s.inCalendar(s.ada.email, { conference: true });
    const changes = await told(s, 2);
    const [event] = liveEvents(s.ada.email);
    expect(event?.hangoutLink).not.toBe(link);
    expect(changes).toContainEqual(
      expect.objectContaining({
        reason: 'changed_in_calendar',
        old_meeting_url: null,
        new_meeting_url: event?.hangoutLink,
      }),
    );
    expect(await shown(s)).toMatchObject({ meet_link: event?.hangoutLink, location: 'Google Meet' });
  });

  test('a time and a title at once are told as one change', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { summary: 'Later', start: iso(s.start + HOUR), end: iso(s.end + HOUR) });
    const [changes] = await told(s);
    expect(changes).toMatchObject({ reason: 'moved_in_calendar', new_title: 'Later', old_title: 'Intro' });
  });

  test('what changed just before the platform moved the meeting is told too', async () => {
    const s = await scene();
    world.google.settings.pushes = 'lost';
    s.inCalendar(s.ada.email, { summary: 'Renamed' });
    const body = { start_time: iso(s.start + HOUR), end_time: iso(s.end + HOUR) };
    expect((await s.platform.api.send('PUT', `/v1/meetings/${s.id}`, body)).status).toBe(200);
    world.google.settings.pushes = 'sent';
    const changes = await told(s, 2);
    expect(changes.map(({ reason, new_title }) => [reason, new_title])).toContainEqual([
      'changed_in_calendar',
      'Renamed',
    ]);
  });
});

describe('who is invited', () => {
  test('the guest removed: the platform is told, the guest is free; added again: held again', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { attendees: [{ email: s.ada.email }] });
    const [removed] = await told(s);
    expect(removed).toEqual({
      updated_by: 'calendar',
      reason: 'attendee_removed',
      attendee: s.bob.email,
      ...times([s.start, s.end], [s.start, s.end]),
    });
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end).slice(0, 1));
    s.inCalendar(s.ada.email, { attendees: [{ email: s.ada.email }, { email: s.bob.email }] });
    const [, added] = await told(s, 2);
    expect(added).toMatchObject({ reason: 'attendee_added', attendee: s.bob.email });
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
  });

  test('the guest removed as the event moves: two events, of which one tells the move', async () => {
    const s = await scene();
    const later: [number, number] = [s.start + DAY, s.end + DAY];
    s.inCalendar(s.ada.email, { start: iso(later[0]), end: iso(later[1]), attendees: [{ email: s.ada.email }] });
    const changes = await told(s, 2);
    expect(changes.find(({ reason }) => reason === 'moved_in_calendar')).toMatchObject(times([s.start, s.end], later));
    expect(changes.find(({ reason }) => reason === 'attendee_removed')).toMatchObject(times(later, later));
    expect(await heldBy(s)).toEqual(both(s, ...later).slice(0, 1));
  });

  test('a stranger added is no news', async () => {
    const s = await scene();
    const attendees = [s.ada.email, s.bob.email, 'carol@elsewhere.test'].map((email) => ({ email }));
    s.inCalendar(s.ada.email, { attendees });
    expect(await told(s, 0)).toEqual([]);
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
  });

  test('who declines is free from then on, and held again once they accept', async () => {
    const s = await scene();
    s.inCalendar(s.bob.email, { responseStatus: 'declined' });
    const [declined] = await told(s);
    expect(declined).toMatchObject({
      reason: 'attendee_declined',
      attendee: s.bob.email,
      ...times([s.start, s.end], [s.start, s.end]),
    });
    expect(await shown(s)).toMatchObject({ status: 'scheduled' });
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end).slice(0, 1));
    s.inCalendar(s.bob.email, { responseStatus: 'accepted' });
    await told(s);
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
  });

  test('who declined can be booked, and is then not held by an acceptance', async () => {
    const s = await scene();
    s.inCalendar(s.bob.email, { responseStatus: 'declined' });
    await told(s);
    const other = await freshPair();
    const body = { attendees: [other.ada.email, s.bob.email], title: 'Next', duration_minutes: 30, require_free: true };
    await world.connectCalendar(other.platform, s.bob.email);
    expect((await other.platform.api.schedule({ ...body, start_time: iso(s.start) })).status).toBe(200);
    s.inCalendar(s.bob.email, { responseStatus: 'accepted' });
    await told(s);
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end).slice(0, 1));
  });
});

describe('a series', () => {
  const daily = { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] };
  const stamp = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.000/g, '');

  /** Makes the meeting's event a series, as a person would, and has Tandem find it. */
  async function series() {
    const s = await scene();
    s.inCalendar(s.ada.email, daily);
    expect(await told(s, 0)).toEqual([]);
    return { ...s, occurrence: `${s.eventId}_${stamp(s.start)}` };
  }
  const busy = ({ bob, start }: Scene) =>
    world.google.busy({ calendar: bob.email, start: iso(start - DAY), end: iso(start + 9 * DAY) });

  test('the meeting is the occurrence at its time, and moving or cancelling it leaves the others alone', async () => {
    const s = await series();
    const event = await world.neon.query('select provider_event_id as id from meetings where id = $1', [s.id]);
    expect(event).toEqual([{ id: s.occurrence }]);
    expect(await heldBy(s)).toEqual(both(s, s.start, s.end));
    const body = { start_time: iso(s.start + 3 * HOUR), end_time: iso(s.end + 3 * HOUR) };
    expect((await s.platform.api.send('PUT', `/v1/meetings/${s.id}`, body)).status).toBe(200);
    expect(busy(s).map(({ start }) => start)).toEqual(
      [3 * HOUR, DAY, 2 * DAY, 3 * DAY, 4 * DAY].map((later) => new Date(s.start + later).toISOString()),
    );
    expect((await s.platform.api.send('DELETE', `/v1/meetings/${s.id}`)).status).toBe(200);
    expect(busy(s)).toHaveLength(4);
  });

  test('cancelled before Tandem knew of the series, the others stay too', async () => {
    const s = await scene();
    world.google.settings.pushes = 'lost';
    s.inCalendar(s.ada.email, daily);
    expect((await s.platform.api.send('DELETE', `/v1/meetings/${s.id}`)).status).toBe(200);
    expect(busy(s)).toHaveLength(4);
  });

  test('its occurrence moved: the meeting moves; another one moved: nothing', async () => {
    const s = await series();
    const other = `${s.eventId}_${stamp(s.start + 2 * DAY)}`;
    s.inCalendar(s.ada.email, {
      eventId: other,
      start: iso(s.start + 2 * DAY + HOUR),
      end: iso(s.end + 2 * DAY + HOUR),
    });
    expect(await told(s, 0)).toEqual([]);
    s.inCalendar(s.ada.email, { eventId: s.occurrence, start: iso(s.start + HOUR), end: iso(s.end + HOUR) });
    const [changes] = await told(s);
    expect(changes).toMatchObject(times([s.start, s.end], [s.start + HOUR, s.end + HOUR]));
    expect(await heldBy(s)).toEqual(both(s, s.start + HOUR, s.end + HOUR));
  });

  test.each([
    ['this one and all that follow', 'occurrence', { following: true }],
    ['the whole series', 'eventId', {}],
  ] as const)('%s moved: the meeting moves along', async (_name, which, more) => {
    const s = await series();
    s.inCalendar(s.ada.email, { eventId: s[which], start: iso(s.start + HOUR), end: iso(s.end + HOUR), ...more });
    const [changes] = await told(s);
    expect(changes).toMatchObject(times([s.start, s.end], [s.start + HOUR, s.end + HOUR]));
    expect(await heldBy(s)).toEqual(both(s, s.start + HOUR, s.end + HOUR));
  });

  test.each([
    ['its occurrence', 'occurrence'],
    ['the whole series', 'eventId'],
  ] as const)('%s deleted: the meeting is cancelled', async (_name, which) => {
    const s = await series();
    s.inCalendar(s.ada.email, { eventId: s[which], deleted: true });
    const [event] = await eventually(async () => {
      await askByTick(s.ada.email);
      return eventsOf(s.platform, 'meeting.cancelled');
    });
    expect(event?.body.data).toMatchObject({ meeting_id: s.id, reason: 'cancelled_in_calendar' });
    expect(await heldBy(s)).toEqual([]);
  });
});

describe('where the event is', () => {
  test('on another calendar of the requester: the meeting stays, and can be moved and cancelled there', async () => {
    const s = await scene();
    const calendar = world.google.addCalendar({ owner: s.ada.email, summary: 'Sales' });
    s.inCalendar(s.ada.email, { moveTo: calendar });
    expect(await told(s, 0)).toEqual([]);
    const body = { start_time: iso(s.start + HOUR), end_time: iso(s.end + HOUR) };
    expect((await s.platform.api.send('PUT', `/v1/meetings/${s.id}`, body)).status).toBe(200);
    expect(await heldBy(s)).toEqual(both(s, s.start + HOUR, s.end + HOUR));
    expect((await s.platform.api.send('DELETE', `/v1/meetings/${s.id}`)).status).toBe(200);
    expect(liveEvents(s.bob.email)).toEqual([]);
  });

  test('deleted, and restored afterwards: the meeting stays cancelled, and is told once', async () => {
    const s = await scene();
    s.inCalendar(s.ada.email, { deleted: true });
    const [cancelled] = await eventually(() => eventsOf(s.platform, 'meeting.cancelled'));
    expect(cancelled?.body.data).toMatchObject({
      meeting_id: s.id,
      cancelled_by: 'calendar',
      reason: 'cancelled_in_calendar',
      calendar_event: 'deleted',
    });
    expect(await heldBy(s)).toEqual([]);
    s.inCalendar(s.ada.email, { restored: true });
    await askByTick(s.ada.email);
    await tick();
    expect(await shown(s)).toMatchObject({ status: 'cancelled' });
    expect(await writtenEvents(s.platform, 'meeting.cancelled')).toBe(1);
    expect(await writtenEvents(s.platform, 'meeting.updated')).toBe(0);
  });
});

const push = (headers: Record<string, string>, address = freshAddress()) =>
  fetch(`${world.baseUrl}/internal/calendar-push`, {
    method: 'POST',
    headers: { 'cf-connecting-ip': address, ...headers },
  });

/**
 * Has Ada's calendar read and watched, then changes it. Returns the push that the change caused, which has not been
 * sent.
 */
async function heldPush() {
  const { ada, bob, platform } = await searchable();
  await readByTick(ada.email, bob.email);
  world.google.settings.pushes = 'held';
  const start = new Date(world.clock.now() + 86_400_000).toISOString();
  world.google.addBusy({ email: ada.email, start, end: new Date(Date.parse(start) + 3_600_000).toISOString() });
  world.google.settings.pushes = 'sent';
  const [held] = world.google.takePushes();
  if (held === undefined) throw new Error('no push');
  const generations = async () => (await snapshotOf(ada.email))?.dirty_gen;
  return { platform, ada, headers: held.headers, generations };
}

test('a push with its channel’s secret marks the calendar dirty, once however often it comes', async () => {
  const { headers, generations } = await heldPush();
  const before = Number(await generations());
  expect((await push(headers)).status).toBe(204);
  expect(await generations()).toBe(before + 1);
  expect((await push(headers)).status).toBe(204);
  expect(await generations()).toBe(before + 1);
});

test.each([
  ['no secret', { 'X-Goog-Channel-Token': '' }],
  ['a made-up secret', { 'X-Goog-Channel-Token': `push_${'a'.repeat(53)}` }],
  ['somebody’s key', { 'X-Goog-Channel-Token': 'key' }],
])('a push with %s is refused, and nothing is looked up for it', async (_name, wrong) => {
  const { headers, generations, platform } = await heldPush();
  const before = await generations();
  const token = wrong['X-Goog-Channel-Token'] === 'key' ? platform.secret_key : wrong['X-Goog-Channel-Token'];
  const answer = await push({ ...headers, 'X-Goog-Channel-Token': token });
  expect(answer.status).toBe(404);
  const id = answer.headers.get('x-request-id');
  const calls = world.traffic.list().filter(({ request_id }) => request_id === id);
  expect(calls.map(({ target }) => target)).toEqual(['redis']);
  expect(await generations()).toBe(before);
});

test('a push with another channel’s secret, for an unknown channel, or one that only greets, changes nothing', async () => {
  const { headers, generations } = await heldPush();
  const other = await heldPush();
  const before = await generations();
  const wrong = [
    { 'X-Goog-Channel-Token': other.headers['X-Goog-Channel-Token'] ?? '' },
    { 'X-Goog-Channel-ID': 'push_unknown' },
    { 'X-Goog-Resource-State': 'sync' },
    { 'X-Goog-Message-Number': '1' },
    { 'X-Goog-Message-Number': '1e999' },
    { 'X-Goog-Message-Number': '' },
  ];
  for (const more of wrong) expect((await push({ ...headers, ...more })).status).toBe(204);
  expect(await generations()).toBe(before);
});

test('a flood without a secret is held back by its address after a minute’s worth', async () => {
  const address = freshAddress();
  const statuses = new Set<number>();
  for (let sent = 0; sent < 70; sent++) statuses.add((await push({}, address)).status);
  expect([...statuses].sort()).toEqual([404, 429]);
});

test('a channel asks for a secret of its own, of which only the hash is kept, and is replaced near its end', async () => {
  const { ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  const channelsOf = async () =>
    world.neon.query(
      'select w.* from watch_channels w join users u on u.id = w.user_id where u.email = any($1) order by w.id',
      [[ada.email, bob.email]],
    );
  const before = await channelsOf();
  expect(before).toHaveLength(2);
  expect(new Set(before.map(({ token_hash }) => token_hash)).size).toBe(2);
  for (const row of before) expect(JSON.stringify(row)).not.toMatch(/push_[\w-]{50}/);
  const live = () => {
    const channels = world.google.channels().filter(({ calendarId }) => [ada.email, bob.email].includes(calendarId));
    return channels.map(({ id }) => id).sort();
  };
  expect(live()).toEqual(before.map(({ id }) => id));
  await world.advance(6.9 * 86_400_000);
  await readByTick(ada.email, bob.email);
  await eventually(async () => {
    const after = await channelsOf();
    expect(after.map(({ id }) => id)).toEqual(live());
    for (const { id } of after) expect(before.map((row) => row.id)).not.toContain(id);
  });
});
