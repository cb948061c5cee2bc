import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { refusal } from '../../support/checks/errors.ts';
import { eventsOf, readByTick, tick } from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { eventOf, iso, rowOf } from '../../support/people/meetings.ts';
import { FORMER, placesOf } from '../../support/people/person-data.ts';
import {
  accept,
  busyAt,
  details,
  ended,
  expectEnd,
  heldFor,
  metAsGuest,
  openInvitation,
  passUntil,
  propose,
  readProposal,
  strangersAddress,
  withdraw,
} from '../../support/people/proposing.ts';
import { createClient } from '../../support/worlds/client.ts';
import { eventually, quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Books a meeting with a guest and has the requester's calendar read, so that later changes in it are followed. */
async function followed({ onDecline, ...options }: Parameters<typeof metAsGuest>[0] & { onDecline?: string } = {}) {
  const scene = await metAsGuest(options);
  if (onDecline !== undefined)
    expect((await scene.platform.api.send('PUT', '/v1/platform/settings', { on_decline: onDecline })).status).toBe(200);
  await readByTick(scene.ada.email);
  await world.advance(15_000);
  const inCalendar = (email: string, change: object) =>
    world.google.patchEvent({ email, eventId: scene.eventId, ...change });
  return { ...scene, inCalendar };
}

const expectFollowed = async ({ platform, ada }: Awaited<ReturnType<typeof metAsGuest>>, changed = false) => {
  await quiet([platform]);
  expect(await violations({ platforms: [platform], changed: new Set(changed ? [ada.email] : []) })).toEqual([]);
};

describe('in the calendar', () => {
  test('the guest’s answer to the invitation is kept and counted', async () => {
    const scene = await followed();
    scene.inCalendar(scene.grace.email, { responseStatus: 'accepted' });
    await eventually(async () => expect((await scene.meeting()).rsvps[1]?.response_status).toBe('accepted'));
    const { body } = await scene.platform.api.send('GET', '/v1/platform/dashboard');
    expect(body).toMatchObject({
      stats: { total_meetings_scheduled: 1, average_acceptance_time_hours: expect.any(Number) },
    });
    await expectFollowed(scene);
  });

  test('the guest’s decline is told, with who is not connected', async () => {
    const scene = await followed();
    const { ada, grace, platform, inCalendar } = scene;
    inCalendar(grace.email, { responseStatus: 'declined' });
    const [told] = await eventually(() => eventsOf(platform, 'meeting.updated'));
    expect(told?.body.data).toMatchObject({
      attendee_details: details([ada.email, true], [grace.email, false]),
      changes: { reason: 'attendee_declined', attendee: grace.email },
    });
    await expectFollowed(scene);
  });

  test('the guest’s decline reschedules the meeting, if the platform chose so', async () => {
    const scene = await followed({ onDecline: 'reschedule' });
    scene.inCalendar(scene.grace.email, { responseStatus: 'declined' });
    await eventually(async () => {
      await tick();
      expect((await scene.meeting()).status).toBe('rescheduled');
    });
    await expectFollowed(scene);
  });

  test.each([
    ['a move by the requester is followed', 'updated', { changes: { reason: 'moved_in_calendar', conflicts: [] } }],
    ['a deletion cancels the meeting', 'cancelled', { cancelled_by: 'calendar' }],
  ])('%s', async (_what, status, data) => {
    const scene = await followed();
    const { ada, start, meeting, platform, grace, inCalendar } = scene;
    const moved = { start: iso(start + HOUR), end: iso(start + HOUR + 30 * MINUTE) };
    inCalendar(ada.email, status === 'updated' ? moved : { deleted: true });
    await eventually(async () => expect((await meeting()).status).toBe(status));
    const [told] = await eventually(() => eventsOf(platform, `meeting.${status}`));
    const attendee_details = details([ada.email, true], [grace.email, false]);
    expect(told?.body.data).toMatchObject({ attendee_details, ...data });
    await expectFollowed(scene);
  });
});

describe('a change by the platform', () => {
  test('PUT moves the event, and the guest stays invited', async () => {
    const scene = await metAsGuest();
    const { platform, ada, grace, meetingId, eventId, start } = scene;
    const moved = { start_time: iso(start + HOUR), end_time: iso(start + 2 * HOUR) };
    const path = `/v1/meetings/${meetingId}`;
    expect(await platform.api.send('PUT', path, moved)).toMatchObject({
      status: 200,
      body: { ...moved, status: 'updated' },
    });
    const attendees = [ada.email, grace.email];
    expect((await platform.api.send('PUT', path, { ...moved, attendees })).status).toBe(200);
    expect(eventOf(ada, eventId)).toMatchObject({
      start: moved.start_time,
      attendees: [
        [ada.email, 'accepted'],
        [grace.email, 'needsAction'],
      ],
    });
    expect(await eventsOf(platform, 'meeting.updated', 2)).toMatchObject([
      { body: { data: { attendee_details: details([ada.email, true], [grace.email, false]) } } },
      {},
    ]);
    await expectFollowed(scene);
  });

  test('PUT invites a connected person in place of the guest, but no other guest', async () => {
    const scene = await metAsGuest();
    const { platform, ada, meetingId, start, meeting } = scene;
    const carl = await connectedPerson(platform, { name: 'carl' });
    const path = `/v1/meetings/${meetingId}`;
    const same = { start_time: iso(start), end_time: iso(start + 30 * MINUTE) };
    expect(await platform.api.send('PUT', path, { ...same, attendees: [ada.email, 'else@people.test'] })).toMatchObject(
      refusal(404, 'user_not_found', { email: 'else@people.test' }),
    );
    expect((await platform.api.send('PUT', path, { ...same, attendees: [ada.email, carl.email] })).status).toBe(200);
    expect(await meeting()).toMatchObject({ attendees: [ada.email, carl.email] });
    expect(await meeting()).not.toHaveProperty('attendee_details');
    await expectFollowed(scene);
  });

  test('DELETE cancels the meeting and tells who was not connected', async () => {
    const scene = await metAsGuest();
    const { platform, ada, grace, meetingId } = scene;
    expect((await platform.api.send('DELETE', `/v1/meetings/${meetingId}`)).body).toMatchObject({
      calendar_event: 'deleted',
    });
    expect(await eventsOf(platform, 'meeting.cancelled')).toMatchObject([
      { body: { data: { attendee_details: details([ada.email, true], [grace.email, false]) } } },
    ]);
    await expectFollowed(scene);
  });
});

describe('a reschedule', () => {
  const reschedule = async (scene: Awaited<ReturnType<typeof metAsGuest>>, requestedBy: string, reason: string) => {
    const answer = await scene.platform.api.send('POST', `/v1/meetings/${scene.meetingId}/reschedule`, {
      meeting_id: scene.meetingId,
      requested_by: requestedBy,
      reason,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { new_meeting_id: string; new_meeting_time: string; reasoning: string; learned_from: string };
  };

  test('speaks on the requester’s clock alone if the guest’s zone is unknown', async () => {
    const scene = await metAsGuest();
    const { platform, ada, grace } = scene;
    const moved = await reschedule(scene, ada.email, 'an hour later please');
    expect(moved.reasoning).toMatch(/^The meeting is now on \w+, \d+ \w+ at \d+:\d\d in London\b/);
    expect(moved.reasoning).not.toMatch(/Grace|both|UTC/);
    const { body } = await platform.api.send('GET', `/v1/meetings/${moved.new_meeting_id}`);
    expect(body).toMatchObject({
      rescheduled_from: scene.meetingId,
      attendee_details: details([ada.email, true], [grace.email, false]),
    });
    expect(Date.parse(moved.new_meeting_time)).toBe(scene.start + HOUR);
    await expectFollowed(scene);
  });

  test('speaks on both clocks and keeps to ordinary hours there if the zone is known', async () => {
    const scene = await metAsGuest({ guest: { timeZone: 'Asia/Tokyo' } });
    const moved = await reschedule(scene, scene.ada.email, 'I have a conflict');
    expect(moved.reasoning).toMatch(/in London.*in Tokyo/);
    const hour = (Number(moved.new_meeting_time.slice(11, 13)) + 9) % 24;
    expect(hour).toBeGreaterThanOrEqual(8);
    expect(hour).toBeLessThan(18);
    await expectFollowed(scene);
  });

  test('by the guest reads the reason on the guest’s clock, and learns nothing', async () => {
    const scene = await metAsGuest({ guest: { timeZone: 'Europe/Paris' } });
    // The meeting's own time is 16:00 there, or 17:00 in summer. No reschedule keeps it.
    const asked = formatInTimeZone(scene.start - HOUR, 'Europe/Paris', 'HH:mm');
    const moved = await reschedule(scene, scene.grace.email, `mornings are too early for me, can we do ${asked}?`);
    expect(formatInTimeZone(moved.new_meeting_time, 'Europe/Paris', 'HH:mm')).toBe(asked);
    expect(moved.learned_from).toMatch(/nothing/i);
    expect(
      await world.neon.query(
        'select count(*)::int as n from learning_ledger l join users u on u.id = l.user_id where u.guest_email = $1',
        [scene.grace.email],
      ),
    ).toEqual([{ n: 0 }]);
    await expectFollowed(scene);
  });
});

test('a proposal that moves a meeting with a guest is accepted as any other, and the guest’s zone is the one they gave last', async () => {
  const scene = await metAsGuest();
  const { platform, ada, grace, meetingId, start } = scene;
  const made = await platform.api.send('POST', '/v1/proposals', {
    meeting_id: meetingId,
    times: [iso(start + 2 * HOUR)],
  });
  expect(made.status, made.text).toBe(201);
  const { proposal_id, times } = made.body as { proposal_id: string; times: { id: string }[] };
  const accepted = await platform.api.send('POST', `/v1/proposals/${proposal_id}/accept`, {
    time_id: times[0]?.id,
    guest_time_zone: 'Asia/Tokyo',
  });
  expect(accepted.status, accepted.text).toBe(200);
  const { meeting_id } = accepted.body as { meeting_id: string };
  expect((await platform.api.send('GET', `/v1/meetings/${meeting_id}`)).body).toMatchObject({
    rescheduled_from: meetingId,
    attendee_details: [
      { email: ada.email, connected: true },
      { email: grace.email, connected: false, time_zone: 'Asia/Tokyo' },
    ],
  });
  await expectFollowed(scene);
});

healAfterEach();

const guestsOf = ({ id }: { id: string }) =>
  world.neon.query('select guest_email from users where guest_of = $1', [id]);

describe('a guest who connects after the booking', () => {
  test('has the meeting: it takes their time, is in their lists, and both are connected', async () => {
    const { platform, ada, grace, meetingId, start, meeting } = await metAsGuest();
    expect((await meeting()).attendee_details).toEqual(details([ada.email, true], [grace.email, false]));
    const { api_key } = await world.connect(platform, grace.email);
    expect((await meeting()).attendee_details).toBeUndefined();
    const end = iso(start + 30 * MINUTE);
    expect((await rowOf(meetingId))?.holds).toEqual([
      [ada.email, iso(start), end],
      [grace.email, iso(start), end],
    ]);
    const carl = await connectedPerson(platform, { name: 'carl' });
    const body = { attendees: [carl.email, grace.email], duration_minutes: 30, start_time: iso(start), title: 'Other' };
    expect(await platform.api.schedule({ ...body, require_free: true })).toMatchObject(
      refusal(409, 'slot_unavailable'),
    );
    const { body: said } = await platform.api.send('POST', '/v1/availability/explain', {
      attendees: body.attendees,
      duration_minutes: 30,
      start_time: iso(start),
    });
    expect(said).toMatchObject({ free: false, against: [{ email: grace.email, rule: 'busy' }] });
    expect((await platform.api.send('GET', `/v1/users/${grace.email}/meetings`)).body).toMatchObject({
      total: 1,
      meetings: [{ meeting_id: meetingId }],
    });
    const own = createClient(world.baseUrl, api_key);
    expect((await own.send('GET', '/v1/user/export')).body).toMatchObject({ meetings: [{ meeting_id: meetingId }] });
    expect((await own.send('GET', '/v1/user/info')).body).toMatchObject({ stats: { total_meetings_scheduled: 1 } });
    await expectPeace({ platforms: [platform] });
    expect(await guestsOf(platform)).toEqual([]);
  });

  test('keeps the answer that they gave as a guest, and the platform counts it once', async () => {
    const { platform, ada, grace, eventId, meeting } = await metAsGuest();
    await readByTick(ada.email);
    await world.advance(15_000);
    world.google.patchEvent({ email: grace.email, eventId, responseStatus: 'accepted' });
    await eventually(async () => expect((await meeting()).rsvps[1]?.response_status).toBe('accepted'));
    await world.connectCalendar(platform, grace.email);
    expect((await meeting()).rsvps[1]).toMatchObject({ email: grace.email, response_status: 'accepted' });
    await expectPeace({ platforms: [platform] });
  });

  test('with another platform learns nothing of the meeting, and that platform neither', async () => {
    const { platform, grace, meeting } = await metAsGuest();
    const other = await freshPlatform({ plan: 'enterprise' });
    const { api_key } = await world.connect(other, grace.email);
    const own = createClient(world.baseUrl, api_key);
    expect((await own.send('GET', '/v1/user/export')).body).toMatchObject({ meetings: [] });
    expect((await other.api.send('GET', `/v1/users/${grace.email}/meetings`)).body).toMatchObject({ total: 0 });
    expect((await meeting()).attendee_details?.[1]).toEqual({ email: grace.email, connected: false });
    expect(await guestsOf(platform)).toEqual([{ guest_email: grace.email }]);
    await world.connectCalendar(platform, grace.email);
    expect((await own.send('GET', '/v1/user/export')).body).toMatchObject({ meetings: [{}] });
    await expectPeace({ platforms: [platform, other] });
  });

  test('and disconnects again is a guest again, whose time it takes no more', async () => {
    const { platform, ada, grace, meetingId, start, meeting } = await metAsGuest();
    await world.connectCalendar(platform, grace.email);
    expect((await platform.api.disconnect(grace.email)).status).toBe(200);
    expect((await meeting()).attendee_details).toEqual(details([ada.email, true], [grace.email, false]));
    expect((await rowOf(meetingId))?.holds).toEqual([[ada.email, iso(start), iso(start + 30 * MINUTE)]]);
    const later = { start_time: iso(start + HOUR), end_time: iso(start + 2 * HOUR) };
    expect((await platform.api.send('PUT', `/v1/meetings/${meetingId}`, later)).body).toMatchObject(later);
    await world.connectCalendar(platform, grace.email);
    expect((await rowOf(meetingId))?.holds).toHaveLength(2);
    await expectPeace({ platforms: [platform] });
  });
});

describe('a guest who connects while the proposal is open', () => {
  test('cannot accept a time that another platform took, which is freed', async () => {
    const grace = freshPerson({ name: 'grace', timezone: 'Europe/Paris' });
    const { platform, id, proposal } = await openInvitation({}, { guest: grace.email });
    const other = await freshPlatform({ plan: 'enterprise' });
    for (const one of [platform, other]) await world.connectCalendar(one, grace.email);
    const carl = await connectedPerson(other, { name: 'carl' });
    const [first, second] = proposal.times;
    const body = { attendees: [carl.email, grace.email], duration_minutes: 30, title: 'Other' };
    expect((await other.api.schedule({ ...body, start_time: first?.start_time })).status).toBe(200);
    expect(await accept(platform, id, first?.id)).toMatchObject(refusal(409, 'time_unavailable'));
    expect((await readProposal(platform, id)).times.map(({ status }) => status)).toEqual(['released', 'held', 'held']);
    expect((await accept(platform, id, second?.id)).status).toBe(200);
  });

  test('accepts as anybody who is connected: their calendar is read, and their time is held', async () => {
    const grace = freshPerson({ name: 'grace', timezone: 'Europe/Paris' });
    const scene = await openInvitation({}, { guest: grace.email });
    const { platform, ada, id, proposal } = scene;
    await world.connectCalendar(platform, grace.email);
    expect(await heldFor(platform)).toBe(3);
    expect(await readProposal(platform, id)).not.toHaveProperty('attendee_details');
    const [first, second] = proposal.times;
    if (first !== undefined) busyAt(grace.email, first);
    expect(await accept(platform, id, first?.id)).toMatchObject(refusal(409, 'time_unavailable'));
    const answer = await accept(platform, id, second?.id);
    const { meeting_id } = answer.body as { meeting_id: string };
    expect((await rowOf(meeting_id))?.holds).toEqual([
      [ada.email, second?.start_time, second?.end_time],
      [grace.email, second?.start_time, second?.end_time],
    ]);
    await expectEnd(scene, 'accepted');
  });

  test('and has another Tandem meeting then is not booked twice', async () => {
    const grace = freshPerson({ name: 'grace', timezone: 'Europe/Paris' });
    const { platform, id, proposal } = await openInvitation({}, { guest: grace.email });
    await world.connectCalendar(platform, grace.email);
    const carl = await connectedPerson(platform, { name: 'carl' });
    const [time] = proposal.times;
    world.google.freeze(grace.email);
    const booked = await platform.api.schedule({
      attendees: [carl.email, grace.email],
      start_time: time?.start_time,
      duration_minutes: 30,
      title: 'Other',
    });
    expect(booked.status).toBe(200);
    expect(await accept(platform, id, time?.id)).toMatchObject(refusal(409, 'time_unavailable'));
  });
});

describe('another person who disconnects', () => {
  test('while the proposal is open ends it, and frees the time of both', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const bob = await connectedPerson(platform, { name: 'bob' });
    const scene = await openInvitation({}, { platform, guest: bob.email });
    expect(await heldFor(platform)).toBe(6);
    expect((await platform.api.disconnect(bob.email)).status).toBe(200);
    expect(await heldFor(platform)).toBe(0);
    expect(await accept(platform, scene.id, scene.proposal.times[0]?.id)).toMatchObject(ended('withdrawn'));
    await expectEnd(scene, 'withdrawn');
  });

  test('after the booking must connect again before the meeting is changed, as for every meeting', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const bob = await connectedPerson(platform, { name: 'bob' });
    const { ada, id, proposal } = await openInvitation({}, { platform, guest: bob.email });
    const { meeting_id } = (await accept(platform, id, proposal.times[0]?.id)).body as { meeting_id: string };
    await platform.api.disconnect(bob.email);
    const path = `/v1/meetings/${meeting_id}`;
    const later = { start_time: proposal.times[1]?.start_time, end_time: proposal.times[1]?.end_time };
    expect(await platform.api.send('PUT', path, later)).toMatchObject(refusal(404, 'calendar_reconnect_required'));
    expect((await platform.api.send('GET', path)).body).toMatchObject({
      attendee_details: details([ada.email, true], [bob.email, false]),
    });
    expect((await platform.api.send('DELETE', path)).status).toBe(200);
  });

  test('because they must consent again is refused by name, and nothing is booked', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const bob = await connectedPerson(platform, { name: 'bob' });
    const { body, id, proposal } = await openInvitation({}, { platform, guest: bob.email });
    await world.neon.query(
      `update calendar_accounts set status = 'needs_reauthorization', reauthorization_needed_since = now()
      where user_id = (select id from users where email = $1)`,
      [bob.email],
    );
    const refused = { status: 404, body: { error: { code: 'calendar_reconnect_required' } } };
    expect(await accept(platform, id, proposal.times[0]?.id)).toMatchObject(refused);
    expect(await platform.api.send('POST', '/v1/proposals', body)).toMatchObject(refused);
    expect((await readProposal(platform, id)).status).toBe('open');
  });
});

