import { describe, expect, test } from 'vitest';
import { eventsOf, listed, providerIdOf, revokeCalls } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform, personWithKey } from '../../support/people/factories.ts';
import { inHours, iso } from '../../support/people/meetings.ts';
import { adaWithAHistory, FORMER, NOTHING, placesOf, readMeeting, rows } from '../../support/people/person-data.ts';
import { proposed, readProposal } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('GET /v1/user/export', () => {
  test('is everything that is held, of all platforms, and no secret', async () => {
    const { platform, other, ada, bob, own, first, second } = await adaWithAHistory();
    const answer = await own.send('GET', '/v1/user/export');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      email: ada.email,
      provider_id: providerIdOf(ada.email),
      onboarding_completed: true,
      calendar: { provider: 'google', status: 'connected', timezone: 'Europe/London' },
      preferences: { buffer_minutes: 15, scheduling_context: 'no meetings on Fridays' },
      learned_weights: { buffer_importance: 1 },
      rules: [{ quote: 'no meetings on Fridays', meaning: 'Never on Fridays', source: 'scheduling_context' }],
      learning: [{ source: 'scheduling_context', weight: 'day_of_week_preference.friday' }],
      platforms: expect.arrayContaining([
        expect.objectContaining({ platform_id: platform.id, name: 'Test platform', disconnected_at: null }),
        expect.objectContaining({ platform_id: other.id }),
      ]),
      api_keys: [{ masked: expect.stringMatching(/^sk_user_….{4}$/), revoked_at: null }],
      meetings: [
        { platform_id: platform.id, meeting_id: first.meeting_id, title: 'Coffee', attendees: [ada.email, bob.email] },
        { platform_id: other.id, meeting_id: second.meeting_id },
      ],
      not_included: expect.arrayContaining([expect.stringContaining('encrypted')]),
    });
    expect(answer.text).not.toMatch(/sk_user_[\w-]{10}|ya29\.|"k1\./);
  });

  test('is the same as a download from the page', async () => {
    const { browser, own } = await adaWithAHistory();
    const page = await browser.open(`${world.baseUrl}/me/export`);
    expect(page.status).toBe(200);
    const { exported_at: _, ...held } = JSON.parse(page.html);
    expect((await own.send('GET', '/v1/user/export')).body).toMatchObject(held);
  });

  test('holds all of a long history, once', async () => {
    const { platform, own, first } = await adaWithAHistory();
    await rows(
      `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id, exclusive, created_at, updated_at)
       select 'meet_long' || $3 || n, platform_id, organizer_id, 'cancelled', 'Long ago', location, '2026-01-01'::timestamptz + n / 3 * interval '1 hour',
         '2026-01-01'::timestamptz + (n / 3 + 1) * interval '1 hour', 'long' || n, false, created_at, updated_at
       from meetings, generate_series(1, 450) n where id = $1 and platform_id = $2`,
      first.meeting_id,
      platform.id,
      first.meeting_id,
    );
    await rows(
      `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
       select m.id, m.platform_id, m.starts_at, p.user_id, p.email, p.position
       from meetings m, meeting_people p where m.id like 'meet_long' || $1 || '%' and p.meeting_id = $1`,
      first.meeting_id,
    );
    const { body } = await own.send('GET', '/v1/user/export');
    const ids = (body as { meetings: { meeting_id: string }[] }).meetings.map(({ meeting_id }) => meeting_id);
    expect([ids.length, new Set(ids).size]).toEqual([452, 452]);
  });
});

