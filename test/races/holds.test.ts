import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DAY } from '../../lib/engine/time/dates.ts';
import { violations } from '../support/checks/checker.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { type Batch, mentoring, readBatch, sendBatch } from '../support/people/batches.ts';
import { suspend } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { type Booked, booked, freshPair, inHours, iso } from '../support/people/meetings.ts';
import {
  accept,
  heldFor,
  type Proposal,
  propose,
  proposed,
  proposing,
  readProposal,
  subscribe,
  toldOf,
  weekdays,
} from '../support/people/proposing.ts';
import { readByTick } from '../support/people/snapshots.ts';
import { bodyFor, later, put } from '../support/people/updating.ts';
import type { Answer } from '../support/worlds/client.ts';
import { hold, met } from '../support/worlds/held.ts';
import { quiet } from '../support/worlds/quiet.ts';
import { expectPeace, tally } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const INSERT = 'POST /calendar/v3/calendars/primary/events';
const ROUNDS = Number(process.env.PROPOSAL_ROUNDS ?? 12);

test('of twenty simultaneous proposals at the bound of one person, in either place, none exceeds it', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const others = await Promise.all(Array.from({ length: 20 }, () => connectedPerson(platform)));
  const days = weekdays(20);
  // Each holds six hours of Ada, of which a platform may hold thirty.
  const answers = await Promise.all(
    others.map(({ email }, n) =>
      propose(platform, {
        attendees: n % 2 === 0 ? [ada.email, email] : [email, ada.email],
        duration_minutes: 360,
        title: 'Race',
        times: [iso((days[n] ?? 0) - 6 * 3_600_000)],
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(answers.filter(({ text }) => text.includes('too_many_proposals'))).toHaveLength(15);
  expect(await heldFor(platform)).toBe(10);
  await expectPeace({ platforms: [platform] });
});

test(`in ${ROUNDS} rounds of a disconnection against an acceptance and a new proposal, nothing of the person stays held`, async () => {
  const ends: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const { platform, ada, bob, body } = await proposing();
    const proposal = await proposed(platform, body);
    const [first] = proposal.times;
    const leaver = round % 2 === 0 ? ada : bob;
    const later = { ...body, times: weekdays(5).slice(3).map(iso) };
    const [accepted, made] = await Promise.all([
      accept(platform, proposal.proposal_id, first?.id),
      propose(platform, later),
      new Promise((resolve) => setTimeout(resolve, round * 12)).then(() => platform.api.disconnect(leaver.email)),
    ]);
    await quiet([platform]);
    const { status } = await readProposal(platform, proposal.proposal_id);
    ends[status] = (ends[status] ?? 0) + 1;
    expect(['accepted', 'withdrawn']).toContain(status);
    expect([200, 404, 409, 500]).toContain(accepted.status);
    // A proposal that is made after the other person has left asks them as a guest, and holds no time of theirs.
    if (made.status === 201 && leaver === ada)
      expect((await readProposal(platform, (made.body as Proposal).proposal_id)).status).toBe('withdrawn');
    const [held] = await world.neon.query(
      `select count(*)::int as held from holds h join proposals r on r.id = h.proposal_id join users u on u.id = h.user_id
      where r.platform_id = $1 and u.email = $2 and h.meeting_id is null`,
      [platform.id, leaver.email],
    );
    expect(held).toEqual({ held: 0 });
    const told = (await toldOf(platform)).filter(([, data]) => data.proposal_id === proposal.proposal_id);
    expect(told.map(([type]) => type)).toEqual([`proposal.${status}`]);
    expect(await violations({ platforms: [platform], closed: new Set([leaver.email]) })).toEqual([]);
  }
  console.log(`ends of ${ROUNDS} acceptances against a disconnection: ${JSON.stringify(ends)}`);
}, 3_600_000);

test('of eight platforms whose offers of one day are accepted at once, as many meetings are made as the person takes', async () => {
  const platforms = await Promise.all(Array.from({ length: 8 }, () => freshPlatform({ plan: 'enterprise' })));
  const [first] = platforms as [TestPlatform, ...TestPlatform[]];
  const ada = await connectedPerson(first, { name: 'ada' });
  const others = await Promise.all(platforms.map((platform) => connectedPerson(platform)));
  for (const platform of platforms.slice(1)) await world.connectCalendar(platform, ada.email);
  await world.neon.query(`update users set preferences = '{"max_meetings_per_day": 2}' where email = $1`, [ada.email]);
  const [day = 0] = weekdays(1);
  const offers = await Promise.all(
    platforms.map((platform, n) =>
      proposed(platform, {
        attendees: [ada.email, others[n]?.email],
        duration_minutes: 30,
        title: 'Race',
        times: [iso(day - 6 * 3_600_000 + n * 1_800_000)],
      }),
    ),
  );
  const answers = await Promise.all(
    offers.map(({ proposal_id, times }, n) => accept(platforms[n] ?? first, proposal_id, times[0]?.id)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ text }) => text.includes('time_unavailable'))).toHaveLength(6);
  await expectPeace({ platforms });
});

