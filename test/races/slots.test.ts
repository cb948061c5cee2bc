import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DAY, WEEKDAYS, weekdayIndex } from '../../lib/engine/time/dates.ts';
import { violations } from '../support/checks/checker.ts';
import { meetingsOf } from '../support/checks/rows.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { type Batch, mentoring, readBatch, sendBatch } from '../support/people/batches.ts';
import { readByTick } from '../support/people/calendars.ts';
import { bodyFor, later, put } from '../support/people/changing.ts';
import { suspend } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPerson, type TestPlatform } from '../support/people/factories.ts';
import { type Booked, booked, freshPair, inHours, iso, setPreferences } from '../support/people/meetings.ts';
import { autoBooking, booking, madeMeeting, newKey, type Scene, scene } from '../support/people/operations.ts';
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
import type { Answer } from '../support/worlds/client.ts';
import { hold, met, quiet } from '../support/worlds/quiet.ts';
import { afterPauses, expectPeace, slowly, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

async function neighbour(at: Scene): Promise<Scene> {
  const platform = await freshPlatform({ plan: 'enterprise' });
  for (const { email } of at.people) await world.connectCalendar(platform, email);
  return { ...at, platform };
}

test('exclusive bookings that wait for one that fails end as taken, not as a deadlock', async () => {
  const at = await scene();
  const all = [at, ...(await Promise.all(Array.from({ length: 7 }, () => neighbour(at))))];
  const elsewhere = await madeMeeting(at);
  const start = at.slot();
  const wishes = all.map((one) => booking(one, { start, requireFree: true }));
  const failing = world.neon
    .query(
      `do $$ begin
        insert into holds (meeting_id, user_id, event_id, during, exclusive, conflicts)
        select meeting_id, user_id, 'another', tstzrange('${new Date(start).toISOString()}', '${new Date(start + 60_000).toISOString()}'), true, 0
        from holds where meeting_id = '${elsewhere}';
        perform pg_sleep(1.5); raise exception 'given up'; end $$`,
    )
    .catch(String);
  const answers = await together(wishes);
  expect(await failing).toContain('given up');
  expect(tally(answers)).toEqual({ 200: 1, 409: 7 });
  await expectPeace({ platforms: all.map(({ platform }) => platform), wishes });
});

test('people in either order of attendees do not block each other', async () => {
  const at = await scene();
  const other = await neighbour(at);
  const start = at.slot();
  const [ada, bob] = at.people as [TestPerson, TestPerson];
  const wishes = Array.from({ length: 60 }, (_, n) =>
    booking(n % 2 === 0 ? at : other, {
      start: start + (n % 3) * 900_000,
      requireFree: true,
      people: n % 4 < 2 ? [ada, bob] : [bob, ada],
    }),
  );
  const answers = await together(wishes);
  const { 200: made = 0, 409: refused = 0 } = tally(answers);
  expect(made + refused).toBe(60);
  expect(made).toBeGreaterThan(0);
  await expectPeace({ platforms: [at.platform, other.platform], wishes });
});

test.each(['before', 'after'])(
  'transactions that cannot see each other’s holds (slow %s) still make one',
  async (when) => {
    const at = await scene();
    const all = [at, ...(await Promise.all(Array.from({ length: 7 }, () => neighbour(at))))];
    const start = at.slot();
    const wishes = all.map((here) => booking(here, { start, requireFree: true, key: newKey() }));
    const answers = await slowly(() => together(wishes), when, 0.06);
    expect(tally(answers)).toEqual({ 200: 1, 409: 7 });
    await expectPeace({ platforms: all.map(({ platform }) => platform), wishes });
  },
);

test('exclusive and free bookings of one slot together: at most one exclusive, and it was there first', async () => {
  const at = await scene();
  const other = await neighbour(at);
  const start = at.slot();
  const wishes = Array.from({ length: 60 }, (_, n) =>
    booking(n % 2 === 0 ? at : other, { start, requireFree: n % 3 === 0 }),
  );
  const answers = await together(wishes);
  expect(answers.filter((_, n) => n % 3 !== 0).map((answer) => answer?.status)).toEqual(Array(40).fill(200));
  await expectPeace({ platforms: [at.platform, other.platform], wishes });
});

test('an exclusive booking sees one that is not on the calendar yet', async () => {
  const at = await scene();
  const start = at.slot();
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'delay', delay_ms: 800, times: 1 });
  const first = booking(at, { start });
  const writing = first.send();
  while (world.faults.list().some(({ hits }) => hits === 0)) await pause(5);
  const exclusive = Array.from({ length: 10 }, () => booking(at, { start, requireFree: true }));
  expect(tally(await together(exclusive))).toEqual({ 409: 10 });
  expect((await writing)?.status).toBe(200);
  await expectPeace({ platforms: [at.platform], wishes: [first, ...exclusive] });
});