describe('DELETE /v1/user', async () => {
  const WORDS = 'no meetings on Fridays';

  const wordsOf = (userId: string) =>
    rows(
      `select p.quote from standing_rules p where p.user_id = $1
      union all select u.preferences ->> 'scheduling_context' from users u where u.id = $1`,
      userId,
    );

  async function deleted() {
    const at = await adaWithAHistory();
    const [user] = await rows('select id from users where email = $1', at.ada.email);
    const userId = String(user?.id);
    const words = { own: await wordsOf(userId), places: await placesOf(WORDS) };
    const formerId = providerIdOf(at.ada.email) ?? '';
    world.traffic.clear();
    const { status } = await at.own.send('DELETE', '/v1/user');
    const told = await Promise.all([at.platform, at.other].map(async (one) => (await eventsOf(one, DISCONNECTED))[0]));
    return { ...at, userId, words, formerId, status, told, revoked: revokeCalls().length };
  }
  const at = await deleted();

  test('ends every connection, tells each platform, revokes the grant and kills the key', async () => {
    const { platform, other, ada, own, formerId } = at;
    expect([at.status, at.revoked]).toEqual([200, 1]);
    for (const [i, one] of [platform, other].entries()) {
      expect(at.told[i]?.body.data).toMatchObject({
        user_email: ada.email,
        provider_id: formerId,
        reason: 'user_requested',
      });
      expect((await listed(one)).connections.map(({ user_email }) => user_email)).not.toContain(ada.email);
      expect((await one.api.status(ada.email)).body).toMatchObject({ calendar_connected: false, last_sync: null });
    }
    for (const path of ['/v1/user/info', '/v1/user/export', '/v1/user/learning'])
      expect((await own.send('GET', path)).status).toBe(401);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(401);
  });

  test('leaves her address in nothing but what was already told, and that has an age', async () => {
    const kept = ['deliveries.body', 'idempotency_keys.body', 'jobs.request', 'jobs.result'];
    expect((await placesOf(at.ada.email)).filter((place) => !kept.includes(place))).toEqual([]);
    expect((await placesOf(at.formerId)).filter((place) => !kept.includes(place))).toEqual([]);
  });

  test('leaves her own words and the rules they made nowhere', async () => {
    expect(at.words.own).toEqual([{ quote: WORDS }, { quote: WORDS }]);
    expect(at.words.places).toEqual(['standing_rules.quote', 'users.preferences']);
    expect(await wordsOf(at.userId)).toEqual([{ quote: null }]);
  });

  test('leaves neither her name nor her words in the proposals that were made to her', async () => {
    const { platform, ada, bob, first, own } = await adaWithAHistory();
    await own.send('PUT', '/v1/user/preferences', { scheduling_context: 'I love mornings' });
    const offer = { attendees: [bob.email, ada.email], duration_minutes: 30, title: 'Talk', count: 1 };
    const { proposal_id } = await proposed(platform, offer);
    const asked = { requested_by: ada.email, reason: 'Not on Fridays', propose: true };
    const moved = await platform.api.send('POST', `/v1/meetings/${first.meeting_id}/reschedule`, asked);
    const ids = [proposal_id, (moved.body as { proposal_id: string }).proposal_id];
    const told = async () => JSON.stringify(await Promise.all(ids.map((id) => readProposal(platform, id))));
    const readings = () => rows(`select reading from proposals where id in ('${ids.join("','")}') and reading notnull`);
    expect(await told()).toMatch(/: a time Ada\S* likes/);
    expect(JSON.stringify(await readings())).toContain('Fridays');
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    expect(await told()).not.toMatch(/Ada|likes/);
    expect(await readings()).toEqual([]);
  });

  test('leaves the meetings as the other person’s record, with a former user in her place', async () => {
    const { platform, other, bob, ada, first, second } = at;
    const meeting = await readMeeting(platform, first.meeting_id);
    expect(meeting).toMatchObject({
      status: 'scheduled',
      title: 'Coffee',
      attendees: [expect.stringMatching(FORMER), bob.email],
    });
    const [former = ''] = meeting.attendees;
    expect((await readMeeting(other, second.meeting_id)).attendees).toEqual([former, bob.email]);
    const list = (email: string) => platform.api.send('GET', `/v1/users/${encodeURIComponent(email)}/meetings`);
    for (const email of [bob.email, former]) expect((await list(email)).body).toMatchObject({ total: 1 });
    expect((await list(ada.email)).status).toBe(404);
    expect(world.google.events(ada.email)).toHaveLength(2);
  });
});

const platform = await freshPlatform({ plan: 'enterprise' });

test('a user sees their meetings counted and nothing made up', async () => {
  const { email, own: client } = await personWithKey(platform, { name: 'ada' });
  const first = await client.send('GET', '/v1/user/info');
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    email,
    preferences: expect.objectContaining({ timezone: 'UTC' }),
    stats: NOTHING,
    onboarding_completed: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });

  const bob = await connectedPerson(platform, { name: 'bob' });
  const booking = { start_time: iso(inHours(99)), duration_minutes: 30, title: 'Intro' };
  await platform.api.schedule({ attendees: [bob.email, email], ...booking });
  await client.send('PUT', '/v1/user/preferences', { buffer_minutes: 15 });
  const second = await client.send('GET', '/v1/user/info');
  expect(second.body).toMatchObject({
    stats: { ...NOTHING, total_meetings_scheduled: 1, meetings_this_month: 1, preferred_times: expect.anything() },
    onboarding_completed: true,
  });
});
