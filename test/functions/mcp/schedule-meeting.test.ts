import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { namesOf } from '../../../lib/words/people.ts';
import { connectAgent, GENERATIONS, onClocks, withAgent } from '../../support/people/agents.ts';
import { connectedPerson, freshPerson } from '../../support/people/factories.ts';
import { bookable, freshPair, inHours, iso, liveEvents, useQuota } from '../../support/people/meetings.ts';
import { keepHolidaysOf, nextHoliday } from '../../support/people/person-data.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOL = 'schedule_meeting';

test.each(GENERATIONS)('books the time and echoes it exactly, for clients of %s', async (generation) => {
  const { agent, ada, bob, body, start } = await withAgent(bookable(), { generation });
  const local = start.toISOString().replace('Z', '+00:00');
  const { data, text, isError } = await agent.call(TOOL, { ...body, start_time: local, location: 'Room 4' });
  expect([isError, text]).toEqual([false, expect.stringContaining(`Booked "Intro" as ${data.meeting_id} on `)]);
  expect(data).toEqual({
    status: 'scheduled',
    meeting_id: expect.stringMatching(/^meet_/),
    title: 'Intro',
    ...onClocks(start.getTime(), start.getTime() + 30 * MINUTE, [ada, bob]),
    meet_link: expect.stringMatching(/^https:/),
    conflicts: [],
  });
  expect(text).toContain(`in UTC ${data.start_utc} to ${data.end_utc}`);
  const [event] = liveEvents(ada.email);
  expect(Date.parse(event?.start?.dateTime ?? '')).toBe(start.getTime());
});

test('the same call three times makes one meeting, and says which', async () => {
  const { agent, ada, body } = await withAgent(bookable());
  const first = await agent.call(TOOL, body);
  for (let again = 0; again < 2; again += 1) {
    const { isError, text } = await agent.call(TOOL, body);
    expect(isError).toBe(true);
    expect(text).toContain(
      `slot_unavailable: Nothing was booked, because the two people have the same meeting already: ${first.data.meeting_id} "Intro", `,
    );
    expect(text.split('\n')).toHaveLength(1);
  }
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a taken time is refused with other times, or booked all the same and said so', async () => {
  const { agent, ada, body, start } = await withAgent(bookable());
  const first = await agent.call(TOOL, body);
  const later = new Date(start.getTime() + 15 * MINUTE).toISOString();
  const refused = await agent.call(TOOL, { ...body, start_time: later });
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatch(
    /^slot_unavailable: Nothing was booked: \S.* not free then\. Book one of the alternatives instead\.\n1\. /,
  );
  expect(refused.text.split('\n')).toHaveLength(6);
  const second = await agent.call(TOOL, { ...body, require_free: false });
  expect(second.data.conflicts).toEqual(
    expect.arrayContaining([expect.stringContaining(`${ada.email} already has ${first.data.meeting_id} then: `)]),
  );
  expect(second.text).toContain('The meeting overlaps another meeting.');
});

test('a time on a public holiday that must be free is booked with a warning', async () => {
  const { platform, ada, bob, body } = await bookable();
  const { place, date, written, said } = nextHoliday();
  await keepHolidaysOf(place, bob);
  const agent = await connectAgent(platform.secret_key);
  const { data, text } = await agent.call(TOOL, { ...body, start_time: `${date}T10:00:00Z`, require_free: true });
  const warning = `${said} is ${written}, a day off for ${namesOf([ada, bob]).short(bob.email)}.`;
  expect(data.status).toBe('scheduled');
  expect(text).toContain(warning);
});

test('a retry with its key books nothing twice, and the key is for one request', async () => {
  const { agent, platform, ada, body } = await withAgent(bookable());
  const args = { ...body, idempotency_key: 'one' };
  const first = await agent.call(TOOL, args);
  const [, again] = await Promise.all([agent.call(TOOL, args), agent.call(TOOL, args)]);
  expect(again).toEqual(first);
  expect(await agent.refusal(TOOL, { ...args, title: 'Other' })).toBe(
    'idempotency_key_reused: This idempotency_key was used for a different request. Use a new idempotency_key for each new request.',
  );
  const elsewhere = await platform.api.schedule(body, { headers: { 'idempotency-key': 'one' } });
  expect(elsewhere.status).toBe(422);
  expect(liveEvents(ada.email)).toHaveLength(1);
});