test('an exclusive booking is refused a time that somebody reserves while it looks', async () => {
  const at = await scene();
  const start = at.slot();
  const look = hold({ target: 'google', match: 'POST /calendar/v3/freeBusy' });
  const [exclusive, plain] = [booking(at, { start, requireFree: true }), booking(at, { start })];
  const looking = exclusive.send();
  await met(look, 2);
  const insert = hold({ target: 'google', match: INSERT, times: 1 });
  const writing = plain.send();
  await met(insert);
  look.release();
  expect((await looking)?.status).toBe(409);
  insert.release();
  expect((await writing)?.status).toBe(200);
  await expectPeace({ platforms: [at.platform], wishes: [plain, exclusive] });
});

test('a hundred jobs for ten people who share one narrow day never overlap', async () => {
  const at = await scene({ people: 10 });
  const [open, shut] = [9, 13];
  await narrow(at.people, open, shut);
  const wishes = Array.from({ length: 100 }, (_, n) => {
    const [one, other] = [n % 10, (n + 1 + (n % 7)) % 10].map((who) => at.people[who]);
    return autoBooking(at, { people: [one, other] as [TestPerson, TestPerson] });
  });
  expect(tally(await together(wishes))).toEqual({ 202: 100 });
  await expectPeace({ platforms: [at.platform], wishes });
  const made = (await meetingsOf([at.platform])).filter(({ status }) => status === 'scheduled');
  expect(made.length).toBeGreaterThan(10);
  expect(made.length).toBeLessThan(100);
});

/**
 * Holds a job's run at its booking until its lease is over, and lets another run go on after the change. The queue starts
 * the other run although the lane of the job's requester is taken.
 */
async function overtakenRun(at: Scene, change: () => Promise<unknown>): Promise<void> {
  world.qstash.setKnobs({ overfill: true });
  const wish = autoBooking(at);
  await wish.send();
  world.faults.add({
    target: 'neon',
    body_match: 'pending_operations.*"book"',
    mode: 'delay',
    delay_ms: 2_500,
    times: 1,
  });
  const first = world.qstash.deliverDue();
  while (world.faults.list().some(({ hits }) => hits === 0)) await pause(5);
  await change();
  await world.advance(91_000);
  await world.worker.runScheduled(world.clock.now());
  await Promise.all([first, world.qstash.deliverDue()]);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
}

test('a run held beyond its lease leaves the job to the run that has booked another time', async () => {
  const at = await scene();
  await narrow(at.people, 9, 9.5);
  await overtakenRun(at, () => narrow(at.people, 11, 11.5));
});

test('a run held beyond its lease books nothing for a job that another run has failed', async () => {
  const at = await scene();
  await overtakenRun(at, () => narrow(at.people, 9, 9));
  const ends = await world.neon.query(
    'select status, (select count(*)::int from meetings where job_id = jobs.id) as meetings from jobs where platform_id = $1',
    [at.platform.id],
  );
  expect(ends).toEqual([{ status: 'failed', meetings: 0 }]);
});

/** Limits the people's work hours to the day after tomorrow, from `open` to `shut` in UTC. */
async function narrow(people: TestPerson[], open: number, shut: number): Promise<void> {
  const clock = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}:${hours % 1 === 0 ? '00' : '30'}`;
  const working = weekdayIndex(Math.floor(world.clock.now() / DAY) + 2);
  const hours = WEEKDAYS.map((day, at) => [day, { enabled: at === working, start: clock(open), end: clock(shut) }]);
  const preferences = { work_hours: Object.fromEntries(hours), availability_window_days: 7 };
  for (const { email } of people) await setPreferences(email, preferences);
}

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
  await setPreferences(ada.email, { max_meetings_per_day: 2 });
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

const soon = afterPauses(random, LONGEST_PAUSE_MS);

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
    await expectPeace({ platforms: [platform], closed: new Set([leaver]) });
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
    await expectPeace({ platforms: [platform], closed: new Set([leaver]) });
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
    await expectPeace({ platforms: [platform], closed: new Set([leaver]) });
  }
}, 3_600_000);
