import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { formatInZone } from '../../../lib/engine/time/zone.ts';
import { refusal } from '../../support/checks/errors.ts';
import { connectedPerson, connectTo, freshPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { iso } from '../../support/people/meetings.ts';
import { told, visit } from '../../support/people/proposal-pages.ts';
import {
  accept,
  details,
  expectEnd,
  heldFor,
  invited,
  openInvitation,
  type Proposal,
  propose,
  readProposal,
  toldOf,
  withdraw,
} from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test('a guest sees the hours as the language counts them that the browser asks for first', async () => {
  const { proposal } = await openInvitation();
  const page = (language: string) => visit(`${proposal.url}?zone=UTC`, { headers: { 'Accept-Language': language } });
  expect((await page('en-IN,hi;q=0.8')).text).toContain('<span class="hours">3:00 PM to 3:30 PM</span>');
  for (const language of ['en-GB,en-US;q=0.9', 'en-US-u-hc-h23', '*', 'x'.repeat(100)])
    expect((await page(language)).text, language).toContain('<span class="hours">15:00 to 15:30</span>');
});

test('a guest sees day and night on both clocks, and nothing of the requester’s own', async () => {
  const { proposal, ada } = await openInvitation();
  for (const { end_time } of proposal.times)
    world.google.addBusy({ email: ada.email, start: end_time, end: iso(Date.parse(end_time) + HOUR) });
  const { text } = await visit(`${proposal.url}?zone=Asia/Tokyo`);
  expect(text.match(/<title id="week-day-\w+">(?:Night|Morning) in Tokyo, afternoon in London<\/title>/g)).toHaveLength(
    3,
  );
  const drawn = [...text.matchAll(/class="(?:band|span) (\w+)"/g)].map(([, kind]) => kind);
  expect(new Set(drawn)).toEqual(new Set(['day', 'offered']));
  expect(text).not.toMatch(/Busy|Work hours/);
  expect(leftEdges(text)).toEqual(
    proposal.times.map(({ start_time }) => formatInTimeZone(start_time, 'Europe/London', 'EEE H')),
  );
  const near = await visit(`${proposal.url}?zone=Europe/Paris`);
  expect(leftEdges(near.text)).toEqual(['23', '23', '23']);
  const same = await visit(`${proposal.url}?zone=Europe/London`);
  expect(same.text).not.toContain('class="drawing');
});

/** Returns what stands at the left edge of the requester's scale on each drawn day of a page. */
const leftEdges = (text: string) =>
  [...text.matchAll(/<text class="hour[^"]* first" [^>]*>([^<]+)</g)].flatMap(([, edge], i) =>
    i % 2 === 1 ? edge : [],
  );

describe('a proposal for a guest', () => {
  test('holds its times for the requester alone, on the requester’s clock, and says who is not connected', async () => {
    const { platform, ada, guest, body } = await invited();
    const answer = await propose(platform, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      status: 'open',
      attendees: [ada.email, guest],
      attendee_details: details([ada.email, true], [guest, false]),
      times: body.times.map((start) => ({
        start_time: start,
        reason: expect.stringMatching(/^\w+day, \d+ \w+ at \d+:00 in London\.$/),
        status: 'held',
      })),
    });
    const { proposal_id } = answer.body as { proposal_id: string };
    expect(await readProposal(platform, proposal_id)).toEqual(answer.body);
    expect(await heldFor(platform)).toBe(3);
  });

  test('is accepted, and both events say who is not connected', async () => {
    const scene = await openInvitation();
    const { platform, ada, guest, proposal, id } = scene;
    const [, time] = proposal.times;
    const answer = await accept(platform, id, time?.id);
    expect(answer.status).toBe(200);
    await expectEnd(scene, 'accepted');
    const told = (await webhooksOf(platform)).filter(({ body }) => !body.event_type.startsWith('user.'));
    expect(told.map(({ body }) => body.event_type).sort()).toEqual(['meeting.scheduled', 'proposal.accepted']);
    for (const { body } of told)
      expect(body.data).toMatchObject({ attendee_details: details([ada.email, true], [guest, false]) });
    expect((await accept(platform, id, time?.id)).text).toBe(answer.text);
  });

  test('whose times Tandem picks says nothing about the guest’s day, of which nobody knows', async () => {
    const { platform, body } = await invited();
    const { times: _given, ...rest } = body;
    const picked = await propose(platform, { ...rest, count: 5 });
    expect(picked.status).toBe(201);
    const reasons = (picked.body as { times: { reason: string }[] }).times.map(({ reason }) => reason);
    expect(reasons).toHaveLength(5);
    for (const reason of reasons) {
      expect(reason).toMatch(/ in London\b/);
      expect(reason).not.toMatch(/both|Grace|Hopper/);
    }
    expect((picked.body as { warnings: string[] }).warnings).toEqual([
      expect.stringMatching(/^Nobody gave Grace(?: Hopper)?'s time zone/),
    ]);
  });

  test('whose time zone the platform gives is offered work hours on both clocks, and the page shows theirs', async () => {
    const { platform, ada, guest, body } = await invited();
    const { times: _given, ...rest } = body;
    const zoned = { ...rest, count: 5, guest_time_zone: 'america/new_york' };
    const picked = await propose(platform, zoned);
    expect(picked.status).toBe(201);
    const made = picked.body as Proposal & { warnings?: string[] };
    expect(made).toMatchObject({
      attendee_details: [{ email: ada.email }, { email: guest, connected: false, time_zone: 'America/New_York' }],
    });
    expect(made.warnings).toBeUndefined();
    expect(made.times).toHaveLength(5);
    for (const { start_time, reason } of made.times) {
      const hour = Number(formatInZone('America/New_York', Date.parse(start_time)).slice(11, 13));
      expect(hour).toBeGreaterThanOrEqual(8);
      expect(hour).toBeLessThan(18);
      expect(reason).toMatch(/ in London, \d+:\d\d in New York\b/);
    }
    expect(told(await visit(made.url)).words).toContain('Your clock: New York');
    const { meeting_id } = (await accept(platform, made.proposal_id, made.times[0]?.id)).body as { meeting_id: string };
    const meeting = await platform.api.send('GET', `/v1/meetings/${meeting_id}`);
    expect(meeting.body).toMatchObject({ attendee_details: [{}, { email: guest, time_zone: 'America/New_York' }] });
  });

  test('may be offered a given time at night, with a warning, and never in an unknown zone', async () => {
    const { platform, body } = await invited();
    const answer = await propose(platform, { ...body, guest_time_zone: 'Etc/GMT-9' });
    expect(answer.status).toBe(201);
    expect((answer.body as { warnings: string[] }).warnings).toEqual(
      body.times.map(() => expect.stringMatching(/^0:00 to 0:30 UTC\+9 on .* is outside ordinary work hours for /)),
    );
    expect(await propose(platform, { ...body, guest_time_zone: 'Mars/Base' })).toMatchObject(
      refusal(400, 'invalid_request', { field: 'guest_time_zone' }),
    );
  });

  test('never takes a stranger’s time: another platform books them at an offered time', async () => {
    const grace = freshPerson({ name: 'grace', timezone: 'Europe/London' });
    const { platform, proposal } = await openInvitation({}, { guest: grace.email });
    const other = await freshPlatform({ plan: 'enterprise' });
    await connectTo(other, grace);
    const carl = await connectedPerson(other, { name: 'carl' });
    const booking = { attendees: [carl.email, grace.email], duration_minutes: 30, title: 'Other' };
    const [first, second] = proposal.times;
    expect((await other.api.schedule({ ...booking, start_time: first?.start_time, require_free: true })).status).toBe(
      200,
    );
    expect((await accept(platform, proposal.proposal_id, second?.id)).status).toBe(200);
    const over = await other.api.schedule({ ...booking, start_time: second?.start_time });
    expect(over).toMatchObject({ status: 200, body: { conflicts: [] } });
  });

  test('keeps the name and zone that the guest gave, and refuses a zone that nobody knows', async () => {
    const { platform, ada, guest, proposal, id } = await openInvitation();
    const acceptIn = (guest_time_zone: string) =>
      accept(platform, id, proposal.times[0]?.id, { guest_name: 'Grace Hopper', guest_time_zone });
    expect(await acceptIn('Mars/Base')).toMatchObject(refusal(400, 'invalid_request', { field: 'guest_time_zone' }));
    expect(await acceptIn('IST')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('Asia/Kolkata, Europe/Dublin or Asia/Jerusalem?') } },
    });
    const answer = await acceptIn('asia/tokyo');
    expect(answer.body).toMatchObject({
      attendee_details: [
        { email: ada.email },
        { email: guest, connected: false, name: 'Grace Hopper', time_zone: 'Asia/Tokyo' },
      ],
    });
    const { meeting_id } = answer.body as { meeting_id: string };
    expect((await platform.api.send('GET', `/v1/meetings/${meeting_id}`)).body).toMatchObject({
      attendee_details: [{}, { email: guest, connected: false, time_zone: 'Asia/Tokyo' }],
    });
  });

  test('keeps the name out of its events, also a name from an acceptance that failed', async () => {
    const { platform, ada, guest, proposal, id } = await openInvitation();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'status', status: 400 });
    const given = { guest_name: 'Grace Hopper', guest_time_zone: 'Asia/Tokyo' };
    const refused = await accept(platform, id, proposal.times[0]?.id, given);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    world.faults.clear();
    expect(await withdraw(platform, id)).toMatchObject({
      status: 200,
      body: { status: 'withdrawn', attendee_details: [{}, { email: guest, name: 'Grace Hopper' }] },
    });
    const [, data] = (await toldOf(platform)).find(([type]) => type === 'proposal.withdrawn') ?? [];
    expect(data?.attendee_details).toEqual([
      { email: ada.email, connected: true },
      { email: guest, connected: false, time_zone: 'Asia/Tokyo' },
    ]);
  });

  test('is found by the guest’s address, and so is the meeting, while the status says not connected', async () => {
    const { platform, guest, proposal, id } = await openInvitation();
    const at = `/v1/users/${encodeURIComponent(guest)}`;
    expect((await platform.api.send('GET', `/v1/proposals?email=${encodeURIComponent(guest)}`)).body).toMatchObject({
      proposals: [{ proposal_id: id }],
    });
    expect((await platform.api.send('GET', `${at}/meetings`)).body).toMatchObject({ total: 0 });
    await accept(platform, id, proposal.times[0]?.id);
    expect((await platform.api.send('GET', `${at}/meetings`)).body).toMatchObject({ total: 1 });
    expect((await platform.api.send('GET', `/v1/meetings?attendee=${encodeURIComponent(guest)}`)).body).toMatchObject({
      meetings: [{ attendees: [expect.any(String), guest] }],
    });
    expect((await platform.api.send('GET', `${at}/status`)).body).toMatchObject({ calendar_connected: false });
    expect((await platform.api.send('GET', `${at}/availability`)).status).toBe(404);
    const stranger = await freshPlatform();
    expect((await stranger.api.send('GET', `${at}/meetings`)).status).toBe(404);
  });

  test('is no way to book them otherwise: a search, a booking and a job need both connected', async () => {
    const { platform, ada, guest, proposal } = await openInvitation();
    const attendees = [ada.email, guest];
    const booking = { attendees, duration_minutes: 30, title: 'x', start_time: proposal.times[0]?.start_time };
    for (const answer of [
      await platform.api.availability({ attendees }),
      await platform.api.schedule(booking),
      await platform.api.send('POST', '/v1/schedule/auto', { attendees }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'user_not_found', email: guest } } });
  });

  test('counts toward the limits, each platform its own', async () => {
    const { platform, ada, guest, body } = await openInvitation();
    const days = (n: number) => body.times.map((time) => iso(Date.parse(time) + n * HOUR));
    for (let n = 1; n < 5; n++) expect((await propose(platform, { ...body, times: [days(n)[0]] })).status).toBe(201);
    expect(await propose(platform, { ...body, attendees: [ada.email, guest], times: [days(1)[1]] })).toMatchObject(
      refusal(409, 'too_many_proposals'),
    );
  });
});