const erase = (
  { api }: { api: { send: (method: string, path: string) => Promise<{ status: number; body: unknown }> } },
  email: string,
) => api.send('DELETE', `/v1/users/${encodeURIComponent(email)}`);

describe('erasing a guest on request of the platform', () => {
  test('leaves the meeting with a former user, which can only be cancelled', async () => {
    const { platform, ada, grace, meetingId, meeting } = await metAsGuest({
      change: { title: 'Grace and Ada', description: 'About GRACE@people.test' },
    });
    expect(await erase(platform, grace.email)).toMatchObject({
      status: 200,
      body: { success: true, email: grace.email },
    });
    const left = await meeting();
    expect(left.attendees).toEqual([ada.email, expect.stringMatching(FORMER)]);
    expect(await placesOf(grace.email)).toEqual(['deliveries.body']);
    const path = `/v1/meetings/${meetingId}`;
    const moved = { start_time: left.start_time, end_time: left.end_time };
    expect(await platform.api.send('PUT', path, moved)).toMatchObject(
      refusal(404, 'calendar_reconnect_required', { message: expect.stringContaining('only be cancelled') }),
    );
    expect((await platform.api.send('DELETE', path)).status).toBe(200);
    expect((await platform.api.send('GET', `/v1/users/${grace.email}/meetings`)).status).toBe(404);
    expect((await erase(platform, grace.email)).status).toBe(404);
    await expectPeace({ platforms: [platform], closed: new Set([ada.email]) });
  });

  test('ends the open proposals at once, and removes what the guest said', async () => {
    const { platform, guest, id, ada } = await openInvitation({ metadata: { who: 'x' } });
    await world.neon.query(
      `update proposals set guest_name = 'Grace', guest_time_zone = 'Europe/Paris', reading = '{"askedBy":1}' where id = $1`,
      [id],
    );
    await world.neon.query("update proposal_times set reason = 'A time Grace likes.' where proposal_id = $1", [id]);
    expect((await erase(platform, guest)).status).toBe(200);
    const ended = await readProposal(platform, id);
    expect(ended).toMatchObject({ status: 'withdrawn', attendees: [ada.email, expect.stringMatching(FORMER)] });
    expect(JSON.stringify(ended)).not.toMatch(/Grace|Paris/);
    expect(await world.neon.query('select reading from proposals where id = $1', [id])).toEqual([{ reading: null }]);
  });

  test('changes nothing on another platform, and nothing for a stranger', async () => {
    const { grace, platform, meeting } = await metAsGuest();
    const other = await openInvitation({}, { guest: grace.email });
    expect((await erase(other.platform, grace.email)).status).toBe(200);
    expect((await meeting()).attendees[1]).toBe(grace.email);
    const email = strangersAddress();
    const message = `${email} is not a guest of this platform, so there is nothing to erase.`;
    expect(await erase(platform, email)).toMatchObject({ status: 404, body: { code: 'user_not_found', message } });
  });

  test('is refused for a person who has connected, also after they disconnected', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const bob = await connectedPerson(platform, { name: 'bob' });
    expect(await erase(platform, bob.email)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    await platform.api.disconnect(bob.email);
    expect((await erase(platform, bob.email)).status).toBe(403);
  });

  test('does not erase the same address when it is invited again', async () => {
    const { platform, guest, body } = await openInvitation();
    await erase(platform, guest);
    await quiet([platform]);
    const again = await platform.api.send('POST', '/v1/proposals', { ...body, title: 'Again' });
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ attendees: [expect.any(String), guest] });
  });
});

