import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { hopsOf } from '../../local/traffic.ts';
import { refusal, wholeError } from '../../support/checks/errors.ts';
import { connectedPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { iso, usageOf } from '../../support/people/meetings.ts';
import { moving } from '../../support/people/move-proposals.ts';
import {
  accept,
  busyAt,
  decline,
  ended,
  expectEnd,
  heldFor,
  made,
  type Proposal,
  passUntil,
  proposed,
  readProposal,
  withdraw,
} from '../../support/people/proposing.ts';
import { callsEnded, hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const CALENDAR = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;

const timeUnavailable = (rest: string) =>
  wholeError({
    error: {
      code: 'time_unavailable',
      message: `This time of the proposal is no longer free. ${rest} of the proposal can still be accepted. GET /v1/proposals/{proposal_id} shows the times.`,
      field: 'time_id',
    },
  });

describe('accepting a time', () => {
  test('books the meeting, frees the other times and tells once, however often it is asked', async () => {
    const scene = await made({ metadata: { deal: 'D-1' }, description: 'Two clauses' });
    const { platform, ada, bob, proposal, id } = scene;
    const [, time] = proposal.times;
    const answer = await accept(platform, id, time?.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...proposal,
      status: 'accepted',
      times: proposal.times.map((one) => ({ ...one, status: one.id === time?.id ? 'accepted' : 'released' })),
      meeting_id: expect.stringMatching(/^meet_/),
      ended_at: expect.any(String),
    });
    expect((await accept(platform, id, time?.id)).text).toBe(answer.text);
    const { meeting_id, ended_at } = answer.body as Proposal;
    const { body: meeting } = await platform.api.send('GET', `/v1/meetings/${meeting_id}`);
    expect(meeting).toMatchObject({
      status: 'scheduled',
      title: 'Contract questions',
      description: 'Two clauses',
      start_time: time?.start_time,
      attendees: [ada.email, bob.email],
      metadata: { deal: 'D-1' },
    });
    await expectEnd(scene, 'accepted');
    const told = (await webhooksOf(platform)).flatMap(({ body }) =>
      body.event_type.startsWith('user.') ? [] : [body],
    );
    expect(told.map(({ event_type }) => event_type).sort()).toEqual(['meeting.scheduled', 'proposal.accepted']);
    expect(told.find(({ event_type }) => event_type === 'proposal.accepted').data).toEqual({
      proposal_id: id,
      attendees: [ada.email, bob.email],
      title: 'Contract questions',
      duration_minutes: 30,
      metadata: { deal: 'D-1' },
      meeting_id,
      start_time: time?.start_time,
      end_time: time?.end_time,
      location: 'Google Meet',
      meeting_url: (meeting as { meet_link: string }).meet_link,
      accepted_at: ended_at,
    });
    expect(await heldFor(platform)).toBe(0);
    expect(await usageOf(platform)).toEqual([{ used: 1, confirmed: 1 }]);
  });

  test('on a calendar without Meet books the meeting and says that it has no link', async () => {
    const { platform, ada, proposal, id } = await made();
    world.google.noMeet(ada.email);
    const noLink = `The calendar of ${ada.email} cannot have Google Meet, so the meeting has no video link.`;
    expect(await accept(platform, id, proposal.times[0]?.id, { guest_nam: 'Bob' })).toMatchObject({
      status: 200,
      body: { status: 'accepted', warnings: [expect.stringContaining('guest_nam'), noLink] },
    });
    const again = await accept(platform, id, proposal.times[0]?.id);
    expect(again).toMatchObject({ status: 200, body: { warnings: [noLink] } });
  });

  test('of another proposal, or of none, names the field', async () => {
    const { platform, id, body } = await made();
    const other = await proposed(platform, { ...body, times: [iso(Date.parse(body.times[0] ?? '') + HOUR)] });
    for (const timeId of [other.times[0]?.id, 'time_none', ''])
      expect(await accept(platform, id, timeId)).toMatchObject(refusal(400, 'invalid_request', { field: 'time_id' }));
    expect(await accept(platform, id, undefined)).toMatchObject(
      refusal(400, 'invalid_request', {
        field: 'time_id',
        message: '`time_id` is required. Send it with the request.',
      }),
    );
    expect((await accept(platform, 'prop_none', 'time_none')).status).toBe(404);
  });
});

describe('a time that is no longer free', () => {
  test('in a calendar is freed, and the others stay', async () => {
    const scene = await made();
    const { platform, bob, proposal, id } = scene;
    const [first, second, third] = proposal.times;
    if (first !== undefined) busyAt(bob.email, first);
    const refused = await accept(platform, id, first?.id);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual(timeUnavailable('2 other times'));
    expect((await readProposal(platform, id)).times.map(({ status }) => status)).toEqual(['released', 'held', 'held']);
    expect(await heldFor(platform)).toBe(4);
    expect((await accept(platform, id, first?.id)).body).toEqual(timeUnavailable('2 other times'));
    if (second !== undefined) busyAt(bob.email, second);
    expect((await accept(platform, id, second?.id)).body).toEqual(timeUnavailable('One other time'));
    expect((await accept(platform, id, third?.id)).status).toBe(200);
    await expectEnd(scene, 'accepted');
  });

  test('because a booking over it is unfinished stays reserved, also at the expiry', async () => {
    const { platform, body, proposal, id } = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    const { times, ...meeting } = body;
    for (const match of [CALENDAR.match, CALENDAR.match.replace('POST', 'GET')])
      world.faults.add({ target: 'google', match, mode: 'status', status: 503 });
    expect((await platform.api.schedule({ ...meeting, start_time: times[0] })).status).toBe(500);
    const busy = await accept(platform, id, proposal.times[0]?.id);
    expect([busy.status, busy.body]).toMatchObject([409, { error: { code: 'proposal_busy' } }]);
    await passUntil(proposal.expires_at);
    expect(await readProposal(platform, id)).toMatchObject({ status: 'open', times: proposal.times });
    world.faults.clear();
    for (let ticks = 0; ticks < 3; ticks += 1) await passUntil(iso(world.clock.now() + HOUR / 6));
    expect((await readProposal(platform, id)).times[0]?.status).toBe('accepted');
  });

  test('because it has begun stays held by nothing that anybody can accept', async () => {
    const { platform, proposal, id } = await made({ expires_in_hours: 336 });
    await world.advance(Date.parse(proposal.times[0]?.start_time ?? '') - world.clock.now() + 1_000);
    expect((await accept(platform, id, proposal.times[0]?.id)).body).toEqual(timeUnavailable('2 other times'));
    expect((await accept(platform, id, proposal.times[1]?.id)).status).toBe(200);
  });
});

/** Finds what a platform can see of an acceptance in progress. */
const TRACES = `select id from meetings where platform_id = $1 and lease_until is not null
  union all select id from proposals where id = $2 and meeting_id is not null`;

describe('a time that is taken', () => {
  async function moved() {
    const { meeting, ...offered } = await moving();
    return { ...meeting, ...offered };
  }

  async function bookElsewhere(email: string, { start_time }: Proposal['times'][number], status = 200) {
    const other = await freshPlatform({ plan: 'enterprise' });
    const { email: carol } = await connectedPerson(other, { name: 'carol' });
    await world.connectCalendar(other, email);
    const body = { attendees: [carol, email], start_time, duration_minutes: 30, title: 'Elsewhere' };
    expect((await other.api.schedule(body)).status).toBe(status);
  }

  test.each([
    ['a new meeting', made],
    ['a meeting to move', moved],
  ])('for %s by an event or another platform is refused alike, and reserves nothing', async (_what, offered) => {
    const { platform, bob, proposal, id } = await offered();
    const [first, second] = proposal.times;
    if (first === undefined || second === undefined) throw new Error('too few times');
    busyAt(bob.email, first);
    await bookElsewhere(bob.email, second);
    world.latency.set({ neon: 100, redis: 100, google: 100 });
    const seen = [];
    for (const time of [first, second]) {
      await world.advance(2_000);
      const look = hold({ target: 'google', match: 'POST /calendar/v3/freeBusy' });
      const accepting = accept(platform, id, time.id);
      await met(look);
      const traces = await world.neon.query(TRACES, [platform.id, id]);
      world.faults.clear();
      const answer = await accepting;
      expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'time_unavailable' } }]);
      await callsEnded();
      const calls = world.traffic.list().filter(({ request_id }) => request_id === answer.headers.get('x-request-id'));
      const google = calls.filter(({ target }) => target === 'google').map(({ method, path }) => `${method} ${path}`);
      seen.push({ google: google.sort(), hops: hopsOf(calls), traces });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]?.traces).toEqual([]);
  });

  test('by a booking that another platform has not finished is refused and freed as for an event', async () => {
    const { platform, bob, proposal, id } = await made();
    const [first] = proposal.times;
    if (first === undefined) throw new Error('no time');
    for (const match of [CALENDAR.match, CALENDAR.match.replace('POST', 'GET')])
      world.faults.add({ target: 'google', match, mode: 'status', status: 503 });
    await bookElsewhere(bob.email, first, 500);
    expect((await accept(platform, id, first.id)).body).toEqual(timeUnavailable('2 other times'));
  });
});

