import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { book, holdsAt, post, weightsOf } from '../../support/people/changing.ts';
import { booked, iso, rowOf, seen } from '../../support/people/meetings.ts';
import { expectMovedBy } from '../../support/people/move-proposals.ts';
import {
  accept,
  decline,
  heldFor,
  type Proposal,
  propose,
  proposed,
  proposing,
  subscribe,
} from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const dateOf = ({ start_time }: Proposal['times'][number]) => start_time.slice(0, 10);

async function picking() {
  const { body, ...scene } = await proposing();
  const { times: _, ...meeting } = body;
  return { ...scene, meeting };
}

test('without times Tandem picks three, each on another date, with the sentences of a search', async () => {
  const { platform, meeting } = await picking();
  const { times, expires_at, created_at } = await proposed(platform, meeting);
  expect(times).toHaveLength(3);
  expect(new Set(times.map(dateOf)).size).toBe(3);
  for (const { reason, status } of times) {
    expect(reason).toMatch(/^\w+day, \d+ \w+ at \d+:\d\d in London, \d+:\d\d in New York(?:[:,;] .+)?\.$/);
    expect(status).toBe('held');
  }
  expect(new Set(times.map(({ reason }) => reason)).size).toBe(3);
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBeLessThanOrEqual(48 * HOUR);
  expect(await heldFor(platform)).toBe(6);
});

/** Matches a start on 24 December or from 27 to 31 December, which a pick leaves for a day that is almost as good. */
const ON_A_QUIET_DAY = /-12-(?:24|2[7-9]|3[01])T/;

test('the first time is the best one of a search', async () => {
  const { platform, meeting } = await picking();
  const { attendees, duration_minutes } = meeting;
  const found = await platform.api.availability({ attendees, duration_minutes });
  const { slots } = found.body as { slots: { start_time: string; product: number }[] };
  const usual = slots.filter(({ start_time }) => !ON_A_QUIET_DAY.test(start_time));
  const best = Math.max(...usual.map(({ product }) => product));
  const first = usual.filter(({ product }) => product === best).map(({ start_time }) => Date.parse(start_time));
  const { times } = await proposed(platform, { ...meeting, count: 1 });
  expect(times).toHaveLength(1);
  expect(first).toContain(Date.parse(times[0]?.start_time ?? ''));
});

/** Makes somebody busy from now on, except during the given spans. */
function busyExcept(email: string, free: { start: number; end: number }[]) {
  let from = world.clock.now() - HOUR;
  for (const { start, end } of [...free, { start: world.clock.now() + 60 * DAY, end: 0 }]) {
    world.google.addBusy({ email, start: iso(from), end: iso(start) });
    from = end;
  }
}

/** Returns a span on the first weekday that is at least so many days away, from so many hours after midnight UTC. */
function weekdayAt(days: number, hours: number, length: number) {
  const date = new Date(world.clock.now() + days * DAY);
  while (date.getUTCDay() % 6 === 0) date.setUTCDate(date.getUTCDate() + 1);
  const start = date.setUTCHours(hours, 0, 0, 0);
  return { start, end: start + length };
}

test('dates repeat if there are too few, and fewer times are offered if fewer are free', async () => {
  const { platform, bob, meeting } = await picking();
  const [one, other] = [weekdayAt(2, 15, 2 * HOUR), weekdayAt(5, 15, HOUR / 2)];
  busyExcept(bob.email, [one, other]);
  const { times } = await proposed(platform, { ...meeting, count: 3 });
  expect(times.map(dateOf).toSorted()).toEqual([one.start, one.start, other.start].map((at) => iso(at).slice(0, 10)));
  const rest = await proposed(platform, { ...meeting, count: 5 });
  expect(rest.times.length).toBeGreaterThan(0);
  expect(rest.times.length).toBeLessThan(5);
});

