import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { connectAgent, onClocks } from '../../support/people/agents.ts';
import { booked, freshPair, iso } from '../../support/people/meetings.ts';
import { moveOf } from '../../support/people/move-proposals.ts';
import { bodyFor, heldFor, readProposal, strangersAddress, weekdays } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOL = 'propose_times';

interface Offered {
  start_utc: string;
  end_utc: string;
  reason: string;
}

async function offering() {
  const pair = await freshPair();
  const { times, ...meeting } = bodyFor(pair);
  return { ...pair, agent: await connectAgent(pair.platform.secret_key), meeting, times };
}

const clocksOf = (start: string, people: Parameters<typeof onClocks>[2]) =>
  onClocks(Date.parse(start), Date.parse(start) + 30 * MINUTE, people);
const startsOf = (times: { start_time: string }[]) => times.map(({ start_time }) => Date.parse(start_time));

test('offers the given times, holds them, and returns the link with each time on both clocks', async () => {
  const { platform, ada, bob, agent, meeting, times } = await offering();
  const { data, text } = await agent.call(TOOL, { ...meeting, times, expires_in_hours: 5 });
  expect(data).toEqual({
    status: 'open',
    proposal_id: expect.stringMatching(/^prop_/),
    title: meeting.title,
    times: times.map((start) => ({ ...clocksOf(start, [ada, bob]), reason: expect.stringMatching(/\.$/) })),
    url: expect.stringMatching(/\/p\/[\w-]{43}$/),
    expires_at: expect.any(String),
  });
  expect(Math.abs(Date.parse(data.expires_at) - world.clock.now() - 5 * HOUR)).toBeLessThan(MINUTE);
  expect(text.split('\n')).toEqual([
    `Offered ${bob.email} these times for "${meeting.title}" as ${data.proposal_id}:`,
    ...[1, 2, 3].map((number) => expect.stringContaining(`${number}. `)),
    `The times are held until ${data.expires_at}.`,
    `Send this link to ${bob.email} alone, who chooses a time there: ${data.url}`,
  ]);
  expect(await heldFor(platform)).toBe(6);
  const proposal = await readProposal(platform, data.proposal_id);
  expect([proposal.status, proposal.url, proposal.on_expiry]).toEqual(['open', data.url, 'cancel']);
});

test('offers somebody who is not connected times on the clock of the requester alone', async () => {
  const { platform, ada, agent, meeting } = await offering();
  const guest = strangersAddress();
  const { data, text } = await agent.call(TOOL, { ...meeting, attendees: [ada.email, guest], count: 2 });
  expect(data.times).toHaveLength(2);
  for (const { start_utc, local } of data.times)
    expect(local).toEqual([...clocksOf(start_utc, [ada]).local, { email: guest }]);
  expect(text).toContain(`Send this link to ${guest} alone, who chooses a time there: ${data.url}`);
  expect(await heldFor(platform)).toBe(2);
});

