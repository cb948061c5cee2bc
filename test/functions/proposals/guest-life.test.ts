import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { eventsOf, noteLostGrant, readByTick } from '../../support/people/calendars.ts';
import { moved, post } from '../../support/people/changing.ts';
import { connectedPerson, freshPerson, freshPlatform, ownClient } from '../../support/people/factories.ts';
import { eventOf, iso, rowOf } from '../../support/people/meetings.ts';
import { FORMER, placesOf } from '../../support/people/person-data.ts';
import {
  accept,
  busyAt,
  details,
  expectEnd,
  heldFor,
  metAsGuest,
  openInvitation,
  passUntil,
  propose,
  proposed,
  readProposal,
  strangersAddress,
  withdraw,
} from '../../support/people/proposing.ts';
import type { Client } from '../../support/worlds/client.ts';
import { eventually, quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Books a meeting with a guest, who answers the invitation after the requester's calendar was read. */
async function answered(responseStatus: string) {
  const scene = await metAsGuest();
  const { ada, grace, eventId } = scene;
  await readByTick(ada.email);
  await world.advance(15_000);
  world.google.patchEvent({ email: grace.email, eventId, responseStatus });
  return scene;
}

test('the guest’s decline in the calendar is told, with who is not connected', async () => {
  const scene = await answered('declined');
  const { ada, grace, platform } = scene;
  const [told] = await eventually(() => eventsOf(platform, 'meeting.updated'));
  expect(told?.body.data).toMatchObject({
    attendee_details: details([ada.email, true], [grace.email, false]),
    changes: { reason: 'attendee_declined', attendee: grace.email },
  });
  await expectPeace({ platforms: [scene.platform] });
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
    await expectPeace({ platforms: [scene.platform] });
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
    await expectPeace({ platforms: [scene.platform] });
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
    await expectPeace({ platforms: [scene.platform] });
  });
});

describe('a reschedule', () => {
  type Scene = Awaited<ReturnType<typeof metAsGuest>>;
  const reschedule = async ({ platform, meetingId: id, ada: bob }: Scene, requested_by: string, reason: string) =>
    moved(await post({ platform, id, bob }, { requested_by, reason }));

  test('speaks on the requester’s clock alone if the guest’s zone is unknown', async () => {
    const scene = await metAsGuest();
    const { platform, ada, grace } = scene;
    const answer = await reschedule(scene, ada.email, 'an hour later please');
    expect(answer.reasoning).toMatch(/^The meeting is now on \w+, \d+ \w+ at \d+:\d\d in London\b/);
    expect(answer.reasoning).not.toMatch(/Grace|both|UTC/);
    const { body } = await platform.api.send('GET', `/v1/meetings/${answer.new_meeting_id}`);
    expect(body).toMatchObject({
      rescheduled_from: scene.meetingId,
      attendee_details: details([ada.email, true], [grace.email, false]),
    });
    expect(Date.parse(answer.new_meeting_time)).toBe(scene.start + HOUR);
    await expectPeace({ platforms: [scene.platform] });
  });

  test('speaks on both clocks and keeps to ordinary hours there if the zone is known', async () => {
    const scene = await metAsGuest({ guest: { timeZone: 'Asia/Tokyo' } });
    const answer = await reschedule(scene, scene.ada.email, 'I have a conflict');
    expect(answer.reasoning).toMatch(/in London.*in Tokyo/);
    const hour = (Number(answer.new_meeting_time.slice(11, 13)) + 9) % 24;
    expect(hour).toBeGreaterThanOrEqual(8);
    expect(hour).toBeLessThan(18);
    await expectPeace({ platforms: [scene.platform] });
  });

  test('by the guest reads the reason on the guest’s clock, and learns nothing', async () => {
    const scene = await metAsGuest({ guest: { timeZone: 'Europe/Paris' } });
    // The meeting's own time is 16:00 there, or 17:00 in summer. No reschedule keeps it.
    const asked = formatInTimeZone(scene.start - HOUR, 'Europe/Paris', 'HH:mm');
    const answer = await reschedule(scene, scene.grace.email, `mornings are too early for me, can we do ${asked}?`);
    expect(formatInTimeZone(answer.new_meeting_time, 'Europe/Paris', 'HH:mm')).toBe(asked);
    expect(answer.learned_from).toMatch(/nothing/i);
    expect(
      await world.neon.query(
        'select count(*)::int as n from learning_ledger l join users u on u.id = l.user_id where u.guest_email = $1',
        [scene.grace.email],
      ),
    ).toEqual([{ n: 0 }]);
    await expectPeace({ platforms: [scene.platform] });
  });
});