test('no free time gets 409 with the words of an empty search, and holds nothing', async () => {
  const { platform, bob, meeting } = await picking();
  busyExcept(bob.email, []);
  const { attendees, duration_minutes } = meeting;
  const found = (await platform.api.availability({ attendees, duration_minutes })).body as { message: string };
  const answer = await propose(platform, meeting);
  expect(seen(answer)).toEqual(
    refusal(409, 'no_availability', {
      message: `${found.message} No proposal was made. Search a longer range, or offer times of your choice in \`times\`.`,
    }),
  );
  expect(await heldFor(platform)).toBe(0);
});

type Offered = Proposal & {
  reasoning: string;
  learned_from: string;
  understood: { quote: string; meaning: string; kind: string }[];
  not_understood: string[];
};

const at = (time = '') => Date.parse(time);

/** Asks for another time of a meeting on a Wednesday, and gets three instead of one. */
async function offered(wish: Parameters<typeof post>[1] = {}, key?: string) {
  const meeting = await book();
  await subscribe(meeting.platform);
  const answer = await post(meeting, { ...wish, propose: true }, key);
  if (answer.status !== 200) throw new Error(answer.text);
  const proposal = answer.body as Offered;
  return { meeting, answer, proposal, id: proposal.proposal_id };
}

test('the three times that fit the reason best are offered, and the meeting stays as it is', async () => {
  const { meeting, proposal } = await offered({ reason: 'Friday instead, and mornings are too early for me' });
  const { platform, ada, bob, id, start, end } = meeting;
  expect(proposal).toMatchObject({
    status: 'open',
    attendees: [ada.email, bob.email],
    title: 'Intro',
    moves_meeting_id: id,
    meeting_id: null,
    url: expect.stringContaining('/p/'),
    learned_from: expect.stringContaining('too early'),
    understood: expect.arrayContaining([expect.objectContaining({ kind: 'wanted' })]),
    not_understood: [],
    reasoning: expect.stringMatching(/^The reason: .+ as Bob asked/),
  });
  expect(proposal.times).toHaveLength(3);
  for (const { start_time, reason } of proposal.times) {
    expect(new Date(start_time).getUTCDay()).toBe(5);
    expect(reason).toMatch(/^Friday, \d+ \w+ at \d+:\d\d in London, \d+:\d\d in New York\.$/);
  }
  expect(await heldFor(platform)).toBe(6);
  expect(await rowOf(id)).toMatchObject({ status: 'scheduled', holds: holdsAt(meeting, start, end), pending: [] });
  expect(at(proposal.expires_at) - at(proposal.created_at)).toBe(2 * DAY);
});

test('the first of them is the time that a reschedule would take', async () => {
  const reason = 'Can we do it later in the week?';
  const { proposal } = await offered({ reason });
  const other = await book();
  const moved = (await post(other, { reason })).body as { new_meeting_time: string };
  expect(proposal.times[0]?.start_time).toBe(moved.new_meeting_time);
});

test('it teaches what a reschedule teaches, once', async () => {
  const { meeting, proposal } = await offered({ reason: 'mornings are too early for me' });
  const taught = await weightsOf(meeting.bob.email);
  expect(proposal.learned_from).toContain('from 1 to 0.8');
  await decline(meeting.platform, proposal.proposal_id);
  await post(meeting, { reason: 'mornings are too early for me' });
  expect(await weightsOf(meeting.bob.email)).toEqual(taught);
});

test('accepting one moves the meeting, which keeps what was understood of the reason', async () => {
  const made = await offered({ reason: 'Friday instead' });
  const [, time] = made.proposal.times;
  expect((await accept(made.meeting.platform, made.id, time?.id)).status).toBe(200);
  const { meeting_id } = await expectMovedBy(made);
  const [row] = await world.neon.query('select reading from meetings where id = $1', [meeting_id]);
  expect(row?.reading).toEqual({
    understood: [{ quote: 'Friday instead', meaning: expect.stringContaining('Friday') }],
    notUnderstood: [],
    askedBy: 1,
  });
});

test('a meeting that begins within 15 minutes is refused', async () => {
  const meeting = await booked({ start: Math.ceil(world.clock.now() / MINUTE) * MINUTE + 10 * MINUTE });
  expect(await post(meeting, { propose: true })).toMatchObject(
    refusal(400, 'invalid_request', { message: expect.any(String) }),
  );
});