test('a calendar that fails to say what became of the event leaves the end to the sweep, and nothing else may end the proposal', async () => {
  const scene = await made({ expires_in_hours: 1 });
  const { platform, proposal, id } = scene;
  world.faults.add({ ...CALENDAR, mode: 'after', times: 1 });
  world.faults.add({ target: 'google', match: 'GET /calendar/v3/calendars', mode: 'reset' });
  expect((await accept(platform, id, proposal.times[0]?.id)).status).toBe(500);
  await passUntil(proposal.expires_at);
  expect(await readProposal(platform, id)).toMatchObject({ status: 'open', meeting_id: null });
  world.faults.clear();
  await expectEnd(scene, 'accepted');
  expect((await accept(platform, id, proposal.times[0]?.id)).status).toBe(200);
});

test.each([
  ['withdrawing', withdraw],
  ['declining', decline],
])('while a time is being booked, %s waits for the booking, and then gets 409', async (_what, end) => {
  const scene = await made();
  const { platform, proposal, id } = scene;
  const booking = hold({ ...CALENDAR, times: 1 });
  const accepting = accept(platform, id, proposal.times[0]?.id);
  await met(booking);
  const ending = end(platform, id);
  booking.release();
  expect((await accepting).status).toBe(200);
  expect(await ending).toMatchObject(ended('accepted'));
  await expectEnd(scene, 'accepted');
});
