import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { eventsOf } from '../../support/people/calendars.ts';
import {
  after,
  book,
  expectInPlace,
  expectReplaced,
  moved,
  post,
  range,
  weightsOf,
} from '../../support/people/changing.ts';
import { freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { booked, ENDED, iso, rowOf, seen, setPreferences, usageOf } from '../../support/people/meetings.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('POST /v1/meetings/{id}/reschedule', () => {
  test('moves the event under a new id, learns, and tells both and the platform', async () => {
    const meeting = await book();
    const { platform, ada, bob, id, start } = meeting;
    const answer = await post(meeting, { reason: 'Too early for me, and never on Wednesdays' });
    const { new_meeting_id: newId, new_meeting_time: time } = moved(answer);
    expect(seen(answer)).toEqual({
      status: 200,
      body: {
        success: true,
        new_meeting_id: expect.stringMatching(/^meet_/),
        new_meeting_time: expect.stringMatching(/^\d{4}-.*:00Z$/),
        reasoning: expect.stringMatching(/^The meeting is now on .* at \d+:\d\d in London, \d+:\d\d in New York: /),
        learned_from:
          '"too early" lowered the weight of mornings (time_of_day_preference.morning) from 1 to 0.8. ' +
          '"wednesday" lowered the weight of Wednesdays (day_of_week_preference.wednesday) from 1 to 0.8.',
        understood: [
          { quote: 'never on Wednesdays', meaning: 'Not on Wednesdays', kind: 'refused' },
          { quote: 'Too early', meaning: 'Later in the day', kind: 'move' },
          { quote: 'Too early', meaning: 'Rather not before 12:00', kind: 'standing' },
          { quote: 'never on Wednesdays', meaning: 'Never on Wednesdays', kind: 'standing' },
        ],
        not_understood: [],
      },
    });
    expect([newId, time]).not.toEqual(expect.arrayContaining([id, iso(start)]));
    await expectReplaced(meeting, answer);
    expect(await weightsOf(bob.email)).toEqual({
      time_of_day_preference: { morning: 0.8 },
      day_of_week_preference: { wednesday: 0.8 },
    });
    const [, event] = await eventsOf(platform, 'meeting.scheduled', 2);
    expect(event?.body.data).toEqual({
      meeting_id: newId,
      attendees: [ada.email, bob.email],
      start_time: time,
      duration: 30,
      end_time: iso(Date.parse(time) + 30 * MINUTE),
      location: 'Google Meet',
      metadata: {},
      meeting_url: meeting.link,
      scheduled_by: platform.id,
      rescheduled_from: id,
      scheduled_at: expect.stringMatching(/Z$/),
    });
    const mails = world.google
      .mails()
      .filter(({ eventId, kind }) => eventId === meeting.eventId && kind !== 'invitation');
    expect(mails).toMatchObject([{ to: bob.email, from: ada.email, kind: 'update' }]);
    expect((await webhooksOf(platform)).map(({ body }) => body.event_type)).not.toContain('meeting.cancelled');
    expect(await usageOf(platform)).toEqual([{ used: 1, confirmed: 1 }]);
  });

  test("names the weights that the platform's own reasons made, whatever others taught", async () => {
    const [meeting, elsewhere] = [await book(), await freshPlatform({ plan: 'enterprise' })];
    for (const { email } of [meeting.ada, meeting.bob]) await world.connect(elsewhere, email);
    const theirs = await booked({ pair: { ...meeting, platform: elsewhere }, start: meeting.start + HOUR });
    const learned = async (at: typeof meeting, more = {}) =>
      moved(await post(at, { reason: 'Too early for me', ...more })).learned_from.match(/from .*\d/)?.[0];
    expect(await learned(theirs)).toBe('from 1 to 0.8');
    expect(await learned(meeting, { propose: true })).toBe('from 1 to 0.8');
    expect(await learned(meeting)).toBe('from 1 to 0.8');
    const next = await booked({ pair: meeting, start: meeting.start + 7 * DAY });
    expect(await learned(next)).toBe('from 0.8 to 0.64');
    expect(await weightsOf(meeting.bob.email)).toMatchObject({ time_of_day_preference: { morning: 0.512 } });
  });

  test('leaves an old id that can only be read, and a new one that can be changed', async () => {
    const meeting = await book();
    const { platform, id } = meeting;
    const { new_meeting_id: newId } = moved(await post(meeting));
    expect(seen(await post(meeting))).toEqual(ENDED);
    expect(seen(await platform.api.send('DELETE', `/v1/meetings/${id}`))).toEqual(ENDED);
    const times = { start_time: iso(meeting.start), end_time: iso(meeting.end) };
    expect(seen(await platform.api.send('PUT', `/v1/meetings/${id}`, times))).toEqual(ENDED);
    const read = async (of: string) => (await platform.api.send('GET', `/v1/meetings/${of}`)).body;
    expect(await read(id)).toMatchObject({ status: 'rescheduled', rescheduled_to: newId });
    expect(await read(newId)).toMatchObject({ status: 'scheduled', rescheduled_from: id, meet_link: meeting.link });
    const third = moved(await post({ ...meeting, id: newId })).new_meeting_id;
    expect((await platform.api.send('PUT', `/v1/meetings/${third}`, times)).status).toBe(200);
    expect((await platform.api.send('DELETE', `/v1/meetings/${third}`)).status).toBe(200);
    await expectPeace({ platforms: [platform] });
  });

  test('stays within the preferred range, and needs no meeting_id beside that of the path', async () => {
    const meeting = await book();
    const wish = range(meeting.start + HOUR, meeting.start + HOUR + 30 * MINUTE);
    const body = { requested_by: meeting.bob.email, reason: 'Something came up', ...wish };
    const answer = await meeting.platform.api.send('POST', `/v1/meetings/${meeting.id}/reschedule`, body);
    expect(moved(answer).new_meeting_time).toBe(iso(meeting.start + HOUR));
    await expectReplaced(meeting, answer);
  });

  test('finds a range beyond the usual window', async () => {
    const meeting = await book();
    const far = meeting.start + 28 * DAY;
    const answer = await post(meeting, range(far, far + 2 * HOUR));
    expect(Date.parse(moved(answer).new_meeting_time)).toBeGreaterThanOrEqual(far);
    await expectReplaced(meeting, answer);
  });

  test('never picks the old time; without another nothing changes but the weights, and that is kept', async () => {
    const meeting = await book();
    const wish = { reason: 'too early', requested_by: meeting.ada.email, ...range(meeting.start, meeting.end) };
    const refused = await post(meeting, wish, 'r1');
    expect(seen(refused)).toEqual(
      refusal(409, 'no_availability', {
        message:
          'The times the meeting had before leave no half hour free for both in the preferred time range. The meeting was not moved. Send another reason, or move the meeting to a time of your choice with PUT /v1/meetings/{meeting_id}.',
      }),
    );
    await expectInPlace(meeting);
    expect(await weightsOf(meeting.ada.email)).toEqual({
      time_of_day_preference: { morning: 0.8 },
      day_of_week_preference: {},
    });
    const again = await post(meeting, wish, 'r1');
    const calls = world.traffic.list().filter(({ request_id }) => request_id === again.headers.get('x-request-id'));
    expect(calls.filter(({ target }) => target === 'google')).toEqual([]);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([refused.text, 'true']);
  });

  test('never picks the old time, even where both have declined it and are free', async () => {
    const meeting = await book();
    for (const { email } of [meeting.ada, meeting.bob])
      world.google.patchEvent({ email, eventId: meeting.eventId, responseStatus: 'declined' });
    expect((await post(meeting, range(meeting.start, meeting.end))).status).toBe(409);
    await expectInPlace(meeting);
  });

  test('the meeting itself does not count for the most meetings a day', async () => {
    const meeting = await book();
    await setPreferences(meeting.bob.email, { max_meetings_per_day: 1 });
    const answer = await post(meeting, after(meeting));
    await expectReplaced(meeting, answer);
  });

  test('a job keeps the meeting it made', async () => {
    const { platform, ada, bob } = await book();
    await platform.api.send('POST', '/v1/schedule/auto', { attendees: [ada.email, bob.email] });
    await quiet([platform]);
    const [made] = await world.neon.query('select id from meetings where platform_id = $1 and job_id is not null', [
      platform.id,
    ]);
    expect((await post({ platform, bob, id: String(made?.id) })).status).toBe(200);
    await expectPeace({ platforms: [platform] });
  });

  test('a link that is still to come comes to the new meeting', async () => {
    world.google.settings.meetPending = { gets: 100, ms: 10 * MINUTE };
    const meeting = await book();
    const { new_meeting_id: newId } = moved(await post(meeting));
    expect(await rowOf(newId)).toMatchObject({ pending: ['link'] });
    await quiet([meeting.platform]);
    const { body } = await meeting.platform.api.send('GET', `/v1/meetings/${newId}`);
    expect(body).toMatchObject({ meet_link: expect.stringMatching(/^https:/) });
  });
});
