import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { booked, iso, rowOf } from '../../support/people/meetings.ts';
import { expectMovedBy } from '../../support/people/move-proposals.ts';
import { accept, decline, heldFor, type Proposal, readProposal, subscribe } from '../../support/people/proposing.ts';
import { book, holdsAt, post, weightsOf } from '../../support/people/rescheduling.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Offered = Proposal & {
  reasoning: string;
  learned_from: string;
  understood: { quote: string; meaning: string; kind: string }[];
  not_understood: string[];
};

const at = (time = '') => Date.parse(time);
const startsOf = ({ times }: Proposal) => times.map(({ start_time }) => at(start_time));

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

test('declined times are not offered again', async () => {
  const { meeting, proposal, id } = await offered({ reason: 'Friday instead' });
  await decline(meeting.platform, id);
  const again = (await post(meeting, { reason: 'Friday instead', propose: true })).body as Offered;
  expect(again.times).toHaveLength(3);
  expect(startsOf(again).filter((start) => startsOf(proposal).includes(start))).toEqual([]);
});

test('an Idempotency-Key gives a retry the same answer, with the address of the page', async () => {
  const { meeting, answer, id } = await offered({ reason: 'Friday instead' }, 'offer-1');
  const again = await post(meeting, { reason: 'Friday instead', propose: true }, 'offer-1');
  expect([again.status, again.text]).toEqual([200, answer.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await readProposal(meeting.platform, id)).status).toBe('open');
  expect(await heldFor(meeting.platform)).toBe(6);
  const kept = await world.neon.query('select body from idempotency_keys where platform_id = $1', [
    meeting.platform.id,
  ]);
  expect(JSON.stringify(kept)).not.toContain('/p/');
});

describe('refusals', () => {
  const refused = ({ status, body }: Answer) => [status, (body as { error: { code: string } }).error.code];

  test('a second offer while the first is open', async () => {
    const { meeting } = await offered();
    expect(refused(await post(meeting, { propose: true }))).toEqual([409, 'too_many_proposals']);
  });

  test('a meeting that begins within 15 minutes', async () => {
    const meeting = await booked({ start: Math.ceil(world.clock.now() / MINUTE) * MINUTE + 10 * MINUTE });
    expect(refused(await post(meeting, { propose: true }))).toEqual([400, 'invalid_request']);
  });

  test('no time that is free', async () => {
    const meeting = await book();
    const from = iso(world.clock.now() - DAY);
    world.google.addBusy({ email: meeting.bob.email, start: from, end: iso(world.clock.now() + 120 * DAY) });
    expect(refused(await post(meeting, { propose: true }))).toEqual([409, 'no_availability']);
    expect(await heldFor(meeting.platform)).toBe(0);
  });

  test('a `propose` that is no boolean', async () => {
    const meeting = await book();
    expect(await post(meeting, { propose: 'yes' as unknown as boolean })).toMatchObject(
      refusal(400, 'invalid_request', { field: 'propose' }),
    );
  });
});
