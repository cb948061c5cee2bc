import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { webhooksOf } from '../../support/people/factories.ts';
import { bookable, liveEvents } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('POST /v1/schedule', () => {
  test('books one event with a link and tells the platform, signed', async () => {
    const { platform, ada, bob, body, start } = await bookable();
    const answer = await platform.api.schedule(body);
    expect(answer.status).toBe(200);
    const end = new Date(start.getTime() + 30 * 60_000);
    const iso = (date: Date) => date.toISOString().replace('.000Z', 'Z');
    expect(answer.body).toEqual({
      success: true,
      meeting_id: expect.stringMatching(/^meet_/),
      start_time: iso(start),
      end_time: iso(end),
      title: 'Intro',
      attendees: [ada.email, bob.email],
      location: 'Google Meet',
      meet_link: expect.stringMatching(/^https:\/\/meet\.google\.com\//),
      metadata: {},
      conflicts: [],
    });
    expect(liveEvents(ada.email)).toHaveLength(1);

    const webhook = (await webhooksOf(platform)).find(({ body: event }) => event.event_type === 'meeting.scheduled');
    const headers = new Headers(webhook?.headers);
    const expected = createHmac('sha256', platform.webhook_secret ?? '')
      .update(`${headers.get('x-service-timestamp')}:${webhook?.body_text}`)
      .digest('hex');
    expect(headers.get('x-service-signature')).toBe(expected);
    expect(webhook?.body.data.meeting_id).toBe((answer.body as { meeting_id: string }).meeting_id);
  });

  test('the same key books once and answers the same bytes', async () => {
    const { platform, ada, body } = await bookable();
    const headers = { 'Idempotency-Key': 'order-1' };
    const first = await platform.api.schedule(body, { headers });
    const again = await platform.api.schedule(body, { headers: { 'Idempotency-Key': '"order-1"' } });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(liveEvents(ada.email)).toHaveLength(1);
    const other = await platform.api.schedule({ ...body, title: 'Other' }, { headers });
    expect(other.status).toBe(422);
  });

  test('thirty racing requests with one key make one meeting and get one answer', async () => {
    const { platform, ada, body } = await bookable();
    const headers = { 'Idempotency-Key': 'race' };
    const answers = await Promise.all(Array.from({ length: 30 }, () => platform.api.schedule(body, { headers })));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(liveEvents(ada.email)).toHaveLength(1);
    const used = await world.neon.query('select used from usage where platform_id = $1', [platform.id]);
    expect(used).toEqual([{ used: 1 }]);
  });

  test('the quota of a plan is 429 beyond its last meeting', async () => {
    const { platform, body } = await bookable({ plan: 'developer' });
    await world.neon.query('insert into usage (platform_id, month, used, quota) values ($1, $2, 24, 25)', [
      platform.id,
      new Date(world.clock.now()).toISOString().slice(0, 7),
    ]);
    expect((await platform.api.schedule(body)).status).toBe(200);
    const refused = await platform.api.schedule(body);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: 'Monthly meeting limit reached', limit: 25, used: 25 });
  });

  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
    ['hangs', { mode: 'hang' }],
  ] as const)('leaves no half meeting behind when the calendar %s', async (_name, fault) => {
    const { platform, ada, bob, body } = await bookable();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', ...fault });
    const answer = await platform.api.schedule(body);
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(ada.email);
    world.faults.clear();
    await world.advance(120_000);
    await world.worker.runScheduled(world.clock.now());
    const left = await world.neon.query(
      `select (select count(*)::int from meetings where platform_id = $1 and status <> 'failed') as meetings,
        (select count(*)::int from holds h join meetings m on m.id = h.meeting_id where m.platform_id = $1) as holds,
        (select coalesce(sum(used), 0)::int from usage where platform_id = $1) as used`,
      [platform.id],
    );
    expect(left).toEqual([{ meetings: 0, holds: 0, used: 0 }]);
    expect([...liveEvents(ada.email), ...liveEvents(bob.email)]).toEqual([]);
  });

  test('a booking whose answer was lost is finished by the sweep', async () => {
    const { platform, ada, body } = await bookable();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'after', times: 10 });
    expect((await platform.api.schedule(body, { headers: { 'Idempotency-Key': 'lost' } })).status).toBe(500);
    world.faults.clear();
    await world.advance(120_000);
    await world.worker.runScheduled(world.clock.now());
    const retry = await platform.api.schedule(body, { headers: { 'Idempotency-Key': 'lost' } });
    expect(retry.status).toBe(200);
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect(liveEvents(ada.email)).toHaveLength(1);
  });
});

describe('POST /v1/availability', () => {
  test('ranks at most five slots that are free for both', async () => {
    const { platform, body } = await bookable();
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(200);
    const found = answer.body as { slots: { score: number }[]; total_found: number };
    expect(found.slots.length).toBe(5);
    expect(found.total_found).toBe(5);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
    ['hangs', { mode: 'hang' }],
  ] as const)('names the attendee and offers nothing when the calendar %s', async (_name, fault) => {
    const { platform, body } = await bookable();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', ...fault });
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ error: { code: 'calendar_unavailable' } });
    expect(answer.text).toMatch(/ada\.|bob\./);
  });

  test('a calendar the provider cannot read is unknown, never free', async () => {
    const { platform, bob, body } = await bookable();
    world.google.settings.calendarErrors.set(bob.email, 'internalError');
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(bob.email);
  });
});
