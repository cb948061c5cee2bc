import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { meetingsOf } from '../support/checks/rows.ts';
import { connectedPerson, freshPlatform, type TestPerson } from '../support/people/factories.ts';
import { autoBooking, booking, madeMeeting, newKey, type Scene, scene } from '../support/people/operations.ts';
import { expectPeace, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

/** Connects the same people to a second platform. */
async function neighbour(at: Scene): Promise<Scene> {
  const platform = await freshPlatform({ plan: 'enterprise' });
  for (const { email } of at.people) await world.connectCalendar(platform, email);
  return { ...at, platform };
}

test('of exclusive bookings of one slot at most one is made, whoever asks', async () => {
  const at = await scene();
  const all = [at, ...(await Promise.all(Array.from({ length: 7 }, () => neighbour(at))))];
  const start = at.slot();
  const wishes = Array.from({ length: 64 }, (_, n) =>
    booking(all[n % all.length] ?? at, { start, requireFree: true, key: newKey() }),
  );
  const answers = await together(wishes);
  expect(tally(answers)).toEqual({ 200: 1, 409: 63 });
  await expectPeace({ platforms: all.map(({ platform }) => platform), wishes });
});

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
    await slowHolds(when, 60);
    const wishes = all.map((here) => booking(here, { start, requireFree: true, key: newKey() }));
    const answers = await together(wishes).finally(quickHolds);
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

test('of two jobs for one slot one gets it and the other is told', async () => {
  // The queue runs one job of a requester at a time. This race is about jobs that it runs at once all the same.
  world.qstash.setKnobs({ overfill: true });
  const at = await scene();
  await narrow(at.people, 9, 9.5);
  const wishes = [autoBooking(at), autoBooking(at)];
  expect(tally(await together(wishes))).toEqual({ 202: 2 });
  await expectPeace({ platforms: [at.platform], wishes });
  const ends = await world.neon.query('select status from jobs where platform_id = $1 order by status', [
    at.platform.id,
  ]);
  expect(ends).toEqual([{ status: 'completed' }, { status: 'failed' }]);
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

test('a job that meets an exclusive booking at its slot takes another', async () => {
  const at = await scene();
  const late = await connectedPerson(at.platform);
  const [ada, bob] = at.people as [TestPerson, TestPerson];
  await narrow([ada, bob, late], 9, 11);
  const jobs = Array.from({ length: 4 }, (_, n) => autoBooking(at, { people: n % 2 ? [ada, bob] : [bob, late] }));
  await together(jobs);
  const start = Date.parse(`${dayAfter(2)}T09:00:00Z`);
  const direct = Array.from({ length: 8 }, (_, n) =>
    booking(at, { start: start + n * 900_000, requireFree: true, people: [ada, late] }),
  );
  await Promise.all([world.qstash.deliverDue(), together(direct)]);
  await expectPeace({ platforms: [at.platform], wishes: [...jobs, ...direct] });
});

/** Slows down every hold that Postgres writes, so that transactions overlap. */
async function slowHolds(when: string, ms: number): Promise<void> {
  await world.neon.query(
    `create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${ms / 1_000}); return new; end $$`,
  );
  await world.neon.query(`create trigger slow ${when} insert on holds for each row execute function take_time()`);
}

const quickHolds = () => world.neon.query('drop function take_time cascade');

const dayAfter = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Limits the people's work hours to the day after tomorrow, from `open` to `shut` in UTC. */
async function narrow(people: TestPerson[], open: number, shut: number): Promise<void> {
  const clock = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}:${hours % 1 === 0 ? '00' : '30'}`;
  const working = new Date(world.clock.now() + 2 * 86_400_000).getUTCDay();
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  const hours = days.map((day, at) => [day, { enabled: at === working, start: clock(open), end: clock(shut) }]);
  const preferences = JSON.stringify({ work_hours: Object.fromEntries(hours), availability_window_days: 7 });
  await world.neon.query('update users set preferences = $1::jsonb where email = any($2::text[])', [
    preferences,
    `{${people.map(({ email }) => email).join(',')}}`,
  ]);
}