describe('a guest’s address', () => {
  test('goes when no meeting and no proposal names the guest any more', async () => {
    const { platform, guest, id } = await openInvitation();
    await withdraw(platform, id);
    const ended = await readProposal(platform, id);
    await passUntil(new Date(Date.parse(ended.ended_at ?? '') + 30 * DAY).toISOString());
    await passUntil(new Date(world.clock.now()).toISOString());
    expect(await world.neon.query('select id from users where guest_email = $1', [guest])).toEqual([]);
  });

  test('goes when the person who was a guest deletes their account', async () => {
    const { platform, ada, grace, meeting } = await metAsGuest();
    const { api_key } = await world.connect(platform, grace.email);
    await platform.api.disconnect(grace.email);
    expect((await createClient(world.baseUrl, api_key).send('DELETE', '/v1/user')).status).toBe(200);
    const left = await meeting();
    expect(left.attendees).toEqual([ada.email, expect.stringMatching(FORMER)]);
    const moved = { start_time: left.start_time, end_time: left.end_time };
    expect((await platform.api.send('PUT', `/v1/meetings/${left.meeting_id}`, moved)).status).toBe(404);
    for (const address of [String(left.attendees[1]), 'guest-1@guest.invalid'])
      expect(
        await propose(platform, { attendees: [ada.email, address], duration_minutes: 30, title: 'A' }),
      ).toMatchObject({
        ...{ status: 404, body: { error: { code: 'user_not_found', message: expect.stringContaining('made it up') } } },
      });
    expect((await erase(platform, String(left.attendees[1]))).status).toBe(404);
  });
});