describe('a preview', () => {
  test('shows the times that would be offered, and holds none', async () => {
    const { platform, ada, bob, agent, meeting } = await offering();
    const { data, text } = await agent.call(TOOL, { ...meeting, count: 2, preview: true });
    expect(data).toEqual({
      status: 'preview',
      title: meeting.title,
      times: data.times.map(({ start_utc, reason }: Offered) => ({ ...clocksOf(start_utc, [ada, bob]), reason })),
      confirm_token: expect.any(String),
      confirm_by: expect.any(String),
    });
    expect(data.times).toHaveLength(2);
    expect(text).toMatch(
      /^Nothing has been done yet\. This would offer \S+ these times for "Contract questions", and hold them for at most 48 hours:\n1\. .+\n2\. .+\nTo do exactly this, call propose_times again/,
    );
    expect(await heldFor(platform)).toBe(0);
  });

  test('once confirmed holds exactly these times, even if better ones became free', async () => {
    const { platform, ada, bob, agent, meeting, times } = await offering();
    const late = times.map((time) => Date.parse(time) + 24 * HOUR);
    const [eventId = ''] = world.google.addBusy({
      email: bob.email,
      start: iso(world.clock.now()),
      end: iso(Math.min(...late)),
    });
    const { data } = await agent.call(TOOL, { ...meeting, preview: true });
    world.google.patchEvent({ email: bob.email, eventId, deleted: true });
    const better = await agent.call(TOOL, { ...meeting, preview: true });
    expect(better.data.times).not.toEqual(data.times);
    const made = await agent.call(TOOL, { ...meeting, confirm_token: data.confirm_token });
    const { times: held } = await readProposal(platform, made.data.proposal_id);
    expect(startsOf(held)).toEqual(data.times.map(({ start_utc }: Offered) => Date.parse(start_utc)));
    expect(made.data.times).toEqual(
      data.times.map(({ start_utc }: Offered) => ({ ...clocksOf(start_utc, [ada, bob]), reason: expect.any(String) })),
    );
    expect(await agent.call(TOOL, { ...meeting, confirm_token: data.confirm_token })).toEqual(made);
    expect(await heldFor(platform)).toBe(6);
  });

  test('of given times holds these once confirmed', async () => {
    const { platform, agent, meeting, times } = await offering();
    const args = { ...meeting, times: times.slice(1) };
    const { data } = await agent.call(TOOL, { ...args, preview: true });
    const made = await agent.call(TOOL, { ...args, confirm_token: data.confirm_token });
    const { times: held } = await readProposal(platform, made.data.proposal_id);
    expect(startsOf(held)).toEqual(args.times.map((time) => Date.parse(time)));
  });

  test('once confirmed names a time that is not free, and offers others', async () => {
    const { platform, bob, agent, meeting } = await offering();
    const { data } = await agent.call(TOOL, { ...meeting, preview: true });
    const start = data.times[1].start_utc;
    world.google.addBusy({ email: bob.email, start, end: iso(Date.parse(start) + 30 * MINUTE) });
    const confirmed = { ...meeting, confirm_token: data.confirm_token };
    expect(await agent.refusal(TOOL, confirmed)).toMatch(/^slot_unavailable: .*\n1\. /);
    expect(await heldFor(platform)).toBe(0);
  });
});

describe('with a meeting', () => {
  test('offers times to move it to, after a preview that shows them', async () => {
    const meeting = await booked({ start: weekdays(1)[0] ?? 0 });
    const { platform, ada, bob } = meeting;
    const agent = await connectAgent(platform.secret_key);
    const args = { meeting_id: meeting.id, count: 2 };
    const previewed = await agent.call(TOOL, { ...args, preview: true });
    expect(previewed.data.times).toHaveLength(2);
    expect(previewed.text).toContain(`This would offer ${bob.email} these times for`);
    expect(await heldFor(platform)).toBe(0);
    const { data } = await agent.call(TOOL, { ...args, confirm_token: previewed.data.confirm_token });
    expect(data.times.map(({ start_utc }: Offered) => start_utc)).toEqual(
      previewed.data.times.map(({ start_utc }: Offered) => start_utc),
    );
    expect(data.times[0].local).toEqual(clocksOf(data.times[0].start_utc, [ada, bob]).local);
    expect(await readProposal(platform, data.proposal_id)).toMatchObject({
      status: 'open',
      moves_meeting_id: meeting.id,
      attendees: [ada.email, bob.email],
    });
    expect(await heldFor(platform)).toBe(4);
  });

  test('offers the given times, and refuses a title, which the meeting keeps', async () => {
    const meeting = await booked({ start: weekdays(1)[0] ?? 0 });
    const agent = await connectAgent(meeting.platform.secret_key);
    const args = moveOf(meeting);
    expect(await agent.refusal(TOOL, { ...args, title: 'Another' })).toContain(
      '`title` must not be sent together with `meeting_id`',
    );
    const { data } = await agent.call(TOOL, args);
    expect(data.times.map(({ start_utc }: Offered) => Date.parse(start_utc))).toEqual(args.times.map(Date.parse));
  });
});

describe('arguments', () => {
  test.each([
    ['neither a meeting nor a title', { title: undefined }, '`title` is required.'],
    ['a past time in a preview', { times: ['2020-01-01T10:00:00Z'], preview: true }, '`times` must be in the future.'],
  ])('with %s are refused', async (_what, change, message) => {
    const { agent, meeting } = await offering();
    const text = await agent.refusal(TOOL, { ...meeting, ...change });
    expect(text).toMatch(/^invalid_(?:request|time): /);
    expect(text).toContain(message);
  });
});