test('a suspension against new proposals leaves none open', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const platform = await freshPlatform({ plan: 'enterprise' });
    await subscribe(platform);
    const ada = await connectedPerson(platform, { name: 'ada' });
    const others = await Promise.all([1, 2, 3].map(() => connectedPerson(platform)));
    const making = others.map(({ email }, n) =>
      propose(platform, {
        attendees: [ada.email, email],
        duration_minutes: 30,
        title: 'Race',
        times: [iso(weekdays(n + 1)[n] ?? 0)],
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, round * 10));
    await suspend(platform);
    const answers = await Promise.all(making);
    expect(answers.filter(({ status }) => ![201, 403].includes(status)).map(({ text }) => text)).toEqual([]);
    const open = await world.neon.query("select 1 from proposals where platform_id = $1 and status = 'open'", [
      platform.id,
    ]);
    expect([open, await heldFor(platform)]).toEqual([[], 0]);
  }
}, 3_600_000);

test('a suspension while a batch runs: no further meeting is booked until the platform is resumed, and then the rest', async () => {
  const bookedAtEnd: number[] = [];
  for (let round = 0; round < ROUNDS / 2; round += 1) {
    const made = await mentoring({ mentees: 6 });
    const sent = await sendBatch(made.platform, made.body);
    const { batch_id: id } = sent.body as Batch;
    const booked = async () => {
      const rows = await world.neon.query("select 1 from batch_meetings where batch_id = $1 and state = 'booked'", [
        id,
      ]);
      return rows.length;
    };
    // Every second run is suspended while it books its first three meetings, which are finished.
    const booking = round % 2 === 0 ? undefined : hold({ target: 'google', match: INSERT });
    const running = world.qstash.deliverDue();
    await (booking === undefined ? new Promise((resolve) => setTimeout(resolve, round * 40)) : met(booking, 3));
    await suspend(made.platform);
    booking?.release();
    await running;
    const before = await booked();
    await world.worker.runScheduled(world.clock.now());
    await world.qstash.deliverDue();
    expect(await booked()).toBe(before);
    if (booking !== undefined) expect(before).toBe(3);
    bookedAtEnd.push(before);
    await world.neon.query('update platforms set suspended_at = null where id = $1', [made.platform.id]);
    await quiet([made.platform]);
    const { status, counts } = await readBatch(made.platform, id);
    expect([status, counts.booked]).toEqual(['completed', 6]);
    await expectPeace({ platforms: [made.platform] });
  }
  console.log(`meetings of six that were booked while the platform was suspended: ${bookedAtEnd.join(', ')}`);
}, 3_600_000);

const LEAVING_ROUNDS = Number(process.env.ACCESS_ROUNDS ?? 16);
const LONGEST_PAUSE_MS = 150;

const random = seeded(Number(process.env.ACCESS_SEED ?? 1));

async function soon<T>(act: () => Promise<T>): Promise<T> {
  await pause(random.below(LONGEST_PAUSE_MS));
  return act();
}

/** Checks that the meetings hold the time of those people alone whose time they may take, once all is at rest. */
async function expectHeldRightly({ platform }: Booked, left: string[]): Promise<void> {
  await expectPeace({ platforms: [platform], closed: new Set(left) });
}

const leaverOf = ({ ada, bob }: Booked, round: number) => (round % 2 === 0 ? ada : bob).email;

test(`in ${LEAVING_ROUNDS} rounds of bookings and changes against a disconnection, no time of who has left stays held`, async () => {
  const answers: Answer[] = [];
  for (let round = 0; round < LEAVING_ROUNDS; round += 1) {
    const meeting = await booked({ pair: await freshPair() });
    const { platform, ada, bob } = meeting;
    const leaver = leaverOf(meeting, round);
    const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: 'Race' };
    const at = (days: number) => iso(inHours(48) + days * DAY);
    answers.push(
      ...(await Promise.all([
        soon(() => platform.api.schedule({ ...body, start_time: at(2) })),
        soon(() => platform.api.schedule({ ...body, start_time: at(3), require_free: true })),
        soon(() => put(meeting, bodyFor(later(meeting)))),
        soon(() => platform.api.disconnect(leaver)),
      ])),
    );
    await expectHeldRightly(meeting, [leaver]);
  }
  console.log(`answers of ${LEAVING_ROUNDS} rounds: ${JSON.stringify(tally(answers))}`);
}, 3_600_000);

test(`in ${LEAVING_ROUNDS} rounds of a move in the calendar that is followed against a disconnection, no time of who has left stays held`, async () => {
  for (let round = 0; round < LEAVING_ROUNDS; round += 1) {
    const meeting = await booked({ pair: await freshPair() });
    const { platform, ada, bob, eventId, start, end } = meeting;
    await readByTick(ada.email, bob.email);
    const leaver = leaverOf(meeting, round);
    world.google.patchEvent({ email: ada.email, eventId, start: iso(start + DAY), end: iso(end + DAY) });
    await Promise.all([
      soon(() => world.worker.runScheduled(world.clock.now())),
      soon(() => platform.api.disconnect(leaver)),
    ]);
    await expectHeldRightly(meeting, [leaver]);
  }
}, 3_600_000);

test(`in ${LEAVING_ROUNDS} rounds of one person who connects again while the other leaves, no time of who has left stays held`, async () => {
  for (let round = 0; round < LEAVING_ROUNDS; round += 1) {
    const meeting = await booked({ pair: await freshPair() });
    const { platform, ada, bob } = meeting;
    const leaver = leaverOf(meeting, round);
    const returning = leaver === ada.email ? bob.email : ada.email;
    await platform.api.disconnect(returning);
    await Promise.all([
      soon(() => world.connectCalendar(platform, returning)),
      soon(() => platform.api.disconnect(leaver)),
    ]);
    await expectHeldRightly(meeting, [leaver]);
  }
}, 3_600_000);
