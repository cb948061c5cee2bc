import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { pair } from '../../support/people/batches.ts';
import {
  connectedTwice,
  eventsOf,
  listed,
  providerIdOf,
  revokeCalls,
  tick,
  times,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { bodyFor, cancel, done, later, post, put, updated } from '../../support/people/changing.ts';
import { connectedPerson, freshPlatform, ownClient, type TestPlatform } from '../../support/people/factories.ts';
import { type Booked, booked, eventOf, iso, rowOf, seen } from '../../support/people/meetings.ts';
import { adaWithAHistory, FORMER, readMeeting, rows } from '../../support/people/person-data.ts';
import { cookieOf, land } from '../../support/people/signing-in.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('a deleted person', () => {
  test('has no address and no name in titles, descriptions and places', async () => {
    const { platform, ada, own, book } = await adaWithAHistory();
    const name = ada.email
      .slice(0, ada.email.indexOf('@'))
      .split('.')
      .map((word) => word[0]?.toUpperCase() + word.slice(1))
      .join(' ');
    const { meeting_id } = await book(platform, 96, {
      title: `Intro: ${name} and Bob`,
      description: `Call ${ada.email.toUpperCase()} first, not x${ada.email}. ${name} knows.`,
      location: `Room of ${ada.email}`,
    });
    await own.send('DELETE', '/v1/user');
    expect(await readMeeting(platform, meeting_id)).toMatchObject({
      title: 'Intro: a former user and Bob',
      description: `Call a former user first, not x${ada.email}. a former user knows.`,
      location: 'Room of a former user',
    });
  });

  test('has meetings that can be cancelled and not moved', async () => {
    const { platform, bob, own, first } = await adaWithAHistory();
    await own.send('DELETE', '/v1/user');
    const path = `/v1/meetings/${first.meeting_id}`;
    const start = world.clock.now() + 100 * HOUR;
    const times = { start_time: new Date(start).toISOString(), end_time: new Date(start + HOUR).toISOString() };
    const moved = await platform.api.send('PUT', path, times);
    expect(moved).toMatchObject(
      refusal(404, 'calendar_reconnect_required', {
        message: "One attendee's account was deleted, so this meeting can only be cancelled.",
      }),
    );
    const asked = { meeting_id: first.meeting_id, requested_by: bob.email, reason: 'too early' };
    expect((await platform.api.send('POST', `${path}/reschedule`, asked)).status).toBe(404);
    expect((await platform.api.send('DELETE', path)).body).toMatchObject({
      status: 'cancelled',
      calendar_event: 'kept',
    });
    const [event] = await eventsOf(platform, 'meeting.cancelled');
    expect(event?.body.data.attendees).toEqual([expect.stringMatching(FORMER), bob.email]);
  });

  test('who consents again is somebody new, with nothing of before', async () => {
    const { platform, ada, bob, own, first } = await adaWithAHistory();
    await own.send('DELETE', '/v1/user');
    const fresh = await ownClient(platform, ada.email);
    expect((await fresh.send('GET', '/v1/user/export')).body).toMatchObject({
      preferences: { buffer_minutes: 0, scheduling_context: '' },
      learning: [],
      meetings: [],
      platforms: [{ platform_id: platform.id }],
    });
    expect((await readMeeting(platform, first.meeting_id)).attendees[0]).toMatch(FORMER);
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
  });

  test('stays deleted when a consent was under way that took them for who they were', async () => {
    const { platform, ada, own, first } = await adaWithAHistory();
    world.faults.add({
      target: 'neon',
      body_match: 'insert into .{2}calendar_accounts',
      mode: 'delay',
      delay_ms: 600,
      times: 1,
    });
    const consenting = world.connectCalendar(platform, ada.email).catch(() => undefined);
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    await consenting;
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(1);
    const [former = ''] = (await readMeeting(platform, first.meeting_id)).attendees;
    expect(former).toMatch(FORMER);
    expect(await rows('select preferences, ended_at is not null as ended from users where email = $1', former)).toEqual(
      [{ preferences: {}, ended: true }],
    );
  });
});

