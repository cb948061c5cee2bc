import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { eventsOf, revokeCalls, tick, times, writtenEvents } from '../../support/people/calendars.ts';
import { adaWithAHistory, FORMER, readMeeting, rows } from '../../support/people/person-data.ts';
import { cookieOf, land } from '../../support/people/signing-in.ts';
import { createClient } from '../../support/worlds/client.ts';
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

  test('is deleted once, however many requests race', async () => {
    const { platform, other, own, first } = await adaWithAHistory();
    world.traffic.clear();
    const answers = await times(6, () => own.send('DELETE', '/v1/user'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set(answers.some(({ status }) => status === 401) ? [200, 401] : [200]),
    );
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
    expect(revokeCalls()).toHaveLength(1);
    expect((await readMeeting(platform, first.meeting_id)).attendees[0]).toMatch(FORMER);
  });

  test('who consents again is somebody new, with nothing of before', async () => {
    const { platform, ada, bob, own, first } = await adaWithAHistory();
    await own.send('DELETE', '/v1/user');
    const { api_key } = await world.connect(platform, ada.email);
    const fresh = createClient(world.baseUrl, api_key);
    expect((await fresh.send('GET', '/v1/user/export')).body).toMatchObject({
      preferences: { buffer_minutes: 0, scheduling_context: '' },
      learning: [],
      meetings: [],
      platforms: [{ platform_id: platform.id }],
    });
    expect((await readMeeting(platform, first.meeting_id)).attendees[0]).toMatch(FORMER);
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
  });

  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['hangs', { mode: 'hang' }],
    ['drops the answer', { mode: 'after' }],
  ] as const)('’s grant is revoked by the sweep where the provider %s', async (_name, fault) => {
    const { own } = await adaWithAHistory();
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault });
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    world.faults.clear();
    world.traffic.clear();
    await world.advance(61_000);
    await tick();
    expect(revokeCalls()).toHaveLength(1);
    expect(await rows('select * from revocations')).toEqual([]);
  });

  test.each([
    ['while it could not be revoked', { mode: 'status', status: 503 }],
    ['while the revocation is on its way', { mode: 'delay', delay_ms: 2_500 }],
    ['after the revocation’s answer was lost', { mode: 'after' }],
  ] as const)('who consents again %s keeps the new grant', async (_name, fault) => {
    const { platform, ada, bob, own } = await adaWithAHistory();
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault, times: 1 });
    const leaving = own.send('DELETE', '/v1/user');
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    await expect
      .poll(async () => (await platform.api.status(ada.email)).body)
      .toMatchObject({ calendar_connected: false });
    await world.connectCalendar(platform, ada.email);
    await leaving;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.advance(60_000);
      await tick();
    }
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

  test('is given nothing by a request that was under way', async () => {
    const { platform, ada, own, first } = await adaWithAHistory();
    world.faults.add({
      target: 'neon',
      body_match: 'update .{2}users.{2} set .{2}preferences',
      mode: 'delay',
      delay_ms: 600,
      times: 1,
    });
    const setting = own.send('PUT', '/v1/user/preferences', { buffer_minutes: 30 });
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    expect((await setting).status).toBe(401);
    const [former = ''] = (await readMeeting(platform, first.meeting_id)).attendees;
    expect(await rows('select preferences from users where email = $1', former)).toEqual([{ preferences: {} }]);
    expect(ada.email).not.toBe(former);
  });

  test('is not deleted when the database fails', async () => {
    const { platform, own } = await adaWithAHistory();
    world.faults.add({ target: 'neon', body_match: 'insert into revocations', mode: 'status', status: 500, times: 1 });
    const failed = await own.send('DELETE', '/v1/user');
    expect([failed.status, failed.body]).toMatchObject([
      500,
      { error: 'Internal error', message: expect.stringMatching(/The request ID is \S+\. If it happens again/) },
    ]);
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
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