test('a proposal that moves a meeting with a guest is accepted as any other, and the guest’s zone is the one they gave last', async () => {
  const scene = await metAsGuest();
  const { platform, ada, grace, meetingId, start } = scene;
  const { proposal_id, times } = await proposed(platform, { meeting_id: meetingId, times: [iso(start + 2 * HOUR)] });
  const accepted = await accept(platform, proposal_id, times[0]?.id, { guest_time_zone: 'Asia/Tokyo' });
  expect(accepted.status, accepted.text).toBe(200);
  const { meeting_id } = accepted.body as { meeting_id: string };
  expect((await platform.api.send('GET', `/v1/meetings/${meeting_id}`)).body).toMatchObject({
    rescheduled_from: meetingId,
    attendee_details: [{ email: ada.email }, { email: grace.email, connected: false, time_zone: 'Asia/Tokyo' }],
  });
  await expectPeace({ platforms: [scene.platform] });
});

const guestsOf = ({ id }: { id: string }) =>
  world.neon.query('select guest_email from users where guest_of = $1', [id]);

describe('a guest who connects after the booking', () => {
  test('has the meeting: it takes their time, is in their lists, and both are connected', async () => {
    const { platform, ada, grace, meetingId, start, meeting } = await metAsGuest();
    expect((await meeting()).attendee_details).toEqual(details([ada.email, true], [grace.email, false]));
    const own = await ownClient(platform, grace.email);
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
    expect((await own.send('GET', '/v1/user/export')).body).toMatchObject({ meetings: [{ meeting_id: meetingId }] });
    expect((await own.send('GET', '/v1/user/info')).body).toMatchObject({ stats: { total_meetings_scheduled: 1 } });
    await expectPeace({ platforms: [platform] });
    expect(await guestsOf(platform)).toEqual([]);
  });

  test('keeps the answer that they gave as a guest, and the platform counts it once', async () => {
    const { platform, grace, meeting } = await answered('accepted');
    await eventually(async () => expect((await meeting()).rsvps[1]?.response_status).toBe('accepted'));
    await world.connectCalendar(platform, grace.email);
    expect((await meeting()).rsvps[1]).toMatchObject({ email: grace.email, response_status: 'accepted' });
    await expectPeace({ platforms: [platform] });
  });

  test('with another platform learns nothing of the meeting, and that platform neither', async () => {
    const { platform, grace, meeting } = await metAsGuest();
    const other = await freshPlatform({ plan: 'enterprise' });
    const own = await ownClient(other, grace.email);
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

test('another person who must consent again is refused by name, and nothing is booked', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  const { body, id, proposal } = await openInvitation({}, { platform, guest: bob.email });
  await noteLostGrant(bob.email);
  const refused = { status: 404, body: { error: { code: 'calendar_reconnect_required' } } };
  expect(await accept(platform, id, proposal.times[0]?.id)).toMatchObject(refused);
  expect(await platform.api.send('POST', '/v1/proposals', body)).toMatchObject(refused);
  expect((await readProposal(platform, id)).status).toBe('open');
});

const erase = ({ api }: { api: Client }, email: string) => api.send('DELETE', `/v1/users/${encodeURIComponent(email)}`);

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
    const own = await ownClient(platform, grace.email);
    await platform.api.disconnect(grace.email);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
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