/** Sets out to sign in as somebody, and comes back with a code that the provider never gave. */
async function knock(email: string) {
  const left = await fetch(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(email)}`, { redirect: 'manual' });
  const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const callback = `${world.baseUrl}/oauth/callback?${new URLSearchParams({ code: 'garbage', state })}`;
  return (await land(callback, cookieOf(left, 'tandem_flow'))).status;
}

test('a stranger who knows the address does not hold off the revocation of a deleted person’s grant', async () => {
  const { ada, own } = await adaWithAHistory();
  world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect(await knock(ada.email)).toBe(400);
  world.faults.clear();
  world.traffic.clear();
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await world.advance(59_000);
    await tick();
    expect(await knock(ada.email)).toBe(400);
  }
  expect(revokeCalls()).toHaveLength(1);
  expect(await rows('select * from revocations')).toEqual([]);
});

test('nor does one who returns while the person is still there', async () => {
  const { ada, own } = await adaWithAHistory();
  expect(await knock(ada.email)).toBe(400);
  world.traffic.clear();
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect(revokeCalls()).toHaveLength(1);
});

const withAddress = async (sql: string, email: string) => (await world.neon.query(sql, [email]))[0];
const emailsOf = async (platform: TestPlatform) => (await listed(platform)).connections.map((one) => one.user_email);

/** Gives Ada a key, preferences and a learned weight, and then gives her address to another person. */
async function recycled() {
  const platform = await freshPlatform();
  const other = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada' });
  const former = await ownClient(other, email);
  const given = { buffer_minutes: 30, scheduling_context: 'no meetings on Fridays' };
  expect((await former.send('PUT', '/v1/user/preferences', given)).status).toBe(200);
  const formerId = providerIdOf(email);
  world.google.passOn(email);
  return { platform, other, email, former, formerId };
}

describe('an address that goes to another person', () => {
  test('ends the former one’s connections, as revoked, and their key', async () => {
    const { platform, other, email, former, formerId } = await recycled();
    await world.connectCalendar(platform, email);
    for (const one of [platform, other]) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data).toMatchObject({ user_email: email, provider_id: formerId, reason: 'revoked' });
    }
    expect((await former.send('GET', '/v1/user/info')).status).toBe(401);
    expect(await emailsOf(platform)).toEqual([email]);
    expect(await emailsOf(other)).toEqual([]);
    expect((await other.api.status(email)).body).toMatchObject({ calendar_connected: false, last_sync: null });
  });

  test('passes nothing on: no key, no preferences, no weights, no ledger', async () => {
    const { platform, email } = await recycled();
    await world.connectCalendar(platform, email);
    const fresh = await ownClient(platform, email);
    expect((await fresh.send('GET', '/v1/user/preferences')).body).toMatchObject({
      email,
      preferences: { buffer_minutes: 0, scheduling_context: '' },
    });
    expect((await fresh.send('GET', '/v1/user/learning')).body).toMatchObject({
      entries: [],
      learned_weights: { day_of_week_preference: { friday: 1 } },
    });
    expect((await fresh.send('GET', '/v1/user/info')).body).toMatchObject({ onboarding_completed: false });
  });

  test('does so at a sign-in too, which connects the new one with nobody', async () => {
    const { platform, other, email, former } = await recycled();
    await world.signIn(email);
    expect((await former.send('GET', '/v1/user/info')).status).toBe(401);
    for (const one of [platform, other]) {
      expect(await emailsOf(one)).toEqual([]);
      await eventsOf(one, DISCONNECTED);
    }
    // Both events are about the former person. The first platform also heard of their second consent.
    expect(await writtenEvents(platform, 'user.calendar.connected')).toBe(2);
    expect(await writtenEvents(other, 'user.calendar.connected')).toBe(1);
  });

  test('ends them once, however many consents race', async () => {
    const { platform, other, email } = await recycled();
    const late = await freshPlatform();
    await times(6, (index) => world.connectCalendar([platform, late][index % 2] ?? platform, email));
    expect(await withAddress('select count(*)::int as people from users where email = $1', email)).toEqual({
      people: 1,
    });
    expect(await emailsOf(late)).toEqual([email]);
    expect(await emailsOf(other)).toEqual([]);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });

  test('leaves the former one’s meetings alone, and books the new one’s own', async () => {
    const meeting = await booked();
    const { platform, ada, bob, id, start } = meeting;
    world.google.passOn(ada.email);
    await world.connectCalendar(platform, ada.email);
    const mine = await platform.api.send('GET', `/v1/users/${encodeURIComponent(ada.email)}/meetings`);
    expect(mine.body).toMatchObject({ meetings: [], total: 0 });
    const read = await platform.api.send('GET', `/v1/meetings/${id}`);
    expect(read.body).toMatchObject({ status: 'scheduled', attendees: [ada.email, bob.email] });
    const mineToo = { attendees: [ada.email, bob.email], start_time: iso(start), duration_minutes: 30, title: 'Mine' };
    expect((await platform.api.schedule(mineToo)).status).toBe(200);
    expect(world.google.events(ada.email).map(({ summary }) => summary)).toEqual(['Mine']);
  });
});

describe('a person whose address changes', () => {
  test('is the same person: connections, key and preferences stay', async () => {
    const { platform, other, ada } = await connectedTwice();
    const client = await ownClient(platform, ada.email);
    await client.send('PUT', '/v1/user/preferences', { buffer_minutes: 15 });
    const renamed = ada.email.replace('ada', 'lovelace');
    world.google.rename(ada.email, renamed);
    await world.connectCalendar(platform, renamed);
    expect((await client.send('GET', '/v1/user/preferences')).body).toMatchObject({
      email: renamed,
      preferences: { buffer_minutes: 15 },
    });
    for (const one of [platform, other]) {
      expect(await emailsOf(one)).toEqual([renamed]);
      expect(await writtenEvents(one, DISCONNECTED)).toBe(0);
    }
  });

  test('takes an address over from the one who had it', async () => {
    const { platform, ada, bob } = await pair();
    world.google.passOn(bob.email);
    world.google.rename(ada.email, bob.email);
    await world.connectCalendar(platform, bob.email);
    expect(await emailsOf(platform)).toEqual([bob.email]);
    const [event] = await eventsOf(platform, DISCONNECTED);
    expect(event?.body.data).toMatchObject({ user_email: bob.email, reason: 'revoked' });
  });
});

/** Disconnects one of the two people from the meeting's platform, then connects them to another platform. */
async function consentElsewhere(meeting: Booked, who: 'ada' | 'bob' = 'ada') {
  const { email } = meeting[who];
  expect((await meeting.platform.api.disconnect(email)).status).toBe(200);
  await world.connectCalendar(await freshPlatform({ plan: 'enterprise' }), email);
}

const refused = (email: string) =>
  refusal(404, 'calendar_reconnect_required', {
    message: `${email} is no longer connected to this platform, and must connect their calendar again before you can change this meeting. Send them the link from GET /v1/platform/oauth-url.`,
    email,
  });

async function expectAsBefore(meeting: Booked): Promise<void> {
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ status: 'confirmed', start: iso(meeting.start) });
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
}

describe("another platform's consent", () => {
  test.each(['ada', 'bob'] as const)(
    'gives no access to a meeting whose %s disconnected: it is neither updated nor rescheduled, and nothing is learned',
    async (who) => {
      const meeting = await booked();
      await consentElsewhere(meeting, who);
      expect(seen(await put(meeting, bodyFor(later(meeting)), 'u1'))).toEqual(refused(meeting[who].email));
      expect(seen(await post(meeting, { reason: 'Too early for me' }, 'r1'))).toEqual(refused(meeting[who].email));
      await expectAsBefore(meeting);
      const learned = 'select 1 from learning_ledger where meeting_id = $1';
      expect(await world.neon.query(learned, [meeting.id])).toEqual([]);
    },
  );

  test('an attendee who left is replaced by one who is connected', async () => {
    const meeting = await booked();
    await consentElsewhere(meeting, 'bob');
    const cleo = await connectedPerson(meeting.platform, { name: 'cleo' });
    const body = { ...bodyFor(later(meeting)), attendees: [meeting.ada.email, cleo.email] };
    expect(seen(await put(meeting, body))).toEqual(updated(meeting, later(meeting), cleo.email));
  });

  test('the sweep leaves the calendar of somebody who disconnected alone', async () => {
    const meeting = await booked();
    world.faults.add({ target: 'google', match: 'PATCH /calendar/v3', mode: 'reset', times: 20 });
    expect((await put(meeting, bodyFor(later(meeting)))).status).toBe(500);
    world.faults.clear();
    await consentElsewhere(meeting);
    await world.advance(5 * 60_000);
    world.traffic.clear();
    await tick();
    expect(world.traffic.list().filter(({ path }) => path.includes(meeting.eventId))).toEqual([]);
    expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ start: iso(meeting.start) });
  });
});

describe('a cancellation after the organizer disconnected', () => {
  test('ends the meeting, keeps the event, says so in answer and webhook, and is replayed', async () => {
    const meeting = await booked();
    await consentElsewhere(meeting);
    const answer = await cancel(meeting, 'c1');
    expect(seen(answer)).toEqual(done(meeting, 'kept'));
    expect((await cancel(meeting, 'c1')).text).toBe(answer.text);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', holds: [] });
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    const [event] = await eventsOf(meeting.platform, 'meeting.cancelled');
    expect(event?.body.data).toMatchObject({ meeting_id: meeting.id, calendar_event: 'kept' });
  });

  test('the event is deleted once they connect with the platform again', async () => {
    const meeting = await booked({ start: Math.ceil(world.clock.now() / HOUR) * HOUR + 20 * DAY });
    await consentElsewhere(meeting);
    await cancel(meeting);
    await world.advance(6 * DAY);
    await tick();
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    await world.connectCalendar(meeting.platform, meeting.ada.email);
    await world.advance(2 * HOUR);
    await tick();
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', unlocked: true, pending: [] });
    expect(await writtenEvents(meeting.platform, 'meeting.cancelled')).toBe(1);
  });

  test('after more than 7 days it stays where it is', async () => {
    const meeting = await booked({ start: Math.ceil(world.clock.now() / HOUR) * HOUR + 20 * DAY });
    await consentElsewhere(meeting);
    await cancel(meeting);
    await world.advance(8 * DAY);
    await tick();
    await world.connectCalendar(meeting.platform, meeting.ada.email);
    await world.advance(2 * HOUR);
    await tick();
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', pending: [] });
  });

  test('the event is still deleted when only the second attendee disconnected', async () => {
    const meeting = await booked();
    await consentElsewhere(meeting, 'bob');
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
  });
});

test('last_sync tells nothing of other platforms, and is null once this one is not connected', async () => {
  const { platform, other, ada } = await connectedTwice();
  const own = async () => ((await platform.api.status(ada.email)).body as { last_sync: string | null }).last_sync;
  const before = await own();
  expect(before).toEqual(expect.any(String));
  await world.advance(60_000);
  await world.connectCalendar(other, ada.email);
  expect(await own()).toBe(before);
  await platform.api.disconnect(ada.email);
  expect(await own()).toBeNull();
});