describe('refuses what it cannot book', () => {
  test('a time without an offset, with the times that may be meant', async () => {
    const { agent, ada, bob, body } = await withAgent(bookable());
    expect(await agent.refusal(TOOL, { ...body, start_time: '2027-07-01T10:00' })).toBe(
      `invalid_time: \`start_time\` has no offset, so 10:00 could be in any time zone. Send 2027-07-01T10:00:00+01:00 for the clock of ${ada.email} (Europe/London), 2027-07-01T10:00:00-04:00 for the clock of ${bob.email} (America/New_York) or 2027-07-01T10:00:00Z for UTC.`,
    );
  });

  test.each([
    ['a day that is none', { start_time: '2027-02-30T10:00' }, /^invalid_time: `start_time` must be /],
    [
      'a time that is past',
      { start_time: '2020-01-01T10:00:00Z' },
      /^invalid_time: `start_time` must be in the future\. The time on our server is \d{4}-[\d-]+T[\d:]+Z\.$/,
    ],
    ['no title', { title: undefined }, /^invalid_request: `title` is required\. Send it with the request\.$/],
  ])('%s', async (_what, change, message) => {
    const { agent, ada, body } = await withAgent(bookable());
    expect(await agent.refusal(TOOL, { ...body, ...change })).toMatch(message);
    expect(liveEvents(ada.email)).toEqual([]);
  });

  test('a stranger, and a spent quota', async () => {
    const { agent, platform, ada, body } = await withAgent(bookable({ plan: 'developer' }));
    const { email } = freshPerson();
    const stranger = await agent.call(TOOL, { ...body, attendees: [ada.email, email] });
    expect(stranger.text).toBe(
      `user_not_found: ${email} has no calendar connected to this platform. The platform can send them a link for this.`,
    );
    await useQuota(platform, 25);
    const spent = await agent.call(TOOL, body);
    expect(spent.text).toMatch(
      /^quota_exceeded: You have used all 25 meetings of your plan for this month\. Wait until the count resets at \S+, or upgrade your plan\.$/,
    );
  });
});

const AUTO = 'schedule_auto';

test('a confirmed preview books the previewed time, even if a better time became free', async () => {
  const { platform, ada, bob } = await freshPair();
  const { api_key } = await world.connect(platform, ada.email);
  const liked = { scheduling_context: 'I prefer afternoons' };
  await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', liked);
  const agent = await connectAgent(platform.secret_key);
  const args = { attendees: [ada.email, bob.email], context: 'client_demo' };
  const preview = await agent.call(AUTO, { ...args, preview: true });
  expect(preview.data).toMatchObject({ status: 'preview', reasoning: expect.stringMatching(/^The reason: /) });
  expect(liveEvents(ada.email)).toEqual([]);
  const { confirm_token } = preview.data;
  const booked = await agent.call(AUTO, { ...args, confirm_token });
  const start = Date.parse(preview.data.start_utc);
  expect(booked.data).toMatchObject({
    status: 'scheduled',
    title: preview.data.title,
    ...onClocks(start, start + 30 * MINUTE, [ada, bob]),
  });
  expect(await agent.call(AUTO, { ...args, confirm_token })).toEqual(booked);
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a previewed time that was taken meanwhile is refused, with others', async () => {
  const { agent, ada, bob } = await withAgent(freshPair());
  const args = { attendees: [ada.email, bob.email] };
  const { data } = await agent.call(AUTO, { ...args, preview: true });
  world.google.addBusy({ email: bob.email, start: data.start_utc, end: data.end_utc });
  const { text } = await agent.call(AUTO, { ...args, confirm_token: data.confirm_token });
  expect(text).toMatch(/^slot_unavailable: .*\n1\. /);
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a calendar that cannot be read is never free', async () => {
  const { agent, ada, bob } = await withAgent(freshPair());
  world.faults.add({ target: 'google', mode: 'status', status: 503 });
  expect(await agent.refusal(AUTO, { attendees: [ada.email, bob.email], preview: true })).toMatch(
    /^calendar_unavailable: The calendar of \S+ could not be reached\. Try again in (?:a minute|\d+ seconds)\. The request ID is [\w-]{36}\.$/,
  );
});

test('a job is under way, then has its meeting on both clocks, as the API has it', async () => {
  const { agent, platform, ada, bob } = await withAgent(freshPair());
  world.qstash.setKnobs({ hold: true });
  const { data } = await agent.call('schedule_auto', { attendees: [ada.email, bob.email] });
  const waiting = await agent.call('get_job', { job_id: data.job_id });
  expect(waiting.data).toEqual({ job_id: data.job_id, status: 'processing' });
  world.qstash.setKnobs({ hold: false });
  await world.qstash.deliverDue();
  const done = await agent.call('get_job', { job_id: data.job_id });
  const { body } = await platform.api.send('GET', `/v1/jobs/${data.job_id}`);
  const { result } = body as {
    result: Record<'meeting_id' | 'meet_link' | 'agent_reasoning', string> & {
      chosen_slot: { start_time: string; end_time: string };
    };
  };
  const { start_time, end_time } = result.chosen_slot;
  expect(done.data).toEqual({
    job_id: data.job_id,
    status: 'completed',
    meeting_id: result.meeting_id,
    ...onClocks(Date.parse(start_time), Date.parse(end_time), [ada, bob]),
    meet_link: result.meet_link,
    reasoning: result.agent_reasoning,
  });
  expect(done.text).toContain(`booked ${result.meeting_id} on `);
});

test('a failed job says why and what would help', async () => {
  const { platform, ada } = await freshPair();
  const busy = await connectedPerson(platform, { name: 'cyd', busy: [[iso(inHours(-24)), iso(inHours(30 * 24))]] });
  const agent = await connectAgent(platform.secret_key);
  const { data } = await agent.call('schedule_auto', { attendees: [ada.email, busy.email] });
  await world.qstash.deliverDue();
  const failed = await agent.call('get_job', { job_id: data.job_id });
  expect(failed).toMatchObject({ isError: false, data: { status: 'failed', error_code: 'NO_AVAILABILITY' } });
  expect(failed.text).toContain('failed with NO_AVAILABILITY, and nothing was booked. ');
});
