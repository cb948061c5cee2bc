import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { refusal } from '../../support/checks/errors.ts';
import { eventsOf, readByTick, tick } from '../../support/people/calendars.ts';
import { connectedPerson } from '../../support/people/factories.ts';
import { eventOf, iso } from '../../support/people/meetings.ts';
import { details, type MeetingBody, metAsGuest } from '../../support/people/proposing.ts';
import { eventually, quiet } from '../../support/worlds/quiet.ts';
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

const expectPeace = async ({ platform, ada }: Awaited<ReturnType<typeof metAsGuest>>, changed = false) => {
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
    await expectPeace(scene);
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
    await expectPeace(scene);
  });

  test('the guest’s decline reschedules the meeting, if the platform chose so', async () => {
    const scene = await followed({ onDecline: 'reschedule' });
    scene.inCalendar(scene.grace.email, { responseStatus: 'declined' });
    await eventually(async () => {
      await tick();
      expect((await scene.meeting()).status).toBe('rescheduled');
    });
    await expectPeace(scene);
  });

  test('a move by the requester is followed', async () => {
    const scene = await followed();
    const { ada, start, meeting, platform, grace, inCalendar } = scene;
    inCalendar(ada.email, { start: iso(start + HOUR), end: iso(start + HOUR + 30 * MINUTE) });
    await eventually(async () => expect((await meeting()).start_time).toBe(iso(start + HOUR)));
    const [told] = await eventually(() => eventsOf(platform, 'meeting.updated'));
    expect(told?.body.data).toMatchObject({
      attendee_details: details([ada.email, true], [grace.email, false]),
      changes: { reason: 'moved_in_calendar', conflicts: [] },
    });
    await expectPeace(scene);
  });

  test('a deletion cancels the meeting', async () => {
    const scene = await followed();
    const { ada, meeting, platform, grace, inCalendar } = scene;
    inCalendar(ada.email, { deleted: true });
    await eventually(async () => expect((await meeting()).status).toBe('cancelled'));
    const [told] = await eventually(() => eventsOf(platform, 'meeting.cancelled'));
    expect(told?.body.data).toMatchObject({
      attendee_details: details([ada.email, true], [grace.email, false]),
      cancelled_by: 'calendar',
    });
    await expectPeace(scene);
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
    await expectPeace(scene);
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
    await expectPeace(scene);
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
    await expectPeace(scene);
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
    expect(body as MeetingBody).toMatchObject({
      rescheduled_from: scene.meetingId,
      attendee_details: details([ada.email, true], [grace.email, false]),
    });
    expect(Date.parse(moved.new_meeting_time)).toBe(scene.start + HOUR);
    await expectPeace(scene);
  });

  test('speaks on both clocks and keeps to ordinary hours there if the zone is known', async () => {
    const scene = await metAsGuest({ guest: { timeZone: 'Asia/Tokyo' } });
    const moved = await reschedule(scene, scene.ada.email, 'I have a conflict');
    expect(moved.reasoning).toMatch(/in London.*in Tokyo/);
    const hour = (Number(moved.new_meeting_time.slice(11, 13)) + 9) % 24;
    expect(hour).toBeGreaterThanOrEqual(8);
    expect(hour).toBeLessThan(18);
    await expectPeace(scene);
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
    await expectPeace(scene);
  });
});

describe('a proposal that moves a meeting with a guest', () => {
  test('is accepted as any other, and the guest’s zone is the one they gave last', async () => {
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
    await expectPeace(scene);
  });
});
